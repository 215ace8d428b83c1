"""Plan of a tournament, and its runs. Pure."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from arena.errors import ConfigError
from arena.records.record_schema import JsonCodec
from arena.records.run_config import (
    Pair,
    Quiz,
    RunConfig,
    RunOptions,
    ScriptRef,
    Transport,
    match_specs,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRef:
    """The suite that a tournament plays: results of different suites or versions do not mix."""

    name: str
    version: int
    sha256: str
    """SHA-256 of the suite's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """Matches of one game that every pair of contestants plays.

    A block is all matches of one script with one seed. All pairs play the same blocks and
    rotations, so that they face equal random draws.
    """

    game: str
    options: RunOptions
    scripts: tuple[ScriptRef, ...]
    seed: int = 0
    seeds: int = 1
    """Seeds of each script: `seed`, `seed` + 1, ..."""
    rotations: int = 1
    """Number of times that each seed is played, each with another seat in the first position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlan:
    """Plan of a tournament. It grows by contestants, which add pairs.

    A contestant without started matches can be removed.
    """

    entries: tuple[tuple[str, ...], ...]
    """Contestants in the order of their entry: initial ones, then those of each addition."""
    opponents: tuple[str, ...] = ()
    """Fixed opponents: contestants play them on both sides, they do not play each other."""
    matrix: bool = True
    """Contestants play each other and themselves, on both sides; else only the opponents."""
    games: tuple[GamePlan, ...]
    deadline: float = 120.0
    """Seconds that a model has for one attempt."""
    transport: Transport = "auto"
    quiz: Quiz = "none"
    ballots: bool = False
    anchors: dict[str, float] = field(default_factory=dict[str, float])
    """Elo ratings fixed by convention; empty: those of the arena."""
    suite: SuiteRef | None = None

    def __post_init__(self) -> None:
        """Reject a plan without matches, and duplicate names."""
        names = [*self.contestants, *self.opponents]
        if not self.contestants:
            raise ConfigError("a tournament needs contestants, got none")
        if fixed := [name for name in self.contestants if name in self.opponents]:
            raise ConfigError(f"{fixed[0]!r} is already a fixed opponent; leave it out")
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ConfigError(f"each contestant can enter once, but {twice[0]!r} is named twice")
        if not self.matrix and not self.opponents:
            raise ConfigError("a tournament without a matrix needs fixed opponents, got none")
        games = [one.game for one in self.games]
        if not games or len(set(games)) < len(games):
            raise ConfigError(
                f"a tournament needs one or more games, each once; got {', '.join(games) or 'none'}"
            )
        if not 0 < self.deadline < math.inf:
            raise ConfigError(f"the deadline must be > 0 seconds and finite, got {self.deadline:g}")

    @property
    def scripts(self) -> Mapping[str, ScriptRef]:
        """Return all scripts by content hash."""
        return {ref.sha256: ref for game in self.games for ref in game.scripts}

    @property
    def blocks(self) -> int:
        """Return the number of blocks of the whole tournament, which all pairs play."""
        return sum(len(game.scripts) * game.seeds for game in self.games)

    @property
    def contestants(self) -> tuple[str, ...]:
        """Return all rated contestants, without the fixed opponents."""
        return tuple(name for entry in self.entries for name in entry)


PLAN_CODEC: Final = JsonCodec[TournamentPlan](TournamentPlan, "the plan of a tournament")
"""Codec of tournament.json."""


def runs_of(plan: TournamentPlan) -> Mapping[str, RunConfig]:
    """Return the runs of a tournament by name: one per game, and one per game and addition.

    A run never changes: contestants that enter later play all others in separate runs.
    """
    return {
        f"{game.game}{f'-{number}' if number > 1 else ''}": _run(plan, game, pairs)
        for number, pairs in enumerate(_pairs_by_entry(plan), 1)
        for game in plan.games
        if pairs
    }


def count_matches(plan: TournamentPlan) -> int:
    """Return the number of matches of a tournament."""
    return sum(len(match_specs(config)) for config in runs_of(plan).values())


def _pairs_by_entry(plan: TournamentPlan) -> Iterator[tuple[Pair, ...]]:
    """Yield, for each entry, the pairs of its contestants with each other and earlier ones."""
    known: list[str] = []
    seen: set[Pair] = set()
    for entry in plan.entries:
        known += entry
        pairs = tuple(pair for pair in _pairs(plan, known) if pair not in seen)
        seen |= set(pairs)
        yield pairs


def _pairs(plan: TournamentPlan, contestants: list[str]) -> Iterator[Pair]:
    if plan.matrix:
        yield from (Pair(civilians=a, murderer=b) for a, b in product(contestants, contestants))
    for one, other in product(contestants, plan.opponents):
        pair = Pair(civilians=one, murderer=other)
        yield from (pair, pair.swap())


def _run(plan: TournamentPlan, game: GamePlan, pairs: tuple[Pair, ...]) -> RunConfig:
    return RunConfig(
        pairs=pairs,
        scripts=game.scripts,
        game=game.game,
        options=game.options,
        seed=game.seed,
        matches=game.seeds,
        rotations=game.rotations,
        deadline=plan.deadline,
        quiz=plan.quiz,
        ballots=plan.ballots,
        transport=plan.transport,
    )
