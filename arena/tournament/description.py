"""Descriptions of tournaments: TOML files of users, and the bundled suites.

A suite is a description with a name and a version that pins the content of its scripts.
"""

import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.players.contestants import read_contestant
from arena.records.run_config import Quiz, Transport
from arena.run.launch import script_ref
from arena.run.run_scripts import load_scripts
from arena.tournament.tournament_plan import GamePlan, SuiteRef, TournamentPlan
from scripts_mm.safe_io import error_reason
from scripts_mm.script import Language, ScriptError
from scripts_mm.script_folder import SCRIPT_FILE, LoadedScript, load_script

SUITES: Final = Path(__file__).resolve().parent / "suites"
"""Folder of the bundled suites: `<name>.toml`."""

_Count = Annotated[int, Field(ge=1)]
_Strings = Annotated[list[str], Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptEntry:
    """A script by its id or the path of its folder, or only by its content hash."""

    id: str = ""
    """Empty: the script of this content hash among those of `--scripts-dir`."""
    language: Language | None = None
    sha256: str = ""
    """Content hash; empty: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """One game of a tournament."""

    game: str = DEFAULT
    preset: str = "default"
    options: dict[str, str | bool | int] = field(default_factory=dict[str, str | bool | int])
    scripts: list[ScriptEntry] = field(default_factory=list[ScriptEntry])
    language: Language | None = None
    """Language, for a game that generates its own script."""
    seed: Annotated[int, Field(ge=0)] = 0
    seeds: _Count = 1
    rotations: _Count = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentDescription:
    """A tournament as described by its file."""

    name: str = ""
    version: Annotated[int, Field(ge=0)] = 0
    about: str = ""
    contestants: list[str] = field(default_factory=list[str])
    opponents: list[str] = field(default_factory=list[str])
    matrix: bool = True
    games: Annotated[list[GameEntry], Field(min_length=1)]
    scores: list[str] = field(default_factory=list[str])
    """Metrics in a result of the suite, besides win rates and ratings."""
    anchors: dict[str, float] = field(default_factory=dict[str, float])
    """Elo ratings fixed by convention; empty: those of the arena."""
    deadline: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 120.0
    transport: Transport = "auto"
    quiz: Quiz = "none"
    ballots: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTournament:
    """A plan, and its scripts by content hash."""

    plan: TournamentPlan
    scripts: dict[str, LoadedScript]


_DESCRIPTION: Final = TypeAdapter(TournamentDescription)


def read_description(path: Path) -> tuple[TournamentDescription, str]:
    """Return the description in a file and the hash of the file, or raise `ConfigError`."""
    try:
        data = path.read_bytes()
        found = tomllib.loads(data.decode())
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"cannot read the tournament {str(path)!r}: {error_reason(error)}"
        ) from error
    except RecursionError:
        raise ConfigError(f"cannot read the tournament {str(path)!r}: nested too deep") from None
    try:
        described = _DESCRIPTION.validate_python(found, extra="forbid")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        fault = f"{first['msg']}{_near_key(first['loc'])}"
        raise ConfigError(f"{str(path)!r}: {place}: {fault}") from error
    return described, sha256(data).hexdigest()


def _near_key(place: tuple[int | str, ...]) -> str:
    """Return the known key that the last part of `place` resembles, as a question."""
    # The lists of the file by name; the names of `options` and `anchors` are not keys of ours.
    tables = {"games": GameEntry, "scripts": ScriptEntry}
    above = [part for part in place[:-1] if isinstance(part, str)]
    table = tables.get(above[-1]) if above else TournamentDescription
    wanted = [] if table is None else [one.name for one in fields(table)]
    key = place[-1] if place else ""
    near = get_close_matches(str(key), wanted, n=1) if key not in wanted else []
    return f" (did you mean {near[0]!r}?)" if near else ""


def suite_path(name: str) -> Path:
    """Return the file of a bundled suite, or raise `ConfigError`."""
    there = sorted(path.stem for path in SUITES.glob("*.toml"))
    if name not in there:
        raise ConfigError(f"there is no suite {name!r}; there are: {', '.join(there)}")
    return SUITES / f"{name}.toml"


def make_plan(
    path: Path, contestants: Sequence[str], *, suite: bool, scripts_dir: Path | None = None
) -> PlannedTournament:
    """Return the plan of the tournament that `path` describes, with the additional `contestants`.

    Raises `ConfigError` or `ScriptError` for errors in the file, a script that is not found, or one
    that differs from the suite's. `scripts_dir` contains scripts that are not bundled.
    """
    described, digest = read_description(path)
    entrants = [*described.contestants, *contestants]
    if suite:
        pinned = _pin(described, digest, path)
    elif described.name or described.version:
        raise ConfigError(f"{str(path)!r}: name and version are for suites; leave them out")
    else:
        pinned = None
    return plan_tournament(
        replace(described, contestants=entrants),
        suite=pinned,
        folders=tuple(one for one in (scripts_dir, None if suite else path.parent) if one),
    )


def read_suite(name: str) -> tuple[TournamentDescription, SuiteRef]:
    """Return a bundled suite and its pinned reference, or raise `ConfigError`."""
    path = suite_path(name)
    described, digest = read_description(path)
    return described, _pin(described, digest, path)


def _pin(described: TournamentDescription, digest: str, path: Path) -> SuiteRef:
    if not described.name:
        raise ConfigError(f"{str(path)!r} is not a suite: it has no name")
    if made := [one.game for one in described.games if not one.scripts]:
        raise ConfigError(f"{str(path)!r}: a suite pins its scripts; game {made[0]!r} has none")
    return SuiteRef(name=described.name, version=described.version, sha256=digest)


def plan_tournament(
    described: TournamentDescription, *, suite: SuiteRef | None = None, folders: Sequence[Path] = ()
) -> PlannedTournament:
    """Return the plan of a description, as `make_plan` does.

    `folders`: where scripts can be, besides the bundled ones and the working folder.
    """
    scripts: dict[str, LoadedScript] = {}
    games: list[GamePlan] = []
    for one in described.games:
        game = find_game(one.game)
        loaded = (
            [_load(one, script, folders) for script in one.scripts]
            if one.scripts
            else list(load_scripts(game, [], one.language))
        )
        if not loaded:
            raise ConfigError(f"game {one.game!r} is played with written scripts; name some")
        scripts |= {script.sha256: script for script in loaded}
        games.append(
            GamePlan(
                game=one.game,
                options=read_options(game, one.preset, one.options),
                scripts=tuple(map(script_ref, loaded)),
                seed=one.seed,
                seeds=one.seeds,
                rotations=one.rotations,
            )
        )
    plan = TournamentPlan(
        entries=(tuple(map(clean_name, described.contestants)),),
        opponents=tuple(map(clean_name, described.opponents)),
        matrix=described.matrix,
        games=tuple(games),
        deadline=described.deadline,
        transport=described.transport,
        quiz=described.quiz,
        ballots=described.ballots,
        anchors=described.anchors,
        suite=suite,
    )
    return PlannedTournament(plan=plan, scripts=scripts)


def clean_name(text: str) -> str:
    """Return a contestant's name without surrounding space; `ConfigError` if it is invalid."""
    if not text.isprintable():
        raise ConfigError(f"a contestant must be printable text of one line, got {text[:80]!r}")
    return read_contestant(text).name


def _load(game: GameEntry, script: ScriptEntry, folders: Sequence[Path]) -> LoadedScript:
    if not script.id and not script.sha256:
        raise ConfigError(f"a script of game {game.game!r} needs an id or a sha256, got neither")
    if not script.id:
        return _find_by_hash(script.sha256, folders)
    places = (folder / script.id for folder in folders)
    name = next((str(place) for place in places if (place / SCRIPT_FILE).is_file()), script.id)
    [loaded] = load_scripts(find_game(game.game), [name], script.language)
    if script.sha256 and loaded.sha256 != script.sha256:
        raise ConfigError(
            f"script {script.id!r} in {str(loaded.folder)!r} has the content hash "
            f"{loaded.sha256[:12]}, but the suite was made with {script.sha256[:12]}; get that "
            "version of the script, or plan your own tournament"
        )
    return loaded


def _find_by_hash(sha256: str, folders: Sequence[Path]) -> LoadedScript:
    if not folders:
        raise ConfigError(
            "the suite plays scripts that are not bundled; import them and name their folder with "
            "--scripts-dir"
        )
    found = next((one[sha256] for one in map(_scripts_by_hash, folders) if sha256 in one), None)
    if found is None:
        places = " or ".join(repr(str(one)) for one in folders)
        raise ConfigError(
            f"no script in {places} has the content hash {sha256[:12]}; import the published "
            "scripts with this version of the arena"
        )
    return found


@cache
def _scripts_by_hash(scripts_dir: Path) -> Mapping[str, LoadedScript]:
    """Return all scripts below a folder by content hash; a broken one is left out."""
    found: dict[str, LoadedScript] = {}
    for file in sorted(scripts_dir.rglob(SCRIPT_FILE)):
        with suppress(ScriptError):
            loaded = load_script(file.parent)
            found[loaded.sha256] = loaded
    return found
