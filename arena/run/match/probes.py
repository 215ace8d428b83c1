"""Silent probes: questions after the match about earlier observations, without effect on play.

A ballot asks every civilian seat for its suspect after each public speech. A quiz asks every
question of the script at the deal or at the end, or queries one seat at any moment.
"""

import asyncio
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from arena.core.actions import Reply
from arena.core.chance import generator, option_order
from arena.core.events import MatchEnded, PhaseStarted, QuestionAsked, Said, SeatEliminated
from arena.core.requests import PROBE_PHASE, DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import CHOICE, Choice
from arena.core.state import MatchState, replay
from arena.errors import ArenaError
from arena.records.probe_answers import ProbeAnswer, ProbeKind
from arena.run.match.decisions import OFF_PATH_AT_ONCE, SeatBinding, TurnControl, decide
from scripts_mm.script import AnswerMode, Question, QuestionKind

_LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One question to one seat about one moment."""

    kind: ProbeKind
    event: int
    """The seat knows the first `event` events of the match."""
    request: DecisionRequest
    question: str = ""
    """Id of a quiz question."""
    shown: tuple[int, ...] = ()
    """For a quiz: the options' indexes in the script, in displayed order."""


def ballot_probes(state: MatchState) -> tuple[Probe, ...]:
    """Return a ballot of every civilian seat after each public speech."""
    heard = {
        event.request: number
        for number, event in enumerate(state.history, start=1)
        if isinstance(event, Said | QuestionAsked) and event.audience == "all"
    }
    return tuple(
        Probe(
            kind="ballot",
            event=number,
            request=_request(
                state,
                f"ballot/{number}/{seat}",
                seat,
                "ballot",
                _suspects(state, seat, number),
            ),
        )
        for number in heard.values()
        for seat in _living(state, number)
    )


def quiz_probes(state: MatchState, when: Literal["before", "after"]) -> tuple[Probe, ...]:
    """Return every question for every civilian seat, its options shuffled with the match's seed."""
    event = _first(state, PhaseStarted) if when == "before" else _first(state, MatchEnded)
    kind: ProbeKind = "quiz_before" if when == "before" else "quiz_after"
    return tuple(
        _quiz_probe(state, question, seat, kind, event)
        for seat in state.started.members("civilians")
        for question in _questions(state, seat)
    )


def moment_probes(
    state: MatchState, seat: SeatId, kinds: Container[QuestionKind]
) -> tuple[Probe, ...]:
    """Return the questions of these kinds for one seat, which knows the events up to `state`."""
    return tuple(
        _quiz_probe(state, question, seat, "quiz_at", len(state.history))
        for question in _questions(state, seat)
        if question.kind in kinds
    )


async def run_probes(
    state: MatchState,
    seats: Mapping[SeatId, SeatBinding],
    probes: Sequence[Probe],
    control: TurnControl,
) -> tuple[ProbeAnswer, ...]:
    """Run the probes, a few at a time; if a seat gives no legal answer, its value is missing.

    Raises `ModelError` if a server is down, so that the probes can run later.
    """
    answers: list[ProbeAnswer] = []
    control = control.relax()
    for start in range(0, len(probes), OFF_PATH_AT_ONCE):
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_run_probe(state, seats[probe.request.seat], probe, control))
                for probe in probes[start : start + OFF_PATH_AT_ONCE]
            ]
        for result in (task.result() for task in tasks):
            if isinstance(result, ArenaError):
                raise result
            answers.append(result)
    return tuple(answers)


async def _run_probe(
    state: MatchState, seat: SeatBinding, probe: Probe, control: TurnControl
) -> ProbeAnswer | ArenaError:
    # Without open requests in the earlier state, `observe` does not hide events as simultaneous.
    earlier = replace(replay(state.script, state.history[: probe.event]), open=())
    decision = await decide(seat, probe.request, earlier, control)
    if decision.error is not None:
        return decision.error
    results = [attempt.result for attempt in decision.attempts]
    last = results[-1] if results else None
    chosen = last[CHOICE] if isinstance(last, Reply) else None
    is_quiz = probe.kind != "ballot"
    return ProbeAnswer(
        kind=probe.kind,
        seat=probe.request.seat,
        event=probe.event,
        question=probe.question,
        candidate=None if is_quiz else chosen,
        options=None if chosen is None or not is_quiz else _indexes(probe, chosen),
        shown=probe.shown,
        reports=tuple(one for a in decision.attempts for one in a.reports),
    )


def _indexes(probe: Probe, letters: str) -> tuple[int, ...]:
    return tuple(sorted(probe.shown[_LETTERS.index(letter)] for letter in letters))


def _quiz_probe(
    state: MatchState,
    question: Question,
    seat: SeatId,
    kind: ProbeKind,
    event: int,
) -> Probe:
    """Shuffle the options by match seed and question, so every seat sees the same order."""
    order = list(range(len(question.options)))
    if not question.pinned:
        generator(state.started.seed, "quiz", state.script.id, question.id).shuffle(order)
    letters = _LETTERS[: len(order)]
    shown = "\n".join(
        f"{letter}. {question.options[index]}" for letter, index in zip(letters, order, strict=True)
    )
    moment = f"-{event}" if kind == "quiz_at" else ""
    return Probe(
        kind=kind,
        event=event,
        request=_request(
            state,
            f"{kind.replace('_', '-')}{moment}/{question.id}/{seat}",
            seat,
            kind,
            _letter_choices(letters, question.answer),
            f"{question.stem}\n{shown}",
        ),
        question=question.id,
        shown=tuple(order),
    )


def _questions(state: MatchState, seat: SeatId) -> tuple[Question, ...]:
    """Return the questions with a key that are addressed to this seat or to every seat."""
    questions = state.script.questions
    return tuple(one for one in questions if one.keys and one.role in {None, seat})


def _letter_choices(letters: str, answer: AnswerMode) -> tuple[str, ...]:
    """Return the legal answers: one letter, or a combination of letters in their order."""
    most = {"one": 1, "two": 2, "set": len(letters)}[answer]
    return tuple(
        "".join(some) for size in range(1, most + 1) for some in combinations(letters, size)
    )


def _request(
    state: MatchState,
    name: str,
    seat: SeatId,
    kind: ProbeKind,
    options: tuple[str, ...],
    question: str = "",
) -> DecisionRequest:
    return DecisionRequest(
        id=f"probe/{name}",
        seat=seat,
        kind=kind,
        phase=PROBE_PHASE,
        spec=Choice(options=options),
        context=(("question", question),) if question else (),
        attempts_left=state.started.options.attempts,
        max_chars=state.started.options.max_chars,
        off_path=True,
    )


def _living(state: MatchState, number: int) -> tuple[SeatId, ...]:
    """Return the civilian seats still in the game after the first `number` events."""
    past = state.history[:number]
    out = {event.seat for event in past if isinstance(event, SeatEliminated)}
    return tuple(seat for seat in state.started.members("civilians") if seat not in out)


def _suspects(state: MatchState, seat: SeatId, number: int) -> tuple[str, ...]:
    """Return the suspects that a ballot offers, in an order specific to the seat, as in votes."""
    started = state.started
    others = tuple(other for other in started.seats if other != seat)
    name = f"ballot/{number}/{seat}"
    return option_order(others, started.options, started.seed, name, is_vote=True)


def _first(state: MatchState, kind: type[PhaseStarted] | type[MatchEnded]) -> int:
    return next(number for number, event in enumerate(state.history) if isinstance(event, kind))
