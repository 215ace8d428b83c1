"""Events as they are shown. Pure: a scene and an event in, renderables out."""

from typing import assert_never

from rich.console import RenderableType
from rich.text import Text

from arena.cli.blocks import GREY, Block, aside, fact, heading
from arena.cli.clues import dealt, shown
from arena.cli.header import header
from arena.cli.look import Scene
from arena.cli.safe import clean_line
from arena.cli.votes import counted, voted
from arena.core.actions import SeatId
from arena.core.events import (
    Asked,
    Began,
    Closed,
    Concluded,
    Counted,
    Event,
    Noted,
    Opened,
    Passed,
    Rejected,
    Revealed,
    Spoke,
    Voted,
)
from arena.core.state import answer_id

Shown = tuple[RenderableType, ...]
"""What an event puts on the screen, from top to bottom; empty: nothing."""

GAP = Text("")
"""An empty line."""

_ANSWERS = (Spoke, Asked, Concluded, Rejected, Passed, Noted)


def render(scene: Scene, event: Event) -> Shown:  # noqa: C901, PLR0911, PLR0912 - a case an event
    """Return what `event` shows; the scene holds the state after it."""
    match event:
        case Opened():
            return header(scene)
        case Began():
            return (*_dealt(scene), GAP, heading(_title(scene, event)))
        case Revealed():
            return shown(scene, event) if scene.state.began else ()
        case Spoke():
            return _spoke(scene, event)
        case Asked():
            return (scene.speech(event.seat, _said(scene, event), to=event.to),)
        case Concluded():
            return _concluded(scene, event)
        case Voted():
            is_open = scene.state.opening.options.vote == "open"
            return (voted(scene, event),) if is_open else ()
        case Rejected():
            return _rejected(scene, event)
        case Passed():
            return _passed(scene, event)
        case Noted():
            note = scene.words.noted.format(seat=clean_line(event.seat), note=event.note)
            return (*_gap(scene, event.ask), aside(f"({clean_line(note)})"))
        case Counted():
            return counted(scene, event)
        case Closed():
            return _closed(scene, event)
        case _:
            assert_never(event)


def _dealt(scene: Scene) -> Shown:
    begun = sum(isinstance(event, Began) for event in scene.state.history)
    lines = dealt(scene) if begun == 1 else ()
    return (GAP, *lines) if lines else ()


def _title(scene: Scene, event: Began) -> str:
    words, state = scene.words, scene.state
    options, stage = state.opening.options, state.plan[state.stage]
    title = words.phases[event.phase]
    if event.candidates:
        return words.again.format(phase=title, names=scene.names(event.candidates))
    if event.phase == "discussion" and options.rounds > 1:
        title = words.round_of.format(phase=title, n=event.round, all=options.rounds)
    steps = [s for s in state.plan if (s.phase, s.round) == (stage.phase, stage.round)]
    remarks = [words.parts[event.verbs[0]]] if len(steps) > 1 else []
    if event.phase == "reasoning" and options.reasoning == "secret":
        remarks.append(words.unheard)
    elif stage.wave and event.phase != "voting":
        remarks.append(words.together)
    return f"{title} ({words.join(tuple(remarks))})" if remarks else title


def _spoke(scene: Scene, event: Spoke) -> Shown:
    speech = scene.speech(event.seat, _said(scene, event), to=event.to)
    return (*_gap(scene, event.ask), speech)


def _said(scene: Scene, event: Spoke | Asked) -> str:
    if not event.cut:
        return event.text
    return f"{event.text} {scene.words.cut.format(n=scene.state.opening.options.max_chars)}"


def _concluded(scene: Scene, event: Concluded) -> Shown:
    heads, colon = scene.words.heads, scene.words.colon
    name = Text.assemble(scene.name(event.seat), colon.rstrip())
    rows = ((heads["method"], event.method), (heads["motive"], event.motive))
    return (
        *_gap(scene, event.ask),
        Block(head=name),
        *(scene.block(Text(f"{head}{colon}"), text, margin=2) for head, text in rows),
    )


def _rejected(scene: Scene, event: Rejected) -> Shown:
    words = scene.words
    refused = sum(other.ask == event.ask for other in scene.state.rejected)
    line = words.refused.format(
        seat=clean_line(event.seat),
        fault=words.faults[event.fault].format(came=clean_line(event.came)),
        n=refused + 1,
        all=scene.state.opening.options.tries,
    )
    return (*_gap(scene, event.ask), aside(f"({clean_line(line)})"))


def _passed(scene: Scene, event: Passed) -> Shown:
    words = scene.words
    said = words.fallbacks[event.verb]
    if event.fault:
        said = f"{said}; {clean_line(event.reason)}"
    if event.verb == "vote" and scene.state.opening.options.vote == "secret":
        return ()
    if event.verb == "answer":
        asker = _owed(scene).get(event.ask)
        return (scene.speech(event.seat, f"({said})", to=asker, style=GREY),)
    return (*_gap(scene, event.ask), aside(f"({clean_line(event.seat)}{words.colon}{said})"))


def _owed(scene: Scene) -> dict[str, SeatId]:
    """Return who put the question that each ask of the match wants answered."""
    return {answer_id(e): e.seat for e in scene.state.history if isinstance(e, Asked)}


def _closed(scene: Scene, event: Closed) -> Shown:
    words = scene.words
    sentence = words.outcomes[event.outcome].format(
        seat=clean_line(event.forfeit_seat or ""), cause=clean_line(event.cause)
    )
    end = (GAP, heading(words.heads["end"]), Block(head=Text(sentence, style="bold")))
    if event.outcome == "error":
        return end
    murderers = fact(words.heads["guilty"], scene.names(event.murderers), paint=scene.colors)
    return (*end, murderers, *_truth(scene))


def _truth(scene: Scene) -> Shown:
    heads, colon = scene.words.heads, scene.words.colon
    truth = scene.state.script.truth
    if truth.text:
        return (GAP, scene.whole(Text(f"{heads['truth']}{colon}"), truth.text))
    parts = (("method", truth.method), ("motive", truth.motive))
    rows = tuple(
        scene.block(Text(f"{heads[name]}{colon}"), text, margin=2) for name, text in parts if text
    )
    return (GAP, Block(head=Text(f"{heads['truth']}{colon.rstrip()}")), *rows) if rows else ()


def _gap(scene: Scene, ask: str) -> Shown:
    """Return an empty line where a seat's turn begins, unless a phase has just begun."""
    before = scene.state.history[-2] if len(scene.state.history) > 1 else None
    inside = isinstance(before, _ANSWERS) and before.ask == ask
    began = scene.state.began
    packed = began is not None and began.phase == "voting"
    if isinstance(before, Began) or inside or packed or ask in _owed(scene):
        return ()
    return (GAP,)
