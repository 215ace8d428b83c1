"""Folder of a tournament: its plan, its scripts, and one folder per run.

tournament.json     the plan
scripts/ID-LANG/    the scripts, as of the planning of the tournament
runs/NAME/          the runs, with the names of `runs_of`
shards/N/NAME/      the part of a run that worker N of a cluster plays, until it is merged
"""

import fcntl
import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, RecordError
from arena.games.game_registry import find_game
from arena.players.contestants import read_contestant
from arena.records.record_files import atomic_write, open_to_write, read_text
from arena.records.run_config import RunConfig, ScriptRef, folder_name
from arena.records.run_record import RunRecord
from arena.run.launch import script_ref
from arena.run.preflight import check_run
from arena.run.run_scripts import load_scripts
from arena.tournament.description import PlannedTournament, clean_name
from arena.tournament.tournament_plan import PLAN_CODEC, TournamentPlan, runs_of
from scripts_mm.safe_io import error_reason
from scripts_mm.script_folder import LoadedScript, load_script

PLAN_FILE: Final = "tournament.json"
RUNS: Final = "runs"
SHARDS: Final = "shards"
_SCRIPTS: Final = "scripts"
_LOCK: Final = ".lock"


@dataclass(frozen=True, kw_only=True)
class TournamentFolder:
    """A tournament on disk. Use `create_tournament` or `open_tournament` to get one."""

    path: Path

    @cached_property
    def plan(self) -> TournamentPlan:
        """Return the contents of tournament.json; `RecordError` if it cannot be read."""
        path = self.path / PLAN_FILE
        text = read_text(path)
        if text is None:
            raise RecordError(
                f"no tournament at {str(self.path)!r}: wanted a folder with {PLAN_FILE!r}; "
                "create one with `arena tournament plan`"
            )
        try:
            return PLAN_CODEC.decode(text)
        except (RecordError, ConfigError) as error:
            raise RecordError(f"{str(path)!r}: {error}") from error

    @property
    def runs(self) -> Mapping[str, RunConfig]:
        """All runs of the plan by name, started or not."""
        return runs_of(self.plan)

    def run_path(self, name: str) -> Path:
        """Return the folder of a run, which need not exist yet."""
        return self.path / RUNS / name

    def load_started_runs(self) -> Mapping[str, RunRecord]:
        """Return the records of all runs that have started, by name.

        Raises `RecordError` if one does not match the plan.
        """
        planned = self.runs
        paths = {name: self.run_path(name) for name in planned}
        found = {name: RunRecord(path=path) for name, path in paths.items() if is_run(path)}
        for name, record in found.items():
            check_planned(record, planned[name])
        return found

    def load(self, ref: ScriptRef) -> LoadedScript:
        """Return a script of the tournament; `RecordError` if it has changed."""
        if not ref.path:
            game = next(one for one in self.plan.games if ref in one.scripts)
            [loaded] = load_scripts(find_game(game.game), [], ref.language)
        else:
            loaded = load_script(self.path / ref.path)
        if loaded.sha256 != ref.sha256:
            raise RecordError(
                f"script {ref.id!r} of the tournament {str(self.path)!r} has changed since it "
                "was planned; restore it, or plan a new tournament"
            )
        return loaded

    def save_plan(self, plan: TournamentPlan) -> None:
        """Write tournament.json."""
        atomic_write(self.path / PLAN_FILE, PLAN_CODEC.encode_file(plan))


def create_tournament(path: Path, planned: PlannedTournament) -> TournamentFolder:
    """Create the folder of a new tournament, with its scripts.

    Raises `RecordError` if the folder is not empty, `ConfigError` or `ScriptError` for a contestant
    or a script that a game cannot play.
    """
    check_plan(planned.plan, planned.scripts)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise RecordError(f"{str(path)!r} is not empty; choose another folder")
        plan = _save_scripts(path, planned)
    except OSError as error:
        raise RecordError(f"cannot create {str(path)!r}: {error_reason(error)}") from error
    folder = TournamentFolder(path=path)
    folder.save_plan(plan)
    return folder


