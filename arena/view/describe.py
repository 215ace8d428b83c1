"""Description of events for an observer: each event becomes an item. Pure."""

from collections.abc import Sequence
from typing import assert_never

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
from arena.core.option_labels import option_label
from arena.core.specs import ABSTAIN
from arena.view.ending import describe_end
from arena.view.heading import describe_head
from arena.view.items import (
    ClueItem,
    HostItem,
    Item,
    NoteItem,
    PhaseItem,
    SpeechItem,
    TallyItem,
    VoteItem,
)
from arena.view.match_view import MatchView
from arena.view.sanitize import sanitize_line
from scripts_mm.script import Picture


def describe(  # noqa: PLR0911 - one case per event
    view: MatchView, event: Event
) -> Item | None:
    """Return the item of `event`; the view holds the state after it. None: nothing is shown.

    The observer sees what it is allowed to know. Lines for the operator, such as for a refused
    answer, are shown to every spectator, but without private content and, in secret turns, without
    the seat. A seat does not see such lines.
    """
    if view.seat is not None and not view.sees(event):
        return None
    match event:
        case MatchStarted():
            return describe_head(view)
        case ActionRejected():
            return NoteItem(text=_rejection_line(view, event))
        case PromptAdjusted():
            is_new = is_first_of_kind(event, view.state.history[:-1])
            return NoteItem(text=_adjustment_line(view, event)) if is_new else None
        case ClueRevealed():
            return _describe_clue(view, event)
        case RequestsOpened() | ActionAccepted() | TurnNoted() | Rated():
            return None
        case _:
            return _describe_visible(view, event) if view.sees(event) else None


def _describe_visible(  # noqa: PLR0911 - one case per event
    view: MatchView,
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
) -> Item | None:
    match event:
        case PhaseStarted():
            return PhaseItem(title=view.texts().title(event))
        case TurnSkipped():
            return NoteItem(text=_skip_line(view, event))
        case Said() | QuestionAsked():
            return _describe_speech(view, event)
        case VoteCast():
            remarks = (event.about, view.messages.private if view.is_private(event) else "")
            about = view.messages.join(tuple(filter(None, remarks)))
            return _make_vote(view, event.seat, event.choice, about)
        case VotesTallied():
            return _describe_tally(view, event)
        case SeatEliminated() | Announced() | StageStarted():
            return _describe_host_line(view, event)
        case MatchEnded():
            return describe_end(view, event)
        case _:
            assert_never(event)


def _describe_speech(view: MatchView, event: Said | QuestionAsked) -> SpeechItem:
    messages = view.messages
    remark = "" if event.audience == "all" else messages.private
    if isinstance(event, QuestionAsked):
        parts = (("", event.text),)
        remark = messages.join(tuple(filter(None, (remark, sanitize_line(event.about)))))
    elif len(event.parts) == 1:
        parts = (("", event.parts[0][1]),)
    else:
        texts = view.texts()
        parts = tuple((texts.part_name(name), text) for name, text in event.parts if text)
    cut = messages.truncated.format(n=view.state.started.options.max_chars)
    return SpeechItem(
        kind="question" if isinstance(event, QuestionAsked) else "speech",
        seat=event.seat,
        to=event.to or "",
        remark=remark,
        parts=parts,
        cut=cut if event.truncated else "",
    )


def _describe_host_line(
    view: MatchView, event: SeatEliminated | Announced | StageStarted
) -> HostItem | None:
    line = view.texts().line(event)
    if not line and isinstance(event, SeatEliminated):
        line = view.messages.eliminated.format(seat=event.seat)
    if isinstance(event, StageStarted):
        line = view.messages.stage.format(n=event.stage)
    remark = "" if event.audience == "all" else view.audience(event)
    return HostItem(remark=remark, text=line) if line else None


def _describe_clue(view: MatchView, event: ClueRevealed) -> ClueItem | NoteItem | None:
    """Return a clue: its title, audience, text and pictures.

    For clues that the observer may not see, one line says that there are such clues. Their number
    and owners could reveal a secret.
    """
    if not view.sees(event):
        before = view.state.history[-2]
        if isinstance(before, ClueRevealed) and not view.sees(before):
            return None
        return NoteItem(text=view.messages.hidden_clues, hides=True)
    observation = view.observe()
    key = next(one.clue for one in reversed(observation.events) if isinstance(one, ClueRevealed))
    clue = next((one for one in observation.clues if one.key == key), None)
    pictures = () if clue is None else clue.pictures
    return ClueItem(
        title=clue.title if clue else event.clue,
        audience=view.audience(event),
        text=clue.text if clue else "",
        pictures=_truth_pictures(view, event) if view.truth and clue else pictures,
    )


