"""Configuration of a run: all choices that are necessary to read, repeat or continue it."""

import hashlib
import json
import math
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from pydantic import PlainSerializer, PlainValidator, ValidationInfo

from arena.core.options import GameOptions
from arena.core.seats import SeatId
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.records.event_codec import dump_options, load_options
from scripts_mm.script import Language

Transport = Literal["auto", "chat", "tokens"]
"""Form of requests: messages, token ids, or token ids if they are exact and else messages."""
Quiz = Literal["none", "before", "after", "both"]
"""When the questions of a script are put: at the deal, at the end, or both."""

HUMAN: Final = "human"
"""Flag of a match in which a person played."""
SPOILED: Final = "human:spoiled"
"""Flag of a match with a person who may have known the script before."""
_MOST_NAME = 80

MAX_MATCHES: Final = 100_000
"""Maximum matches of one run: such a plan takes 70 MB and five seconds. Split larger plans into
runs.
"""
MAX_SEED: Final = 2**63 - 1
"""Largest integer of SQLite and of most JSON readers."""


def _default_options() -> GameOptions:
    return find_game(DEFAULT).options()


def _dump_options(options: GameOptions) -> object:
    return json.loads(dump_options(options))


def _load_options(values: object, info: ValidationInfo) -> GameOptions:
    return load_options(str(info.data.get("game")), json.dumps(values))


RunOptions = Annotated[GameOptions, PlainSerializer(_dump_options), PlainValidator(_load_options)]
"""Read and written as the options class that the game declares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRef:
    """Reference of a run to a script: its path and content hash."""

    path: str
    """Empty: the game generated it."""
    id: str
    language: Language
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanSeat:
    """Seat of a person, in a run of one match."""

    seat: SeatId
    time_limit: float | None = None
    """Seconds that the person has for one answer; None: unlimited."""
    human_id: str = ""
    """Name that the person chose; empty: anonymous."""
    spoiled: bool = False
    """The person may know the script already."""

    def __post_init__(self) -> None:
        """Reject an impossible time limit, and a name that does not fit on a line."""
        if self.time_limit is not None and not 0 < self.time_limit < math.inf:
            raise ConfigError(
                f"the time limit must be > 0 seconds and finite, got {self.time_limit:g}"
            )
        if len(self.human_id) > _MOST_NAME or not (self.human_id or "x").isprintable():
            raise ConfigError(
                f"a person's name has at most {_MOST_NAME} printable characters, got "
                f"{self.human_id[:_MOST_NAME]!r}"
            )

    @property
    def flags(self) -> tuple[str, ...]:
        """Return the flags of the match, which is never pooled with matches between models."""
        return (HUMAN, *((SPOILED,) if self.spoiled else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Contestants of a match, in the order of `--civ` and `--murderer`."""

    civilians: str
    murderer: str

    def swap(self) -> "Pair":
        """Return the pair with the contestants' sides exchanged."""
        return Pair(civilians=self.murderer, murderer=self.civilians)


def make_pairs(civilians: str, murderer: str, *, swap: bool = False) -> tuple[Pair, ...]:
    """Return the pair of a run of two contestants, and the swapped pair if sides are swapped."""
    pair = Pair(civilians=civilians, murderer=murderer)
    return (pair, pair.swap()) if swap else (pair,)


