"""Binding of seats: the player with its model, or the person, at each seat of a match."""

from collections.abc import Callable, Mapping, Sequence

from arena.core.events import MatchStarted
from arena.core.seats import Faction, SeatId, SeatPart
from arena.models.recording import RecordedCall, RecordedCalls
from arena.players.contestants import Contestant
from arena.players.human import HumanPlayer, NoDesk
from arena.players.naive import NaiveDataPlayer
from arena.players.player import Player
from arena.players.roster import check_player, make_player, never_votes, turn_cost
from arena.records.run_config import HumanSeat, MatchSpec
from arena.run.match.call_stack import MatchCalls, build_match_model
from arena.run.match.decisions import SeatBinding
from arena.run.match.match_usage import MatchUsage
from arena.run.run_context import RunContext
from arena.run.servers.embedders import bind_memory
from arena.schedule.cache_prediction import CacheHitPredictor
from scripts_mm.script import Script

Sides = Mapping[Faction, Contestant]


class SeatBinder:
    """Factory of the players of one match, each with its own model and memory."""

    def __init__(self, run: RunContext, spec: MatchSpec, sides: Sides, usage: MatchUsage) -> None:
        """Make players of `sides`; their calls count in `usage`."""
        self._run, self._spec, self._sides, self._usage = run, spec, sides, usage
        self._assignments = run.assignments.of(run.gate.demands(spec.id))
        """By the model's name in a contestant."""
        self._predictors: list[CacheHitPredictor] = []

    def bind(
        self,
        started: MatchStarted,
        recorded: RecordedCalls,
        save: Callable[[RecordedCall], None],
    ) -> dict[SeatId, SeatBinding]:
        """Return the player of every seat; its calls are answered from the record, or saved."""
        calls = MatchCalls(
            match=self._spec.id,
            gate=self._run.gate,
            recorded=recorded,
            save=save,
            usage=self._usage,
            observer=self._run.observer,
        )
        seats = len(started.parts)
        return {part.seat: self._bind(part, seats, calls) for part in started.parts}

    def close(self) -> None:
        """Release the match's warm prefixes."""
        for predictor in self._predictors:
            predictor.close()

    def _bind(self, part: SeatPart, seats: int, calls: MatchCalls) -> SeatBinding:
        for human in self._run.config.humans:
            if human.seat == part.seat:
                desk = self._run.desks.get(part.seat, NoDesk())
                player = HumanPlayer(desk, human.time_limit)
                return SeatBinding(player=player, health=None, keeps_time=True)
        who = self._sides[part.faction]
        if who.model is None:
            return SeatBinding(player=make_player(who, None, None), health=None)
        return SeatBinding(
            player=self._model_player(who, who.model, calls),
            health=self._assignments[who.model].replica.health,
            deadlines=cost.depth(seats) if (cost := turn_cost(who)) is not None else 1,
        )

    def _model_player(self, who: Contestant, model: str, calls: MatchCalls) -> Player:
        assignment = self._assignments[model]
        replica = assignment.replica
        predictor = CacheHitPredictor(
            assignment.headers, replica.warm, block_size=replica.block_tokens
        )
        self._predictors.append(predictor)
        chat = build_match_model(replica, predictor, calls)
        limits = self._run.models[model].limits
        return make_player(who, chat, bind_memory(limits, who, self._run.embedders, calls))


def silent_sides(run: RunContext, spec: MatchSpec, sides: Sides) -> tuple[Faction, ...]:
    """Return the sides that never vote; a side with a person can always vote."""
    if not never_votes(sides["murderer"]):
        return ()
    if humans := {human.seat for human in run.config.humans}:
        parts = run.game.start(run.scripts[spec.script.sha256], run.config.options, spec.seed)
        if any(part.seat in humans and part.faction == "murderer" for part in parts):
            return ()
    return ("murderer",)


def default_flags(script: Script, sides: Sides, humans: Sequence[HumanSeat]) -> tuple[str, ...]:
    """Return the flag of a `naive-data` player for which the script has no sentences."""
    guilty, persons = set(script.murderers), {human.seat for human in humans}
    played = [
        role
        for role in script.roles
        if role.name not in persons
        and isinstance(
            check_player(sides["murderer" if role.name in guilty else "civilians"]),
            NaiveDataPlayer,
        )
    ]
    lacks = any(role.introduction is None or role.reply is None for role in played)
    return ("naive-data:defaulted",) if lacks else ()
