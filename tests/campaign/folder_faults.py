"""Faults of the run folder: full, read-only, moved away, without its index."""

import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.campaign.processes import Child
from tests.campaign.trial import (
    REFUSED,
    UNFINISHED,
    WHOLE,
    Trial,
)

_LEAST_SHARE: Final = 0.8
"""Of the room that the run needs; pictures and scripts alone need less."""
_LARGE_MIB: Final = 256
_AWAY_SECONDS: Final = 0.4


def limit_files(trial: Trial) -> None:
    """Let no file grow beyond a size for the rest of a sitting, as on a full disk."""
    for _ in range(trial.id.faults):
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(0.5)):
            largest = max((path.stat().st_size for path in _records(trial)), default=1)
            trial.count_fault(lost=trial.reference.most_in_flight)
            child.limit_file_size(int(largest * (0.3 + trial.chance.random())) + 1)
        trial.end(child, WHOLE, UNFINISHED, REFUSED)
    _conclude(trial)


def limit_from_the_start(trial: Trial) -> None:
    """Let no file grow beyond a few kilobytes while the run is made."""
    for _ in range(trial.id.faults):
        child = trial.start()
        trial.count_fault(lost=trial.reference.most_in_flight)
        child.limit_file_size(trial.chance.choice((1, 200, 5000, 40_000)))
        trial.end(child, WHOLE, UNFINISHED, REFUSED)
    _conclude(trial)


def fill_disk(trial: Trial) -> None:
    """Play on a file system that has too little room, then on the same with enough."""
    share = _LEAST_SHARE + trial.chance.random() * (1 - _LEAST_SHARE)
    with _small_disk(trial.run, int(trial.reference.size_kib * share)) as is_mounted:
        if not is_mounted:
            trial.skipped = "a tmpfs cannot be mounted here"
            return
        trial.count_fault(lost=trial.reference.most_in_flight)
        trial.end(trial.start(), UNFINISHED, REFUSED)
        _remount(trial.run, f"size={_LARGE_MIB}m")
        _conclude(trial)


def make_read_only(trial: Trial) -> None:
    """Make the folder of all matches immutable in the middle of a run, and later writable."""
    for _ in range(trial.id.faults):
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(0.4)):
            with _immutable(trial.run / "matches") as is_immutable:
                if not is_immutable:
                    trial.skipped = "the immutable attribute cannot be set here"
                    return
                trial.count_fault(lost=trial.reference.most_in_flight)
                trial.end(child, WHOLE, UNFINISHED)
        else:
            trial.end(child, WHOLE, UNFINISHED)
    _conclude(trial)


def resume_read_only(trial: Trial) -> None:
    """Resume a run whose folder is immutable: it is refused, and nothing is lost."""
    _break_off(trial)
    for _ in range(trial.id.faults):
        with _immutable(trial.run, recursive=True) as is_immutable:
            if not is_immutable:
                trial.skipped = "the immutable attribute cannot be set here"
                return
            trial.count_fault(lost=trial.reference.most_in_flight)
            trial.end(trial.start(), UNFINISHED, REFUSED)
    _conclude(trial)


def move_away(trial: Trial) -> None:
    """Move the run's folder away in the middle of a run, and back again."""
    away = trial.folder / "away"
    for _ in range(trial.id.faults):
        child = trial.start()
        is_moved = trial.wait_for_calls(child, trial.choose_moment(0.4))
        if is_moved:
            trial.run.rename(away)
            trial.count_fault(lost=trial.reference.most_in_flight)
            time.sleep(trial.chance.random() * _AWAY_SECONDS)
            _move_back(trial, away, child)
        trial.end(child, WHOLE, UNFINISHED)
    _conclude(trial)


def delete_index(trial: Trial) -> None:
    """Delete the index of a whole run: the next resume makes it again."""
    trial.end(trial.start(), WHOLE)
    for _ in range(trial.id.faults):
        trial.count_fault()
        (trial.run / "index.sqlite").unlink(missing_ok=True)
        trial.end(trial.start(), WHOLE)
        trial.compare()


def _move_back(trial: Trial, away: Path, child: Child) -> None:
    if trial.run.exists():
        trial.problems.append("the run's folder was made again while it was away")
        trial.kill(child)
        trial.run.rename(trial.folder / f"made-again-{trial.faults}")
    away.rename(trial.run)


def _break_off(trial: Trial) -> None:
    child = trial.start()
    trial.wait_for_calls(child, trial.choose_moment(0.5))
    trial.kill(child)


def _records(trial: Trial) -> list[Path]:
    return list(trial.run.glob("matches/*/*.jsonl"))


def _conclude(trial: Trial) -> None:
    trial.finish()
    trial.compare()


@contextmanager
def _small_disk(path: Path, size_kib: int) -> Generator[bool]:
    path.mkdir()
    made = _run("mount", "-t", "tmpfs", "-o", f"size={size_kib}k", "campaign", f"{path}")
    try:
        yield made
    finally:
        if made:
            _run("umount", "-l", f"{path}")


def _remount(path: Path, options: str) -> None:
    _run("mount", "-o", f"remount,{options}", f"{path}")


@contextmanager
def _immutable(path: Path, *, recursive: bool = False) -> Generator[bool]:
    options = ("-R",) if recursive else ()
    made = _run("chattr", *options, "+i", f"{path}")
    try:
        yield made
    finally:
        _run("chattr", *options, "-i", f"{path}")


def _run(*words: str) -> bool:
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


FOLDERS: Final[dict[str, Callable[[Trial], None]]] = {
    "disk-limit": limit_files,
    "disk-limit-start": limit_from_the_start,
    "disk-full": fill_disk,
    "read-only": make_read_only,
    "read-only-resume": resume_read_only,
    "folder-moved": move_away,
    "index-deleted": delete_index,
}
"""Faults of the folder, by kind."""