MOST_SHARDS: Final = 4_000_001
"""Maximum number of tasks of a Slurm array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The part of a run that one worker plays: whole blocks, grouped by script.

    A block is all matches of one script with one seed.
    """

    index: int
    """Index from 0."""
    count: int

    def __post_init__(self) -> None:
        """Reject an index that is out of range."""
        if not 1 <= self.count <= MOST_SHARDS:
            raise ConfigError(
                f"the number of shards must be between 1 and {MOST_SHARDS:,}, got "
                f"{_show(self.count)}"
            )
        if not 0 <= self.index < self.count:
            raise ConfigError(
                f"the index of a shard must be between 0 and {self.count - 1}, got "
                f"{_show(self.index)}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Configuration of a run. A continued run has the same one."""

    pairs: tuple[Pair, ...]
    """Each plays every script with every seed and rotation."""
    scripts: tuple[ScriptRef, ...]
    game: str = DEFAULT
    options: RunOptions = field(default_factory=_default_options)
    seed: int = 0
    matches: int = 1
    """Matches of each pair and script; the seeds are `seed`, `seed` + 1, ..."""
    rotations: int = 1
    """Number of times that each seed is played, each with another seat in the first position."""
    deadline: float = 120.0
    """Seconds that a model has for one attempt."""
    quiz: Quiz = "none"
    ballots: bool = False
    transport: Transport = "auto"
    humans: tuple[HumanSeat, ...] = ()
    """Seats of persons; the contestants play the others."""
    shard: Shard | None = None
    """None: the whole run."""

    def __post_init__(self) -> None:
        """Reject a run without matches or time, of too many, or with options of another game."""
        self._check_plan()
        if self.humans:
            self.check_for_humans()
        if not 0 < self.deadline < math.inf:
            raise ConfigError(f"the deadline must be > 0 seconds and finite, got {self.deadline:g}")
        wanted = find_game(self.game).options
        if type(self.options) is not wanted:
            raise ConfigError(
                f"game {self.game!r} needs options of type {wanted.__name__}, got "
                f"{type(self.options).__name__}"
            )

    @property
    def blocks(self) -> int:
        """Return the number of blocks of the whole run: its scripts times its seeds."""
        return len(self.scripts) * self.matches

    @property
    def contestants(self) -> tuple[str, ...]:
        """All contestants, each once."""
        names = (name for pair in self.pairs for name in (pair.civilians, pair.murderer))
        return tuple(dict.fromkeys(names))

    def check_for_humans(self) -> None:
        """Raise `ConfigError` if persons cannot play in this run, or if one would play twice."""
        if (planned := self._count_matches()) > 1:
            raise ConfigError(
                f"a person plays one match at a time, but this run has {_show(planned)}; name one "
                "script, and leave out --matches and --swap"
            )
        if self.quiz != "none" or self.ballots:
            raise ConfigError(
                "silent questions cannot be put to a person: leave out quiz and ballots"
            )
        seats: list[str] = [one.seat for one in self.humans]
        for names in (seats, [one.human_id for one in self.humans if one.human_id]):
            if twice := [name for name in names if names.count(name) > 1]:
                raise ConfigError(f"each person takes one seat, but {twice[0]!r} is named twice")

    def _count_matches(self) -> int:
        return self.matches * self.rotations * max(1, len(self.scripts)) * len(self.pairs)

    def _check_plan(self) -> None:
        if self.matches < 1:
            raise ConfigError(f"the number of matches must be >= 1, got {_show(self.matches)}")
        if self.rotations < 1:
            raise ConfigError(f"the number of rotations must be >= 1, got {_show(self.rotations)}")
        if not self.pairs:
            raise ConfigError("a run needs a pair of contestants, got none")
        if (planned := self._count_matches()) > MAX_MATCHES:
            raise ConfigError(
                f"a run has at most {MAX_MATCHES} matches, got {_show(planned)}; split it into "
                "several runs, each with its own seeds"
            )
        if not 0 <= self.seed <= MAX_SEED - self.matches + 1:
            raise ConfigError(
                f"the seeds must be >= 0 and < 2**63, got {_show(self.seed)} for the first of "
                f"{self.matches}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """One match of a run."""

    id: str
    script: ScriptRef
    seed: int
    rotation: int = 0
    """Offset of the first seat in the order of a phase."""
    civilians: str
    murderer: str


def match_specs(config: RunConfig) -> tuple[MatchSpec, ...]:
    """Return the matches of a run, grouped by script and, within a script, by seed."""
    suffixes = [(pair, _suffix(config.pairs[0], pair, n)) for n, pair in enumerate(config.pairs)]
    return tuple(
        MatchSpec(
            id=f"{folder_name(script)}-s{seed}{f'-r{rotation}' if rotation else ''}{suffix}",
            script=script,
            seed=seed,
            rotation=rotation,
            civilians=pair.civilians,
            murderer=pair.murderer,
        )
        for script, seed in _blocks(config)
        for rotation in range(config.rotations)
        for pair, suffix in suffixes
    )


def list_scripts(config: RunConfig) -> tuple[ScriptRef, ...]:
    """Return the scripts of the run's matches: of the whole run, or of its shard."""
    return tuple(dict.fromkeys(script for script, _ in _blocks(config)))


def _blocks(config: RunConfig) -> list[tuple[ScriptRef, int]]:
    """Return script and seed of each block, grouped by script."""
    seeds = range(config.seed, config.seed + config.matches)
    blocks = [(script, seed) for script in config.scripts for seed in seeds]
    if config.shard is None:
        return blocks
    first, end = (
        len(blocks) * index // config.shard.count
        for index in (config.shard.index, config.shard.index + 1)
    )
    return blocks[first:end]


def _suffix(first: Pair, pair: Pair, number: int) -> str:
    """Return the suffix of a pair's match ids, which does not change when pairs are added."""
    if number == 0:
        return ""
    if pair == first.swap():
        return "-swap"
    names = json.dumps([pair.civilians, pair.murderer])
    return f"-{hashlib.sha256(names.encode(errors='surrogatepass')).hexdigest()[:8]}"


def _show(number: int) -> str:
    """Return a number for an error message: Python refuses to print thousands of digits."""
    return str(number) if abs(number) < 10**30 else f"a number of {number.bit_length()} bits"


def folder_name(script: ScriptRef) -> str:
    """Return the id and the language of a script as a file name."""
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in script.id)
    digest = hashlib.sha256(script.id.encode()).hexdigest()[:6]
    return f"{safe}{'' if safe == script.id else f'-{digest}'}-{script.language}"
