"""Blocks of events on a screen, with the empty lines between them. Pure."""

from rich.text import Text

from arena.cli.rendering.item_blocks import Rendered, render_item
from arena.cli.rendering.render_context import RenderContext
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Announced,
    ClueRevealed,
    Event,
    MatchEnded,
    MatchStarted,
    PhaseStarted,
    PromptAdjusted,
    QuestionAsked,
    Rated,
    RequestsOpened,
    Said,
    TurnNoted,
    TurnSkipped,
    VoteCast,
    VotesTallied,
)
from arena.view.describe import describe, is_first_of_kind

_GAP = Text("")
"""An empty line."""
_NOTES = (ActionRejected, PromptAdjusted, TurnSkipped)
"""Lines for the operator of a match, without empty lines between them."""
_PACKED = (MatchStarted, QuestionAsked, VoteCast, VotesTallied)
"""Events without an empty line before them."""


def render_event(context: RenderContext, event: Event) -> Rendered:
    """Return the rendering of `event` for the observer; the context holds the state after it."""
    item = describe(context.match, event)
    if item is None:
        return ()
    if isinstance(event, PhaseStarted | MatchEnded):
        return (_GAP, *render_item(context, item))
    gap = () if isinstance(event, _PACKED) else _gap(context, event)
    return (*gap, *render_item(context, item))


def _gap(context: RenderContext, event: Event) -> Rendered:
    """Return an empty line where something new begins: a turn, or a clue amid a discussion."""
    before = _last_shown(context)
    match event, before:
        case _, None:
            # A seat's first briefing ends without an empty line.
            return (_GAP,) if context.view.seat is not None else ()
        case _, PhaseStarted() | VoteCast():
            return ()
        case (ClueRevealed(), ClueRevealed()) | (Announced(), Announced()):
            return ()
        case Said(to=to), _ if to is not None:
            return ()
        case _, QuestionAsked(to=asked) if getattr(event, "seat", None) == asked:
            return ()
        case _:
            pass
    packed = isinstance(event, _NOTES) and isinstance(before, _NOTES)
    request = getattr(event, "request", "")
    is_same_turn = bool(request) and getattr(before, "request", "") == request
    return () if packed or is_same_turn else (_GAP,)


def _last_shown(context: RenderContext) -> Event | None:
    """Return the last event before this one that the screen showed something of."""
    history = context.match.state.history
    for number in range(len(history) - 2, -1, -1):
        event = history[number]
        is_old = isinstance(event, PromptAdjusted) and not is_first_of_kind(event, history[:number])
        if not is_old and _is_shown(context, event):
            return event
    return None


def _is_shown(context: RenderContext, event: Event) -> bool:
    always = (MatchStarted, ActionRejected, PromptAdjusted, ClueRevealed)
    never = (RequestsOpened, ActionAccepted, TurnNoted, Rated)
    if context.view.seat is not None:
        return context.match.sees(event) and not isinstance(event, never)
    return isinstance(event, always) or (context.match.sees(event) and not isinstance(event, never))
