"""`arena cluster worker`, `status` and `merge`: play the shards of a tournament and merge them."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.commands.arguments import (
    Admission,
    AsJson,
    Concurrency,
    NoColor,
    parse_concurrency,
)
from arena.cli.console.json_out import JsonOut
from arena.cli.console.match_log import WorkerLog, log_line
from arena.cli.console.screens import Consoles, open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.exit_status import FAILED, INTERRUPTED
from arena.cli.rendering.cluster_status import status_lines, worker_table
from arena.cli.rendering.formatting import format_plural
from arena.cli.rendering.layout import print_prose
from arena.cli.rendering.named_rows import print_rows
from arena.cluster.merge import MergeResult, merge_shards
from arena.cluster.shards import count_blocks, describe_surplus, parse_shard
from arena.cluster.slurm import REQUEUE_STATUS
from arena.cluster.worker import Worker, WorkerResult
from arena.cluster.worker_engines import serve_models
from arena.cluster.worker_lease import LEASE_SECONDS, MAX_LEASE_SECONDS
from arena.cluster.worker_progress import read_progress
from arena.errors import ConfigError
from arena.players.contestants import read_contestant
from arena.records.run_config import Shard
from arena.run.observer import BaseObserver, CompositeObserver
from arena.tournament.folder import TournamentFolder, open_tournament
from serving.commands.consent_options import engine_consent_options
from serving.host.hardware import detect

_SHOWN: Final = 5
"""Missing matches that a merge lists."""

TournamentPath = Annotated[
    Path, typer.Argument(help="The tournament's folder, which all workers can access.")
]


@engine_consent_options
def worker_command(  # noqa: PLR0913, PLR0917 - one argument an option
    out: TournamentPath,
    shard: Annotated[
        str | None,
        typer.Option("--shard", help="i/n, from 0 [default: from the Slurm array's variables]."),
    ] = None,
    concurrency: Concurrency = None,
    admission: Admission = "on",
    lease: Annotated[
        float,
        typer.Option("--lease", help="Seconds without a heartbeat until a worker counts as dead."),
    ] = LEASE_SECONDS,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Play one shard of a tournament, then matches that dead or slow workers have not started.

    SIGTERM stops it with exit status 75; the same command continues.
    """
    part = parse_shard(shard) if shard is not None else read_slurm_shard(os.environ)
    most = parse_concurrency(concurrency, admission)
    if not 1 <= lease <= MAX_LEASE_SECONDS:
        raise ConfigError(
            f"--lease must be between 1 and {MAX_LEASE_SECONDS:g} seconds, got {lease:g}"
        )
    folder = open_tournament(out)
    shown = open_consoles(no_color=no_color)
    worker = Worker(
        folder=folder,
        shard=part,
        observer=lambda _: _make_observer(shown, as_json=as_json),
        serve=lambda: serve_models(
            _model_names(folder),
            detect(folder.path),
            lambda line: log_line(shown.err, line),
        ),
        concurrency=most,
        lease=lease,
    )
    if surplus := describe_surplus(part.count, count_blocks(folder.runs)):
        log_line(shown.err, surplus)
    result = asyncio.run(_run_worker(worker))
    if isinstance(result, signal.Signals):
        # A cluster can send TERM twice: the second one must not end Python with another status.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        line = f"shard {part.index}/{part.count} was stopped; the same command continues"
        log_line(shown.err, line)
        raise typer.Exit(REQUEUE_STATUS if result is signal.SIGTERM else INTERRUPTED)
    matches = format_plural(result.matches, "match", "matches")
    log_line(
        shown.err,
        f"shard {part.index}/{part.count} is finished: {matches}, {len(result.errors)} ended as "
        "an error",
    )
    if result.errors:
        raise typer.Exit(FAILED)


def status_command(out: TournamentPath, as_json: AsJson = False, no_color: NoColor = False) -> None:
    """Show the remaining matches of each shard, the state of its worker, and the next step."""
    found = read_progress(open_tournament(out))
    if as_json:
        writer = JsonOut(sys.stdout)
        for one in found.workers:
            writer.write(one.as_object())
        writer.write({"planned": found.planned, "finished": found.finished, "merged": found.merged})
        return
    screen = open_consoles(no_color=no_color).out
    if found.workers:
        print_rows(screen, worker_table(found))
    print_prose(screen, *status_lines(found, out))


def merge_command(out: TournamentPath, as_json: AsJson = False, no_color: NoColor = False) -> None:
    """Merge the finished matches of all shards into the runs of the tournament."""
    folder = open_tournament(out)
    found = merge_shards(folder)
    if not found:
        raise ConfigError(f"no match has been played in {str(out)!r} yet; start workers first")
    shown = open_consoles(no_color=no_color)
    writer = JsonOut(sys.stdout)
    for one in found:
        if as_json:
            writer.write(one.as_object())
        else:
            print_prose(shown.out, *_merge_lines(one))
    if not as_json:
        is_whole = len(found) == len(folder.runs) and not any(one.missing for one in found)
        print_prose(shown.out, _next_step(out, is_whole=is_whole))
    if any(one.conflicts or one.damaged for one in found):
        raise typer.Exit(FAILED)


def read_slurm_shard(environ: Mapping[str, str]) -> Shard:
    """Return the shard of a Slurm array's task, or raise `ConfigError`."""
    values = [environ.get(f"SLURM_ARRAY_TASK_{name}", "") for name in ("ID", "COUNT")]
    if not all(value.isdecimal() for value in values):
        raise ConfigError(
            "a worker needs --shard i/n, or the variables SLURM_ARRAY_TASK_ID and "
            "SLURM_ARRAY_TASK_COUNT of a Slurm array"
        )
    return Shard(index=int(values[0]), count=int(values[1]))


async def _run_worker(worker: Worker) -> WorkerResult | signal.Signals:
    """Play the shard; return the signal if SIGTERM or SIGINT stopped it."""
    task = asyncio.current_task()
    assert task is not None
    stopped: signal.Signals | None = None

    def stop(number: signal.Signals) -> None:
        nonlocal stopped
        if stopped is None:
            task.cancel()
        stopped = stopped or number

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    try:
        return await worker.play()
    except asyncio.CancelledError:
        if stopped is None:
            raise
        return stopped


def _model_names(folder: TournamentFolder) -> list[str]:
    plan = folder.plan
    names = (*plan.contestants, *plan.opponents)
    return [who.model for who in map(read_contestant, names) if who.model is not None]


def _merge_lines(merged: MergeResult) -> list[str]:
    return [
        f"run {merged.run}: {merged.there + merged.copied} of {merged.planned} matches, "
        f"{merged.copied} new, {len(merged.duplicates)} finished twice with equal results",
        *(
            f"  finished twice with different results, the first counts: {one}"
            for one in merged.conflicts
        ),
        *(f"  damaged: {one}" for one in merged.damaged),
        *([f"  missing: {_list_names(merged.missing)}"] if merged.missing else []),
    ]


def _next_step(out: Path, *, is_whole: bool) -> str:
    if is_whole:
        return f"nothing is missing; next: `{shell_command('tournament', 'standings', str(out))}`"
    command = shell_command("cluster", "status", str(out))
    return f"matches are missing; `{command}` shows which workers to start"


def _list_names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _make_observer(shown: Consoles, *, as_json: bool) -> BaseObserver:
    log = WorkerLog(shown.err)
    return CompositeObserver(log, JsonOut(sys.stdout)) if as_json else log
