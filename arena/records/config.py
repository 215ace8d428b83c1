"""Configuration of a run: all choices that are needed to read, repeat or continue it."""

import hashlib
import json
import math
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

from pydantic import PlainSerializer, PlainValidator, ValidationInfo

from arena.core.options import GameOptions
from arena.errors import ConfigError
from arena.games.registry import DEFAULT, find_game
from arena.records.codec import dump_options, load_options
from scripts_mm.script import Language

Transport = Literal["auto", "chat", "tokens"]
"""How models are asked: with messages, with token ids, or with these where they are exact."""
Quiz = Literal["none", "before", "after", "both"]
"""When the questions of a script are put: at the deal, at the end, or both."""

MAX_MATCHES: Final = 100_000
"""Of one run. Such a plan takes 70 MB and five seconds; more matches are several runs."""
MAX_SEED: Final = 2**63 - 1
"""The largest integer of SQLite, and of most readers of JSON."""


def _default_options() -> GameOptions:
    return find_game(DEFAULT).options()


def _dump_options(options: GameOptions) -> object:
    return json.loads(dump_options(options))


def _load_options(values: object, info: ValidationInfo) -> GameOptions:
    return load_options(str(info.data.get("game")), json.dumps(values))


_Options = Annotated[GameOptions, PlainSerializer(_dump_options), PlainValidator(_load_options)]
"""Read and written as the class of the options that the game declares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRef:
    """Reference of a run to a script: its path, and the hash of its content."""

    path: str
    id: str
    language: Language
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """The configuration of a run. A run that is continued has the same one."""

    civilians: str
    murderer: str
    scripts: tuple[ScriptRef, ...]
    game: str = DEFAULT
    options: _Options = field(default_factory=_default_options)
    seed: int = 0
    matches: int = 1
    """Of each script; the seeds are `seed`, `seed` + 1, ..."""
    swap: bool = False
    """Play every match a second time with the contestants' sides exchanged."""
    deadline: float = 120.0
    """Seconds that a model has for one attempt."""
    quiz: Quiz = "none"
    ballots: bool = False
    transport: Transport = "auto"

    def __post_init__(self) -> None:
        """Refuse a run without matches or time, or of too many, and options of another game."""
        self._check_plan()
        if not 0 < self.deadline < math.inf:
            raise ConfigError(f"the deadline must be > 0 seconds and finite, got {self.deadline:g}")
        wanted = find_game(self.game).options
        if type(self.options) is not wanted:
            raise ConfigError(
                f"game {self.game!r} needs options of type {wanted.__name__}, got "
                f"{type(self.options).__name__}"
            )

    def _check_plan(self) -> None:
        if self.matches < 1:
            raise ConfigError(f"the number of matches must be >= 1, got {_show(self.matches)}")
        planned = self.matches * max(1, len(self.scripts)) * (2 if self.swap else 1)
        if planned > MAX_MATCHES:
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
    """One match of a run. A swapped match has the script and the seed of its twin."""

    id: str
    script: ScriptRef
    seed: int
    civilians: str
    murderer: str
    swapped: bool = False
    """The contestants' sides are exchanged."""


def match_specs(config: RunConfig) -> tuple[MatchSpec, ...]:
    """Return the matches of a run: those of one script together, and each next to its twin."""
    plain = [
        MatchSpec(
            id=f"{_folder_name(script)}-s{seed}",
            script=script,
            seed=seed,
            civilians=config.civilians,
            murderer=config.murderer,
        )
        for script in config.scripts
        for seed in range(config.seed, config.seed + config.matches)
    ]
    if not config.swap:
        return tuple(plain)
    return tuple(spec for one in plain for spec in (one, _swap(one)))


def _show(number: int) -> str:
    """Return a number as an error shows it: Python writes none of thousands of digits."""
    return str(number) if abs(number) < 10**30 else f"a number of {number.bit_length()} bits"


def _swap(spec: MatchSpec) -> MatchSpec:
    return replace(
        spec,
        id=f"{spec.id}-swap",
        civilians=spec.murderer,
        murderer=spec.civilians,
        swapped=True,
    )


def _folder_name(script: ScriptRef) -> str:
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in script.id)
    digest = hashlib.sha256(script.id.encode()).hexdigest()[:6]
    return f"{safe}{'' if safe == script.id else f'-{digest}'}-{script.language}"
