"""How a match is introduced: the script, the game, who plays what."""

from dataclasses import fields

from rich.console import RenderableType
from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.rendering.context import RenderContext
from arena.cli.rendering.layout import Block, fact_row, heading
from arena.core.options import GameOptions


def render_header(context: RenderContext) -> tuple[RenderableType, ...]:
    """Return the head of a transcript. It names the murderers only where the truth is shown."""
    messages, started = context.messages, context.state.started
    heads = messages.heads
    rows = [
        fact_row(heads["script"], _script_line(context)),
        fact_row(heads["game"], " ".join((started.game, *non_default_options(started.options)))),
        fact_row(
            heads["civilians"], _player_line(context, started.civilians, started.civilians_served)
        ),
        fact_row(
            heads["murderer"], _player_line(context, started.murderer, started.murderer_served)
        ),
        fact_row(heads["seats"], _seats_line(context), paint=context.colors),
        fact_row(heads["seed"], str(started.seed)),
    ]
    if started.flags:
        rows.append(fact_row(heads["flags"], messages.join(started.flags), style="bold"))
    opening = context.state.script.opening
    story = (Text(""), Block(head=Text(), body=opening)) if opening.strip() else ()
    return (heading(context.state.script.title), *rows, *story)


def non_default_options(options: GameOptions) -> tuple[str, ...]:
    """Return the options that differ from their game's default, as `name=value`."""
    default = type(options)()
    return tuple(
        f"{one.name}={option_text(getattr(options, one.name))}"
        for one in fields(options)
        if getattr(options, one.name) != getattr(default, one.name)
    )


def option_text(value: object) -> str:
    """Return an option's value as it is written on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def resume_line(context: RenderContext, events: int) -> Block:
    """Return the line that says how much of a match was on record before."""
    messages = context.messages
    line = messages.resumed.format(events=messages.count(events, "event"))
    return Block(head=Text(line, style="bold"))


def _script_line(context: RenderContext) -> str:
    messages, script = context.messages, context.state.script
    parts = (
        f"{script.id} ({context.state.started.language})",
        messages.count(len(script.roles), "role"),
        messages.count(len(script.clues), "clue"),
        messages.count(len(script.pictures), "picture"),
    )
    return messages.join(parts)


def _player_line(context: RenderContext, player: str, served: str) -> str:
    if not served or served == player:
        return player
    return f"{player} ({context.messages.served.format(model=served)})"


def _seats_line(context: RenderContext) -> str:
    started = context.state.started
    guilty = started.murderers if context.view.truth else ()
    return context.messages.join(
        tuple(
            f"{sanitize_line(seat)} ({context.messages.murderer})"
            if seat in guilty
            else sanitize_line(seat)
            for seat in started.seats
        )
    )
