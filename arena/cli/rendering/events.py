"""Events as a screen shows them. Pure: a context and an event in, renderables out."""

from typing import assert_never

from rich.console import RenderableType
from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.rendering.clues import render_clue
from arena.cli.rendering.context import RenderContext
from arena.cli.rendering.ending import render_end
from arena.cli.rendering.header import render_header
from arena.cli.rendering.layout import Block, heading, note
from arena.cli.rendering.votes import render_tally, render_vote
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
    SeatEliminated,
    StageStarted,
    TurnNoted,
    TurnSkipped,
    VoteCast,
    VotesTallied,
)

Rendered = tuple[RenderableType, ...]
"""Lines of one event, from top to bottom; empty: nothing."""

_GAP = Text("")
"""An empty line."""
_NOTES = (ActionRejected, PromptAdjusted, TurnSkipped)
"""Lines for the operator of a match, packed together."""


def render_event(context: RenderContext, event: Event) -> Rendered:
    """Return what `event` shows; the context holds the state after it.

    The observer sees what it may know. Lines for the operator, such as for a refused answer, are
    shown to every onlooker, but without private content and, in secret turns, without the seat. A
    seat is shown no such lines.
    """
    is_hidden = context.view.seat is not None and not context.sees(event)
    return () if is_hidden else _render_any(context, event)


def _render_any(context: RenderContext, event: Event) -> Rendered:
    match event:
        case MatchStarted():
            return render_header(context)
        case ActionRejected():
            return (*_gap(context, event), note(f"({_refused_line(context, event)})"))
        case PromptAdjusted():
            return (*_gap(context, event), note(f"({_adjusted_line(context, event)})"))
        case ClueRevealed():
            rows = render_clue(context, event)
            return (*_gap(context, event), *rows) if rows else ()
        case RequestsOpened() | ActionAccepted() | TurnNoted() | Rated():
            return ()
        case _:
            return _render_visible(context, event) if context.sees(event) else ()


def _render_visible(  # noqa: C901, PLR0911 - one case an event
    context: RenderContext,
    event: PhaseStarted
    | StageStarted
    | TurnSkipped
    | Said
    | QuestionAsked
    | VoteCast
    | VotesTallied
    | SeatEliminated
    | Announced
    | MatchEnded,
) -> Rendered:
    match event:
        case PhaseStarted():
            return (_GAP, heading(context.texts().title(event)))
        case TurnSkipped():
            return (*_gap(context, event), note(f"({_skipped_line(context, event)})"))
        case Said():
            return (*_gap(context, event), *_render_speech(context, event))
        case QuestionAsked():
            head = _speaker(context, event, to=event.to)
            return (context.block(head, _full_text(context, event, event.text)),)
        case VoteCast():
            return render_vote(context, event)
        case VotesTallied():
            return render_tally(context, event)
        case SeatEliminated() | Announced() | StageStarted():
            return _render_host_line(context, event)
        case MatchEnded():
            return render_end(context, event)
        case _:
            assert_never(event)


def _render_speech(context: RenderContext, event: Said) -> Rendered:
    """Return a text behind its speaker, or several, each behind its name in the game's words."""
    head = _speaker(context, event, to=event.to)
    if len(event.parts) == 1:
        [(_, text)] = event.parts
        return (context.block(head, _full_text(context, event, text)),)
    texts, colon = context.texts(), context.messages.colon
    head.rstrip()
    rows = (
        context.block(Text(f"{sanitize_line(texts.part_name(name))}{colon}"), text, margin=2)
        for name, text in event.parts
        if text
    )
    return (Block(head=head), *rows, *_truncated_note(context, event))


def _speaker(context: RenderContext, event: Said | QuestionAsked, *, to: str | None) -> Text:
    messages = context.messages
    addressee = (" -> ", context.name(to)) if to is not None else ()
    remark = "" if event.audience == "all" else f" ({messages.private})"
    if isinstance(event, QuestionAsked) and event.about:
        remark += f" ({sanitize_line(event.about)})"
    return Text.assemble(context.name(event.seat), *addressee, remark, messages.colon)


def _full_text(context: RenderContext, event: Said | QuestionAsked, text: str) -> str:
    return f"{text} {_truncated(context)}" if event.truncated else text


def _truncated_note(context: RenderContext, event: Said) -> Rendered:
    return (note(_truncated(context)),) if event.truncated else ()


def _truncated(context: RenderContext) -> str:
    return context.messages.truncated.format(n=context.state.started.options.max_chars)


def _render_host_line(
    context: RenderContext, event: SeatEliminated | Announced | StageStarted
) -> Rendered:
    line = context.texts().line(event)
    if not line and isinstance(event, SeatEliminated):
        line = context.messages.eliminated.format(seat=event.seat)
    if isinstance(event, StageStarted):
        line = context.messages.stage.format(n=event.stage)
    remark = "" if event.audience == "all" else f"({context.audience(event)}) "
    block = Block(head=Text(), body=f"{remark}{line}", indent=0)
    return (*_gap(context, event), block) if line else ()


def _refused_line(context: RenderContext, event: ActionRejected) -> str:
    messages, error = context.messages, event.error
    reason = messages.errors[error.code]
    if context.view.truth and error.text:
        field = context.texts().part_name(error.field)
        reason = messages.refused_text.format(error=reason, field=field, text=error.text)
    line = messages.refused.format(seat=context.asked_seat(event.seat), error=reason)
    attempts = context.state.started.options.attempts
    refused = sum(
        isinstance(past, ActionRejected) and past.request == event.request
        for past in context.state.history
    )
    if refused < attempts:
        line = messages.asked_again.format(refused=line, n=refused + 1, all=attempts)
    return sanitize_line(line)


def _adjusted_line(context: RenderContext, event: PromptAdjusted) -> str:
    messages = context.messages
    adjustment = messages.adjustments[event.adjustment].format(
        pictures=messages.count(len(event.pictures), "picture"),
        lines=event.lines,
        total=event.total_lines,
        before=f"{event.tokens_before:,}",
        after=f"{event.tokens_after:,}",
    )
    seat = context.asked_seat(event.seat)
    return sanitize_line(messages.adjusted.format(seat=seat, adjustment=adjustment))


def _skipped_line(context: RenderContext, event: TurnSkipped) -> str:
    messages = context.messages
    act, cause = context.texts().action_name(event.act), messages.skips[event.cause]
    mark = f"{messages.private}{messages.semicolon}" if context.is_private(event) else ""
    return sanitize_line(mark + messages.skipped.format(seat=event.seat, act=act, cause=cause))


def _gap(context: RenderContext, event: Event) -> Rendered:
    """Return an empty line where something new begins: a turn, a clue amid a discussion."""
    before = _last_shown(context)
    match event, before:
        case _, None:
            # What a seat reads first ends without an empty line.
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
    """Return the event before the last one that the screen showed something of."""
    past = (event for event in reversed(context.state.history[:-1]))
    return next((event for event in past if _is_shown(context, event)), None)


def _is_shown(context: RenderContext, event: Event) -> bool:
    always = (MatchStarted, ActionRejected, PromptAdjusted, ClueRevealed)
    never = (RequestsOpened, ActionAccepted, TurnNoted, Rated)
    if context.view.seat is not None:
        return context.sees(event) and not isinstance(event, never)
    return isinstance(event, always) or (context.sees(event) and not isinstance(event, never))
