"""Which questions are open in a state."""

from dataclasses import replace

from arena.core.actions import ABSTAIN, Ask, SeatId, Verb
from arena.core.events import Asked
from arena.core.state import MatchState, Slot, answer_id


def asks(state: MatchState) -> tuple[Ask, ...]:
    """Return the questions that are open now; none of them may see another's answer."""
    if state.closed or state.began is None:
        return ()
    stage = state.plan[state.stage]
    if state.owed and (stage.who == "asked" or state.opening.options.answers == "immediate"):
        owed = state.owed if stage.wave else state.owed[:1]
        return tuple(_answer(state, asked) for asked in owed)
    waiting = state.waiting if stage.wave else state.waiting[:1]
    return tuple(_slot(state, slot) for slot in waiting)


def others(state: MatchState, seat: SeatId) -> tuple[SeatId, ...]:
    """Return every seat but `seat`, in the order of the script."""
    return tuple(other for other in state.opening.seats if other != seat)


def candidates(state: MatchState, seat: SeatId) -> tuple[str, ...]:
    """Return whom `seat` may vote for, and last the option to abstain."""
    began = state.began
    named = (began.candidates if began else ()) or state.opening.seats
    own = state.opening.options.self_vote
    return (*(other for other in named if own or other != seat), ABSTAIN)


def _slot(state: MatchState, slot: Slot) -> Ask:
    assert state.began is not None
    options: tuple[str, ...] = ()
    if slot.verb in {"share_and_ask", "ask"}:
        options = others(state, slot.seat)
    elif slot.verb == "vote":
        options = candidates(state, slot.seat)
    began = state.began
    return _tried(
        state,
        Ask(
            id=f"{began.phase}-{began.round}/{slot.verb}/{slot.seat}",
            seat=slot.seat,
            verb=slot.verb,
            phase=began.phase,
            round=began.round,
            options=options,
            reason=slot.verb == "vote" and state.opening.options.vote_with_reason,
        ),
    )


def _answer(state: MatchState, asked: Asked) -> Ask:
    assert state.began is not None
    verb: Verb = "answer"
    return _tried(
        state,
        Ask(
            id=answer_id(asked),
            seat=asked.to,
            verb=verb,
            phase=state.began.phase,
            round=state.began.round,
            asker=asked.seat,
            question=asked.text,
        ),
    )


def _tried(state: MatchState, ask: Ask) -> Ask:
    faults = [event for event in state.rejected if event.ask == ask.id]
    options = state.opening.options
    return replace(
        ask,
        tries=options.tries - len(faults),
        fault=faults[-1].fault if faults else None,
        came=faults[-1].came if faults else "",
        max_chars=options.max_chars,
    )
