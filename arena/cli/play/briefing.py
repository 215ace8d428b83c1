"""Briefing of a seat before it plays, which it can read again: made only from its observation."""

from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.text import Text

from arena.cli.rendering.layout import (
    GREY,
    Block,
    UnwrappedLine,
    fact_row,
    heading,
    note,
    seat_colors,
)
from arena.core.observation import ClueObservation, Observation
from arena.core.options import GameOptions
from arena.games.game_registry import find_game
from arena.view.heading import non_default_options
from arena.view.i18n.desk_messages import DESK_MESSAGES
from arena.view.i18n.messages import Messages
from arena.view.sanitize import sanitize_line
from scripts_mm.script import Picture

Rendered = tuple[RenderableType, ...]
_GAP = Text("")


def render_match_head(observation: Observation, title: str, messages: Messages) -> Rendered:
    """Return the heading of the match: title, game, seats, own seat."""
    heads, say = messages.heads, DESK_MESSAGES[messages.language]
    colors = seat_colors(observation.seats)
    seats = messages.join(tuple(sanitize_line(seat) for seat in observation.seats))
    return (
        heading(title),
        fact_row(heads["game"], _game_line(observation.game, observation.options)),
        fact_row(heads["seats"], seats, paint=colors),
        fact_row(say.heads["you"], sanitize_line(observation.seat), paint=colors),
        _GAP,
        note(say.intro.format(seat=sanitize_line(observation.seat)), margin=0),
    )


def render_rules(observation: Observation, messages: Messages) -> Rendered:
    """Return the rules for every seat, and the public facts of the case."""
    texts = find_game(observation.game).texts(observation)
    say = DESK_MESSAGES[messages.language]
    case = "\n\n".join(filter(None, (observation.opening, texts.case())))
    return (
        *_section(say.heads["rules"], texts.rules()),
        *(_section(say.heads["case"], case) if case else ()),
    )


def render_role(observation: Observation, messages: Messages) -> Rendered:
    """Return the private script as far as it was dealt, and the seat's side and goals."""
    texts = find_game(observation.game).texts(observation)
    say, own = DESK_MESSAGES[messages.language], observation.own
    rows = [*_section(say.heads["script"], own.script)] if own.script.strip() else []
    for number, text in own.stages:
        rows += render_stage(number, text, messages)
    return (*rows, *_section(say.heads["role"], texts.role()))


def render_stage(number: int, text: str, messages: Messages) -> Rendered:
    """Return a later part of the private script; empty if there is nothing new."""
    title = DESK_MESSAGES[messages.language].heads["stage"].format(n=number)
    return _section(title, text) if text.strip() else ()


def render_clues(
    clues: Sequence[ClueObservation], messages: Messages, locate: Callable[[Picture], str]
) -> Rendered:
    """Return the clues that the seat has seen, each once, with the files of their pictures."""
    say = DESK_MESSAGES[messages.language]
    rows: list[RenderableType] = [_GAP, heading(say.heads["seen"])]
    for clue in {clue.key: clue for clue in clues}.values():
        mark = f" ({messages.private})" if clue.private else ""
        head = Text("* ", style="bold")
        rows.append(Block(head=head, body=f"{sanitize_line(clue.title)}{mark}", style="bold"))
        if clue.text.strip():
            rows.append(Block(head=Text(), body=clue.text))
        rows += [UnwrappedLine(text=locate(picture), margin=4) for picture in clue.pictures]
    return (*rows, *(() if clues else (note(say.nothing),)))


def render_options(options: Sequence[str], *, numbered: bool) -> Rendered:
    """Return the options of a choice with their numbers."""
    width = len(str(len(options)))
    return tuple(
        Block(
            head=Text(f"  {number:>{width}}  " if numbered else "  ", style=GREY),
            body=sanitize_line(option),
            indent=width + 4,
        )
        for number, option in enumerate(options, start=1)
    )


def _section(title: str, body: str) -> Rendered:
    return (_GAP, heading(title), Block(head=Text(), body=body, indent=0))


def _game_line(game: str, options: GameOptions) -> str:
    return " ".join((game, *non_default_options(options)))