def _truth_pictures(view: MatchView, event: ClueRevealed) -> tuple[Picture, ...]:
    """Return the clue's pictures with their file names and descriptions, which seats never get."""
    clues = (clue for clue in view.state.script.clues if clue.id == event.clue)
    return tuple(picture for clue in clues for picture in clue.pictures)


def _make_vote(view: MatchView, seat: str, choice: str, remark: str = "") -> VoteItem:
    is_seat = choice != ABSTAIN
    label = choice if is_seat else option_label(choice, view.messages.language)
    return VoteItem(seat=seat, choice=label, is_seat=is_seat, remark=remark)


def _describe_tally(view: MatchView, event: VotesTallied) -> TallyItem:
    messages = view.messages
    ballots = () if _has_seen_votes(view, event) else event.ballots
    counts = messages.join(tuple(f"{sanitize_line(name)} {n}" for name, n in event.votes))
    result = _result_text(view, event)
    line = f"{counts}{messages.colon}{result}" if counts else result
    about = f"{sanitize_line(event.about)}{messages.colon}" if event.about else ""
    number = f"{event.ballot}. " if event.ballot > 1 else ""
    return TallyItem(
        ballots=tuple(_make_vote(view, seat, choice) for seat, choice in ballots),
        line=f"{number}{about}{line}",
        about=event.about,
        known=tuple(
            _make_vote(view, seat, choice) for seat, choice in _visible_ballots(view, event)
        ),
        counts=event.votes,
        named=event.named,
    )


def _visible_ballots(view: MatchView, event: VotesTallied) -> tuple[tuple[str, str], ...]:
    """Return who voted for whom: as announced, else as far as the observer saw it."""
    if event.ballots:
        return event.ballots
    return tuple(
        (past.seat, past.choice)
        for past in view.state.history
        if isinstance(past, VoteCast)
        and past.about == event.about
        and event.ballot in {0, past.ballot}
        and view.sees(past)
    )


def _has_seen_votes(view: MatchView, event: VotesTallied) -> bool:
    return any(
        isinstance(past, VoteCast)
        and (past.about, past.ballot) == (event.about, event.ballot)
        and view.sees(past)
        for past in view.state.history
    )


def _result_text(view: MatchView, event: VotesTallied) -> str:
    messages = view.messages
    if not event.named:
        return messages.named_none
    names = view.names(event.named)
    if event.named != event.leaders:
        return messages.drawn.format(tied=view.names(event.leaders), names=names)
    return (messages.named_one if len(event.named) == 1 else messages.named_many).format(
        names=names
    )


def _rejection_line(view: MatchView, event: ActionRejected) -> str:
    messages, error = view.messages, event.error
    reason = messages.errors[error.code]
    if view.truth and error.text:
        field = view.texts().part_name(error.field)
        reason = messages.refused_text.format(error=reason, field=field, text=error.text)
    line = messages.refused.format(seat=view.seat_label(event.seat), error=reason)
    attempts = view.state.started.options.attempts
    refused = sum(
        isinstance(past, ActionRejected) and past.request == event.request
        for past in view.state.history
    )
    if refused < attempts:
        line = messages.asked_again.format(refused=line, n=refused + 1, all=attempts)
    return line


def is_first_of_kind(event: PromptAdjusted, past: Sequence[Event]) -> bool:
    """Tell whether this is the first such adjustment of a prompt: a screen shows it once."""
    return not any(
        isinstance(one, PromptAdjusted) and one.adjustment == event.adjustment for one in past
    )


def _adjustment_line(view: MatchView, event: PromptAdjusted) -> str:
    messages = view.messages
    adjustment = messages.adjustments[event.adjustment].format(
        pictures=messages.count(len(event.pictures), "picture"),
        lines=event.lines,
        total=event.total_lines,
        before=f"{event.tokens_before:,}",
        after=f"{event.tokens_after:,}",
    )
    return messages.adjusted.format(seat=view.seat_label(event.seat), adjustment=adjustment)


def _skip_line(view: MatchView, event: TurnSkipped) -> str:
    messages = view.messages
    act, cause = view.texts().action_name(event.act), messages.skips[event.cause]
    mark = f"{messages.private}{messages.semicolon}" if view.is_private(event) else ""
    return mark + messages.skipped.format(seat=event.seat, act=act, cause=cause)
