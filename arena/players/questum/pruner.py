"""Pruner: after a round of questions, it reads all suspects again and shortens the list.

It runs when the list is needed: at the start of the seat's first turn about the victim in a later
round. So the list that a vote shows is that of the last turn, and no list changes after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.core.option_labels import list_options
from arena.core.seats import SeatId
from arena.core.specs import Field, Form, FreeText
from arena.players.methods.inquiry import own_questions
from arena.players.methods.method_steps import MethodStep
from arena.players.questum.options import QuestumPlayerOptions
from arena.players.questum.score import information_gain
from arena.players.questum.sensors import ALL, Sensor, SensorReadings, VictimView
from arena.players.questum.turn_ledger import VictimKnowledge
from arena.players.replies.option_matching import find_options

_LIST: Final = "suspicion"


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningResult:
    """The list of suspects after a round, and its information gain."""

    suspects: tuple[SeatId, ...]
    credited: tuple[SeatId, ...] = ()
    gain: float = 0.0


async def prune(
    case: VictimView,
    options: QuestumPlayerOptions,
    known: VictimKnowledge,
    others: tuple[SeatId, ...],
    number: int,
) -> PruningResult:
    """Return the list for round `number`: read all suspects, then choose among them."""
    readings = await _read_all(case, options, known)
    chosen = await _choose(case, readings, others)
    allowed = others if options.regrow else known.suspects
    left = tuple(seat for seat in allowed if seat in chosen) or known.suspects
    gain = information_gain(len(known.suspects), len(left))
    asked = {one.to for one in own_questions(case.turn.observation, case.about, known.events)}
    credited = known.suspects
    if options.credit == "asked":
        credited = tuple(seat for seat in others if seat in asked)
    for seat in known.suspects:
        case.note_readings(number - 1, seat, readings[seat], "list")
    names = list_options(credited, case.turn.language)
    case.note("gain", number - 1, gain=f"{gain:.6f}", credited=names)
    return PruningResult(suspects=left, credited=credited, gain=gain)


async def _read_all(
    case: VictimView, options: QuestumPlayerOptions, known: VictimKnowledge
) -> dict[SeatId, SensorReadings]:
    """Return all four readings of every suspect; under `reuse` some are of the turn before."""
    kept: Mapping[SeatId, SensorReadings] = known.readings if options.reuse else {}
    missing: dict[SeatId, list[Sensor]] = {
        seat: [sensor for sensor in ALL if sensor not in kept.get(seat, {})]
        for seat in known.suspects
    }
    if options.joint:
        found: Mapping[SeatId, SensorReadings] = await case.read_jointly(missing, "list")
    else:
        wanted: list[tuple[Sensor, SeatId]] = [
            (sensor, seat) for seat, sensors in missing.items() for sensor in sensors
        ]
        found = await case.read(wanted, "list")
    return {seat: {**kept.get(seat, {}), **found.get(seat, {})} for seat in known.suspects}


async def _choose(
    case: VictimView, readings: Mapping[SeatId, SensorReadings], others: tuple[SeatId, ...]
) -> tuple[str, ...]:
    """Return the names that stay on the list; empty: no names could be parsed."""
    language = case.turn.language
    instruction = case.words(
        "list.choose",
        suspects=list_options(readings, language),
        lines="\n".join(case.summary(seat, found) for seat, found in readings.items()),
    )
    step = MethodStep(
        name="list/choose",
        instruction=instruction,
        spec=Form(fields=(Field(name=_LIST, spec=FreeText()),)),
        query=f"{list_options(readings, language)} {case.victim}",
    )
    reply = await case.turn.ask(step)
    return () if reply is None else find_options(reply[_LIST], others, language)