def open_tournament(path: Path) -> TournamentFolder:
    """Return an existing, readable tournament, or raise `RecordError`."""
    folder = TournamentFolder(path=path)
    _ = folder.plan
    return folder


def add_contestants(folder: TournamentFolder, names: tuple[str, ...]) -> TournamentFolder:
    """Add contestants: they play all others; existing matches do not change."""
    with _lock_plan(folder) as changed:
        plan = changed.plan
        grown = replace(plan, entries=(*plan.entries, tuple(map(clean_name, names))))
        check_plan(grown, {sha256: changed.load(ref) for sha256, ref in plan.scripts.items()})
        changed.save_plan(grown)
    return TournamentFolder(path=folder.path)


def remove_contestant(folder: TournamentFolder, name: str) -> TournamentFolder:
    """Remove a contestant without started matches.

    Raises `ConfigError` if it is unknown, or if a run with it was started.
    """
    with _lock_plan(folder) as changed:
        _remove(changed, name)
    return TournamentFolder(path=folder.path)


@contextmanager
def _lock_plan(folder: TournamentFolder) -> Generator[TournamentFolder]:
    """Lock the plan for this process, and yield the folder with its current plan."""
    handle = open_to_write(folder.path / _LOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield TournamentFolder(path=folder.path)
    finally:
        os.close(handle)


def _remove(folder: TournamentFolder, name: str) -> None:
    plan = folder.plan
    if name not in plan.contestants:
        raise ConfigError(f"no contestant {name!r}; there are: {', '.join(plan.contestants)}")
    shards = folder.path.glob(f"{SHARDS}/**/run.json")
    begun = [*folder.load_started_runs(), *(file.parent.name for file in shards)]
    left = tuple(tuple(one for one in entry if one != name) for entry in plan.entries)
    smaller = replace(plan, entries=left)
    kept = runs_of(smaller)
    if changed := [one for one in begun if kept.get(one) != folder.runs.get(one)]:
        raise ConfigError(
            f"{name!r} has matches in the run {changed[0]!r}, which was started; a run never "
            "changes"
        )
    folder.save_plan(smaller)


def check_plan(plan: TournamentPlan, scripts: Mapping[str, LoadedScript]) -> None:
    """Raise `ConfigError` or `ScriptError` if a run cannot start, independent of its servers."""
    known: dict[str, str] = {}
    for name in (*plan.contestants, *plan.opponents):
        who = read_contestant(name)
        meaning = repr((who.model, who.player, sorted(who.options.items())))
        if (same := known.setdefault(meaning, name)) != name:
            raise ConfigError(f"{same!r} and {name!r} are the same contestant; name it once")
    for config in runs_of(plan).values():
        written = {ref.sha256: scripts[ref.sha256].script for ref in config.scripts}
        check_run(config, find_game(config.game), written)


def check_planned(record: RunRecord, config: RunConfig) -> None:
    """Raise `RecordError` if a run was played with another configuration than planned."""
    if record.config != config:
        raise RecordError(
            f"the run {str(record.path)!r} is not the one that the tournament plans: its "
            "configuration has changed; restore it, or move the folder away to play the run "
            "again"
        )


def is_run(path: Path) -> bool:
    """Tell whether a run was started in a folder."""
    return (path / "run.json").exists()


def _save_scripts(path: Path, planned: PlannedTournament) -> TournamentPlan:
    """Copy the scripts into the folder, and return the plan that refers to the copies."""
    kept: dict[str, str] = {}
    for sha256, loaded in planned.scripts.items():
        if loaded.path:
            kept[sha256] = f"{_SCRIPTS}/{folder_name(script_ref(loaded))}"
            shutil.copytree(loaded.folder, path / kept[sha256])
    games = tuple(
        replace(
            game,
            scripts=tuple(replace(ref, path=kept.get(ref.sha256, "")) for ref in game.scripts),
        )
        for game in planned.plan.games
    )
    return replace(planned.plan, games=games)
