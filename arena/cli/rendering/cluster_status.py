"""Output of `arena cluster status`: each shard, its worker, and the next step."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.cli.console.shell import shell_command
from arena.cli.rendering.formatting import UNKNOWN
from arena.cli.rendering.named_rows import NamedRows
from arena.cluster.worker_progress import TournamentProgress, WorkerProgress

_SHOWN = 8


def worker_table(found: TournamentProgress) -> NamedRows:
    """Return one row per shard: its remaining matches, and the state of its worker."""
    return NamedRows(
        heads=("shard", "left", "finished", "begun", "worker"),
        rows=[
            (
                str(one.worker),
                UNKNOWN if one.left is None else str(one.left),
                str(one.finished),
                str(one.begun),
                _state_text(one),
            )
            for one in found.workers
        ],
        names=0,
        words=1,
    )


def status_lines(found: TournamentProgress, out: Path) -> Iterator[str]:
    """Yield the total progress, and the next step."""
    merged = f", {found.merged:,} of them merged" if found.merged else ""
    yield f"{found.finished:,} of {found.planned:,} matches are finished{merged}"
    merge = shell_command("cluster", "merge", str(out))
    idle = [one for one in found.workers if one.is_idle]
    if found.merged == found.planned:
        yield f"all are merged; next: `{shell_command('tournament', 'standings', str(out))}`"
    elif found.finished == found.planned:
        yield f"all are played; next: `{merge}`"
    elif not found.workers:
        start = shell_command("cluster", "worker", str(out), "--shard", "0/N")
        yield (
            f"no worker has started; next: `{start}` for each of N shards, or "
            "`arena cluster submit`"
        )
    elif any(one.is_alive for one in found.workers):
        yield f"workers are playing, and take over what others have left; then: `{merge}`"
        if idle:
            yield f"to be faster, {_start_text(idle, out)}"
    else:
        yield f"no worker is playing; next, {_start_text(idle or found.workers, out)}"


def _start_text(idle: Sequence[WorkerProgress], out: Path) -> str:
    first, *others = idle
    shard = f"{first.worker}/{'N' if first.count is None else first.count}"
    command = shell_command("cluster", "worker", str(out), "--shard", shard)
    if not others:
        return f"start shard {first.worker}: `{command}`"
    shown = ", ".join(str(one.worker) for one in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return f"start shard {first.worker}: `{command}`; likewise {shown}{more}"


def _state_text(one: WorkerProgress) -> str:
    match one.state:
        case "playing":
            return f"playing: {one.holder}"
        case "silent":
            silent = f"silent {one.silent:.0f} s: {one.holder}"
            return silent if one.is_alive else f"{silent}; counts as dead"
        case "finished" if not one.finished:
            return "finished by others"
        case state:
            return state
