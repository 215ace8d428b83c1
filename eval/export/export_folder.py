"""The folder of an export: it appears complete or not at all."""

import json
import os
import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import ConfigError
from eval.played_match import UnreadMatch

REPORT: Final = "export.jsonl"
"""What was exported, and a line for every match that was left out. It marks an export."""
_MOST_NAMES: Final = 10
"""Matches that a line names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportResult:
    """What an export holds."""

    target: str
    matches: int
    rows: Mapping[str, int]
    """What the files hold, as table -> rows."""
    left_out: tuple[UnreadMatch, ...]

    def left_out_line(self) -> str:
        """Return one line that counts and names the matches that were left out."""
        lost = self.left_out
        named = "; ".join(f"{one.run}/{one.match}: {one.reason}" for one in lost[:_MOST_NAMES])
        more = len(lost) - _MOST_NAMES
        rest = f"; and {more} more, as {REPORT} tells" if more > 0 else ""
        return f"left out {len(lost)} of {self.matches + len(lost)} matches: {named}{rest}"


@contextmanager
def open_draft(out: Path, runs: Sequence[Path], *, overwrite: bool) -> Generator[Path]:
    """Yield a new folder beside `out` that takes its name where the block ends without an error.

    Raises `ConfigError` where `out` holds something, unless it is an export and may be replaced.
    """
    out = out.absolute()
    _check(out, runs, overwrite=overwrite)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        draft = out.with_name(f".{out.name}.{os.getpid()}")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot make a folder beside {str(out)!r}: {reason}") from error
    try:
        yield draft
        _replace(draft, out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_export_report(folder: Path, exported: ExportResult) -> None:
    """Write what was exported and what was left out, a JSON object a line."""
    lines: list[Mapping[str, object]] = [
        {"target": exported.target, "matches": exported.matches, "rows": dict(exported.rows)}
    ]
    lines += [
        {"run": one.run, "match": one.match, "left_out": one.reason} for one in exported.left_out
    ]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (folder / REPORT).write_text(text, encoding="utf-8")


def _check(out: Path, runs: Sequence[Path], *, overwrite: bool) -> None:
    place, there = out.resolve(), [run.resolve() for run in runs]
    if any(place == run or place in run.parents or run in place.parents for run in there):
        raise ConfigError(f"an export cannot lie in a run or around it; got {str(out)!r}")
    if not os.path.lexists(out) or (_is_folder(out) and not any(out.iterdir())):
        return
    if not _is_folder(out):
        raise ConfigError(f"{str(out)!r} is no folder; name one that is new or empty")
    if not overwrite:
        raise ConfigError(f"{str(out)!r} is not empty; name another folder, or add --overwrite")
    if not (out / REPORT).is_file():
        raise ConfigError(f"{str(out)!r} holds no export ({REPORT} is missing), so it is kept")


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _replace(draft: Path, out: Path) -> None:
    """Give the draft the name of `out`; what was there stays until then."""
    old = out.with_name(f".{out.name}.{os.getpid()}.old")
    had_one = out.exists()
    if had_one:
        out.rename(old)
    try:
        draft.rename(out)
    except OSError:
        if had_one:
            with suppress(OSError):
                old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)
