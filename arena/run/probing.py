"""Silent probes: asked after the match on frozen views, so that nothing depends on them.

They stand off the path of play (PROTOCOLS 1.5, 1.12): a `ballot` of every civilian seat after each
public speech, and every question of the quiz on the view at the deal or at the end.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Literal

from arena.core.actions import Ask, Choose, SeatId
from arena.core.asking import others
from arena.core.events import Asked, Began, Concluded, Spoke
from arena.core.judging import judge
from arena.core.state import MatchState, replay
from arena.errors import ArenaError
from arena.run.match import NoAnswer, Pace, Seat, ask_seat
from arena.store.probes import ProbeAnswer
from scripts_mm.script import AnswerMode, Question

Quiz = Literal["none", "before", "after", "both"]
_LETTERS = "ABCDEFGH"
_AT_ONCE = 8
_PATIENCE = 10
"""Deadlines that a probe may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One question to one seat about one moment."""

    kind: Literal["ballot", "quiz_before", "quiz_after"]
    seat: SeatId
    event: int
    ask: Ask
    question: str = ""
    shown: tuple[int, ...] = ()
    """Of a quiz: the options' indexes in the script, in the order shown."""


def ballots(state: MatchState) -> tuple[Probe, ...]:
    """Return a ballot for every civilian seat after each public speech."""
    heard = {
        event.ask: number
        for number, event in enumerate(state.history, start=1)
        if isinstance(event, Spoke | Asked | Concluded)
    }
    return tuple(
        Probe(
            kind="ballot",
            seat=seat,
            event=number,
            ask=_ask(state, f"ballot/{number}/{seat}", seat, "ballot", others(state, seat)),
        )
        for number in heard.values()
        for seat in _civilians(state)
    )


def quiz(state: MatchState, when: Literal["before", "after"]) -> tuple[Probe, ...]:
    """Return every question of every civilian seat, its options shuffled with the match's seed."""
    event = _deal_end(state) if when == "before" else len(state.history)
    return tuple(
        _question(state, question, seat, when, event)
        for seat in _civilians(state)
        for question in state.script.questions
        if question.keys and question.role in {None, seat}
    )


async def answered(
    state: MatchState, seats: Mapping[SeatId, Seat], probes: Sequence[Probe], pace: Pace
) -> tuple[ProbeAnswer, ...]:
    """Put the probes, a few at a time; a seat that gives no legal answer leaves a missing value.

    Raises `ModelError` where a server is gone, so that the probes can be put again later.
    """
    answers: list[ProbeAnswer] = []
    # They are served when nothing else waits, so a slow answer says nothing of the seat.
    pace = replace(pace, deadline=_PATIENCE * pace.deadline)
    for start in range(0, len(probes), _AT_ONCE):
        await pace.turn()
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_answer(state, seats[probe.seat], probe, pace))
                for probe in probes[start : start + _AT_ONCE]
            ]
        for came in (task.result() for task in tasks):
            if isinstance(came, ArenaError):
                raise came
            answers.append(came)
    return tuple(answers)


async def _answer(
    state: MatchState, seat: Seat, probe: Probe, pace: Pace
) -> ProbeAnswer | ArenaError:
    frozen, ask = replay(state.script, state.history[: probe.event]), probe.ask
    option: str | None = None
    notes: tuple[str, ...] = ()
    for tries in range(ask.tries, 0, -1):
        came = await ask_seat(seat, replace(ask, tries=tries), frozen, pace)
        if isinstance(came, ArenaError):
            return came
        if isinstance(came, NoAnswer):
            break
        notes = (*notes, *came.notes)
        judged = judge(ask, came.action)
        if judged.fault is None:
            option = came.action.option if isinstance(came.action, Choose) else None
            break
        ask = replace(ask, fault=judged.fault, came=judged.came)
    if probe.shown and option is not None:
        given = sorted(probe.shown[_LETTERS.index(letter)] for letter in option)
        option = ",".join(map(str, given))
    return ProbeAnswer(
        kind=probe.kind,
        seat=probe.seat,
        event=probe.event,
        question=probe.question,
        options=tuple(map(str, probe.shown)) or probe.ask.options,
        answer=option,
        notes=notes,
    )


def _question(
    state: MatchState,
    question: Question,
    seat: SeatId,
    when: Literal["before", "after"],
    event: int,
) -> Probe:
    """Shuffle as METRICS 8.5 wants: by a generator of match seed and question, stored."""
    order = list(range(len(question.options)))
    if not question.pinned:
        Random(f"{state.opening.seed}/quiz/{question.id}").shuffle(order)
    letters = _LETTERS[: len(order)]
    shown = "\n".join(
        f"{letter}. {question.options[index]}" for letter, index in zip(letters, order, strict=True)
    )
    text = f"{question.stem}\n{shown}"
    return Probe(
        kind="quiz_before" if when == "before" else "quiz_after",
        seat=seat,
        event=event,
        ask=_ask(
            state,
            f"quiz-{when}/{question.id}/{seat}",
            seat,
            "quiz",
            _choices(letters, question.answer),
            text,
        ),
        question=question.id,
        shown=tuple(order),
    )


def _choices(letters: str, answer: AnswerMode) -> tuple[str, ...]:
    """Return what may be answered: one letter, or several together in their order."""
    most = {"one": 1, "two": 2, "set": len(letters)}[answer]
    sizes = range(1, most + 1)
    return tuple("".join(some) for size in sizes for some in combinations(letters, size))


def _ask(
    state: MatchState,
    ask_id: str,
    seat: SeatId,
    verb: Literal["ballot", "quiz"],
    options: tuple[str, ...],
    question: str = "",
) -> Ask:
    return Ask(
        id=f"probe/{ask_id}",
        seat=seat,
        verb=verb,
        phase="probe",
        options=options,
        question=question,
        tries=state.opening.options.tries,
    )


def _civilians(state: MatchState) -> tuple[SeatId, ...]:
    opened = state.opening
    return tuple(seat for seat in opened.seats if seat not in opened.murderers)


def _deal_end(state: MatchState) -> int:
    return next(n for n, event in enumerate(state.history) if isinstance(event, Began))
