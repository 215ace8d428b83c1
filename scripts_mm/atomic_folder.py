"""Atomic writing of a folder: next to its target first, then renamed."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

from scripts_mm.safe_io import error_reason
from scripts_mm.script import ScriptError


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, marker: str, force: bool = False
) -> None:
    """Write `files` (bytes by relative path with `/`) to a new `folder`.

    With `force`, replace a folder that contains `marker`, the file that marks it as a script.
    Raises ScriptError for any other folder that is not empty; then nothing has changed.
    """
    check_target(folder, marker, force)
    unfinished = folder.with_name(f".{folder.name}.{uuid4().hex}.part")
    try:
        for name, data in files.items():
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        _move_into_place(unfinished, folder)
    except OSError as error:
        raise ScriptError(f"cannot write {str(folder)!r}: {error_reason(error)}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def check_target(folder: Path, marker: str, force: bool = False) -> None:
    """Raise ScriptError if `write_folder` would refuse `folder`."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise ScriptError(f"{str(folder)!r} is not a folder; name a new or empty folder")
        if not folder.is_dir() or not any(folder.iterdir()):
            return
    except OSError as error:
        raise ScriptError(f"cannot write {str(folder)!r}: {error_reason(error)}") from error
    if not (folder / marker).is_file():
        raise ScriptError(f"{str(folder)!r} is not empty and not a script; name another folder")
    if not force:
        raise ScriptError(f"{str(folder)!r} already contains a script; --force replaces it")


def _move_into_place(unfinished: Path, folder: Path) -> None:
    """Rename the new folder to its target; on failure restore the old one."""
    if not folder.exists() or not any(folder.iterdir()):
        unfinished.rename(folder)
        return
    old = folder.with_name(f".{folder.name}.{uuid4().hex}.old")
    folder.rename(old)
    try:
        unfinished.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
