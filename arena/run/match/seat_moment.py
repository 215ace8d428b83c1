"""Questions to a seat at a given moment of a recorded match, phrased as in its silent quiz."""

from collections.abc import Container
from dataclasses import dataclass

from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.errors import ConfigError
from arena.models.chat import ChatModel
from arena.models.recording import RecordedCall, RecordingModel
from arena.players.contestants import Contestant
from arena.players.roster import make_player, turn_cost
from arena.records.match_record import MatchRecord
from arena.records.probe_answers import ProbeAnswer
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.probes import moment_probes, run_probes
from arena.run.servers.model_handle import ModelHandle
from scripts_mm.script import QuestionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatMoment:
    """A seat of a recorded match after its first events."""

    state: MatchState
    seat: SeatId


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentAnswer:
    """Answer to one question, and its model calls in order."""

    answer: ProbeAnswer
    calls: tuple[RecordedCall, ...] = ()


def find_moment(record: MatchRecord, seat: str, event: int | None) -> SeatMoment:
    """Return `seat` after the first `event` events, or after all of them.

    Raises `RecordError` for a moment that is not in the record, `ConfigError` for an unknown seat.
    """
    state = record.state_at(len(record.events()) if event is None else event)
    if seat not in state.started.seats:
        there = ", ".join(state.started.seats)
        raise ConfigError(f"match {record.path.name!r} has no seat {seat!r}; there are: {there}")
    return SeatMoment(state=state, seat=SeatId(seat))


async def quiz_moment(
    moment: SeatMoment,
    who: Contestant,
    model: ModelHandle | None,
    kinds: Container[QuestionKind],
    deadline: float,
) -> tuple[MomentAnswer, ...]:
    """Put the script's questions of these kinds to `who`, which takes over the seat.

    It has the seat's observations, whoever played the seat. `model`: that of `who`, if it needs
    one. Raises `ModelError` if its server is down.
    """
    calls: dict[str, list[RecordedCall]] = {}
    binding = _bind(moment, who, model, calls)
    probes = moment_probes(moment.state, moment.seat, kinds)
    answers = await run_probes(
        moment.state, {moment.seat: binding}, probes, TurnControl(deadline=deadline)
    )
    return tuple(
        MomentAnswer(answer=answer, calls=tuple(calls.get(probe.request.id, ())))
        for probe, answer in zip(probes, answers, strict=True)
    )


def _bind(
    moment: SeatMoment,
    who: Contestant,
    model: ModelHandle | None,
    calls: dict[str, list[RecordedCall]],
) -> SeatBinding:
    if model is None:
        return SeatBinding(player=make_player(who, None, None), health=None)

    def save(call: RecordedCall) -> None:
        calls.setdefault(call.request.call_id.request, []).append(call)

    replica, cost = model.replicas[0], turn_cost(who)
    chat: ChatModel = RecordingModel(replica.chat, save=save)
    return SeatBinding(
        player=make_player(who, chat, model.limits),
        health=replica.health,
        deadlines=cost.depth(len(moment.state.started.seats)) if cost is not None else 1,
    )
