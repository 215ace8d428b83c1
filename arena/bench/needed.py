"""What the matches of a plan need, and on which engine each script is played."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from arena.bench.fitting import kind_of
from arena.bench.offers import staged
from arena.bench.scripted import ScriptWorkload, scripted_trace
from arena.bench.trace import TraceMatch
from arena.errors import ConfigError
from arena.schedule.footprint import KvDemand
from arena.schedule.placement import ReplicaLoads, choose_replica
from scripts_mm.script import Script
from serving.engine_sim.planned import Planned
from serving.profile import Profile

MOST_TURNS = 12_000
"""Simulated at most: a few seconds of one core."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be planned: one model plays all seats of these scripts, given by content hash."""

    model: Profile
    where: Planned
    scripts: Mapping[str, Script]
    workload: ScriptWorkload
    concurrency: int | None = None
    """Most matches at once; None: what the memory holds."""
    most_turns: int = MOST_TURNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What a match of one script takes of an engine."""

    demand: KvDemand
    turns: int
    """Of the game."""
    calls: int
    """Readings of pictures and summaries too."""
    readings: int
    cut: int
    """Turns whose prompt did not fit as it was."""
    longest: int
    """Tokens of the longest prompt with its reply."""
    work: int
    """A measure of what each of its matches costs an engine, to compare engines by."""


def needs_of(asked: Asked) -> dict[str, Need]:
    """Return the needs by script: of two matches each, so that what they share is seen."""
    two = replace(asked.workload, matches=2, swap=False)
    trace = scripted_trace(asked.scripts, two)
    stage = staged(trace, exact=True)
    needs: dict[str, Need] = {}
    for offer, match in zip(stage.offers[::2], trace.matches[::2], strict=True):
        [demand] = offer.demands
        ends = _ends(match)
        needs[offer.script] = Need(
            demand=demand,
            turns=sum(not turn.beside for turn in match.turns),
            calls=len(match.turns),
            readings=sum(kind_of(turn) == "reading" for turn in match.turns),
            cut=sum(turn.whole and not turn.beside for turn in match.turns),
            longest=max(ends),
            work=demand.peak + sum(ends) // 16,
        )
    return needs


def _ends(match: TraceMatch) -> tuple[int, ...]:
    """Return the tokens of each prompt of a match with its reply."""
    logs: dict[str, int] = {}
    ends: list[int] = []
    for turn in match.turns:
        before = 0 if turn.whole else logs.get(turn.seat, 0)
        end = before + sum(piece.tokens for piece in turn.added) + turn.output
        if not turn.beside:
            logs[turn.seat] = end
        ends.append(end)
    return tuple(ends)


def check_length(asked: Asked, needs: Mapping[str, Need]) -> None:
    """Raise `ConfigError` where a prompt grows longer than the model is served with."""
    room = asked.where.engine.context_tokens
    for key, need in needs.items():
        if need.longest > room:
            raise ConfigError(
                f"prompts of script {asked.scripts[key].id!r} grow to {need.longest:,} tokens, but "
                f"{asked.model.name!r} is served with {room:,}; choose "
                "options that make matches shorter, or another model"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What one engine is given to play."""

    matches: Mapping[str, int]
    """By script."""
    work: int

    @property
    def each(self) -> int:
        """Matches of a script, on average."""
        return -(-sum(self.matches.values()) // len(self.matches))


def placed_on(asked: Asked, needs: Mapping[str, Need]) -> tuple[Placed, ...]:
    """Return what each engine that has anything to do is given, as a run places its matches."""
    engines = [f"replica-{number}" for number in range(1, asked.where.replicas + 1)]
    loads = ReplicaLoads(dict.fromkeys(engines, asked.where.engine.kv_tokens))
    given: dict[str, Counter[str]] = {}
    for key, need in needs.items():
        for _ in range(asked.workload.each):
            engine = choose_replica(f"{asked.model.name}/{key}", engines, loads.loads)
            loads.add(replace(need.demand, endpoint=engine))
            given.setdefault(engine, Counter())[key] += 1
    return tuple(
        Placed(
            matches=counts,
            work=sum(needs[k].demand.prefix_tokens + n * needs[k].work for k, n in counts.items()),
        )
        for counts in given.values()
    )
