"""The folder of an export, written atomically."""

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
"""The result, and a line for every omitted match. The file marks an export."""
_MOST_NAMES: Final = 10
"""The most omitted matches that a message names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportResult:
    """The result of an export."""

    target: str
    matches: int
    rows: Mapping[str, int]
    """Table -> number of rows."""
    left_out: tuple[UnreadMatch, ...]

    def left_out_line(self) -> str:
        """Return one line that counts and names the omitted matches."""
        lost = self.left_out
        named = "; ".join(f"{one.run}/{one.match}: {one.reason}" for one in lost[:_MOST_NAMES])
        more = len(lost) - _MOST_NAMES
        rest = f"; and {more} more, listed in {REPORT}" if more > 0 else ""
        return f"left out {len(lost)} of {self.matches + len(lost)} matches: {named}{rest}"


@contextmanager
def open_draft(out: Path, runs: Sequence[Path], *, overwrite: bool) -> Generator[Path]:
    """Yield a new folder next to `out`; rename it to `out` if the block succeeds.

    Raises `ConfigError` if `out` is not empty, unless it is an export and `overwrite` is true.
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
        raise ConfigError(f"cannot create a folder next to {str(out)!r}: {reason}") from error
    try:
        yield draft
        _replace(draft, out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_export_report(folder: Path, exported: ExportResult) -> None:
    """Write the result and the omitted matches, one JSON object per line."""
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
        raise ConfigError(f"an export cannot be inside a run or contain one; got {str(out)!r}")
    if not os.path.lexists(out) or (_is_folder(out) and not any(out.iterdir())):
        return
    if not _is_folder(out):
        raise ConfigError(f"{str(out)!r} is not a folder; name one that is new or empty")
    if not overwrite:
        raise ConfigError(f"{str(out)!r} is not empty; name another folder, or add --overwrite")
    if not (out / REPORT).is_file():
        raise ConfigError(f"{str(out)!r} is not an export ({REPORT} is missing), so it is kept")


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _replace(draft: Path, out: Path) -> None:
    """Rename the draft to `out`; an older export stays until then."""
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
