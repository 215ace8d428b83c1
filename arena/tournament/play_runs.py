"""Play of a tournament's runs on this host, one after the other; finished ones are only read."""

from collections.abc import Callable, Iterator
from pathlib import Path

from arena.errors import ConfigError, RecordError
from arena.records.record_files import make_dirs
from arena.records.run_config import RunConfig, list_scripts
from arena.records.run_record import open_run
from arena.run.launch import ClaimMatch, RunResult, resume_run, start_run
from arena.run.observer import RunObserver
from arena.tournament.folder import SHARDS, TournamentFolder, check_planned, is_run
from scripts_mm.safe_io import error_reason


async def play_run(
    folder: TournamentFolder,
    config: RunConfig,
    path: Path,
    *,
    concurrency: int | None,
    observer: RunObserver,
    claim: ClaimMatch | None = None,
) -> RunResult:
    """Play a run of a tournament, or a shard of it, into `path`, or continue an existing one.

    Raises `RecordError` if another run is there.
    """
    if not is_run(path):
        scripts = [folder.load(ref) for ref in list_scripts(config)]
        try:
            make_dirs(folder.path, path.parent)
        except OSError as error:
            raise RecordError(f"cannot create {str(path)!r}: {error_reason(error)}") from error
        return await start_run(
            config, scripts, path, concurrency=concurrency, observer=observer, claim=claim
        )
    check_planned(open_run(path), config)
    return await resume_run(path, concurrency=concurrency, observer=observer, claim=claim)


def find_unfinished(folder: TournamentFolder) -> Iterator[tuple[str, RunConfig]]:
    """Yield the runs with unfinished matches, by name."""
    started = folder.load_started_runs()
    for name, config in folder.runs.items():
        if name not in started or started[name].find_results() is None:
            yield name, config


async def play_tournament(
    folder: TournamentFolder,
    *,
    concurrency: int | None,
    observer: Callable[[str], RunObserver],
) -> tuple[RunResult, ...]:
    """Play all runs that are not finished; `observer` creates the observer of one.

    Raises `ConfigError` if workers have played parts that are not merged.
    """
    if (folder.path / SHARDS).exists() and any(find_unfinished(folder)):
        raise ConfigError(
            f"the tournament {str(folder.path)!r} is played in shards: continue with `arena "
            "cluster worker`, or merge them, delete its folders shards and claims, and play the "
            "rest here"
        )
    return tuple(
        [
            await play_run(
                folder,
                config,
                folder.run_path(name),
                concurrency=concurrency,
                observer=observer(name),
            )
            for name, config in find_unfinished(folder)
        ]
    )
