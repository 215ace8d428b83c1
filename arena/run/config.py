"""What a run is: the choices that a record needs in order to be read, repeated or continued."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from arena.core.options import Options, legal_values
from arena.core.protocols.whodunit import NAME, PRESETS
from arena.errors import ConfigError, StoreError
from arena.run.probing import Quiz
from scripts_mm.script import Language

PROTOCOLS = (NAME,)
Transport = Literal["auto", "chat", "tokens"]
"""How models are asked: with messages, with token ids, or with these where they are exact."""

_ALIASES = {"self": "self_vote"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRef:
    """A script as a run refers to it: where it was found, and what it said then."""

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
    protocol: str = NAME
    options: Options = field(default_factory=Options)
    seed: int = 0
    matches: int = 1
    """Of each script; the seeds are `seed`, `seed` + 1, ..."""
    swap: bool = False
    """Play every match a second time with the contestants' sides exchanged."""
    deadline: float = 120.0
    """Seconds that a model has for one ask."""
    quiz: Quiz = "none"
    ballots: bool = False
    transport: Transport = "auto"

    def __post_init__(self) -> None:
        """Refuse a run without matches or without time."""
        if self.matches < 1:
            raise ConfigError(f"the number of matches must be >= 1, got {self.matches}")
        if not self.deadline > 0:
            raise ConfigError(f"the deadline must be > 0 seconds, got {self.deadline:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """One match of a run."""

    id: str
    script: ScriptRef
    seed: int
    civilians: str
    murderer: str


def specs(config: RunConfig) -> tuple[MatchSpec, ...]:
    """Return the matches of a run: those of one script together, both sides beside each other."""
    sides = [("", config.civilians, config.murderer)]
    if config.swap:
        sides.append(("-swap", config.murderer, config.civilians))
    return tuple(
        MatchSpec(
            id=f"{_folder_name(script)}-s{seed}{suffix}",
            script=script,
            seed=seed,
            civilians=civilians,
            murderer=murderer,
        )
        for script in config.scripts
        for seed in range(config.seed, config.seed + config.matches)
        for suffix, civilians, murderer in sides
    )


def read_options(preset: str, written: Mapping[str, str]) -> Options:
    """Return the options of `preset` with those `written` over it, or raise `ConfigError`."""
    if preset not in PRESETS:
        raise ConfigError(f"no preset {preset!r}; there are: {', '.join(PRESETS)}")
    legal = legal_values()
    values: dict[str, object] = dict(PRESETS[preset])
    for alias, text in written.items():
        name = _ALIASES.get(alias, alias)
        if name not in legal:
            near = get_close_matches(name, legal, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise ConfigError(f"no option {alias!r}{hint}; there are: {', '.join(legal)}")
        values[name] = None if text == "none" and name == "max_faults" else text
    try:
        return TypeAdapter(Options).validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        if not name:
            raise ConfigError(str(first["msg"]).removeprefix("Value error, ")) from error
        raise ConfigError(
            f"option {name!r} must be {legal[name]}, got {first['input']!r}"
        ) from error


def dump_config(config: RunConfig) -> Any:
    """Return `config` as JSON values, for run.json."""
    return TypeAdapter(RunConfig).dump_python(config, mode="json")


def load_config(values: object) -> RunConfig:
    """Return the configuration that run.json holds, or raise `StoreError`."""
    try:
        return TypeAdapter(RunConfig).validate_python(values)
    except (ValidationError, ConfigError) as error:
        raise StoreError(f"run.json holds no configuration of this version: {error}") from error


def _folder_name(script: ScriptRef) -> str:
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in script.id)
    mark = "" if safe == script.id else f"-{hashlib.sha256(script.id.encode()).hexdigest()[:6]}"
    return f"{safe}{mark}-{script.language}"
