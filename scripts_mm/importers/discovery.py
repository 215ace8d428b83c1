"""Discovery of the script folders in a data set, at any level of language folders."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.importers.json_objects import list_sorted
from scripts_mm.safe_io import list_folder, require_folder, safe_check
from scripts_mm.script import ScriptError

MAX_LEVELS = 4
"""Levels below the given folder to search for scripts: format, data, language, script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFolders:
    """The script folders in natural order, and the other entries next to them."""

    folders: tuple[Path, ...]
    strangers: tuple[str, ...]
    """Relative paths of files and folders that are not scripts and contain none."""


def find_script_folders(
    folder: Path, is_script: Callable[[Path], bool], *, wanted: str, beside: frozenset[str]
) -> ScriptFolders:
    """Return the script folders at `folder`: itself, or those in it.

    `wanted` describes a script folder, for the error; `beside` are names of files that belong to
    the scripts next to them. Raises ScriptError if there are no scripts.
    """
    require_folder(folder, "a folder")
    list_folder(folder)
    if is_script(folder):
        return ScriptFolders(folders=(folder,), strangers=())
    found = _find_below(folder, is_script, MAX_LEVELS)
    if not found.folders:
        raise ScriptError(f"{str(folder)!r} contains no {wanted}, nor does a folder in it")
    strangers = [path for path in found.strangers if Path(path).name not in beside]
    names = [Path(path).relative_to(folder).as_posix() for path in strangers]
    return ScriptFolders(folders=found.folders, strangers=tuple(names))


def _find_below(folder: Path, is_script: Callable[[Path], bool], levels: int) -> ScriptFolders:
    """Return the scripts in `folder` and below, and the entries that lead to none."""
    folders: list[Path] = []
    strangers: list[str] = []
    for path in list_sorted(folder):
        if not safe_check(path.is_dir) or safe_check(path.is_symlink) or path.name.startswith("."):
            strangers.append(str(path))
        elif is_script(path):
            folders.append(path)
        else:
            inner = _find_below(path, is_script, levels - 1) if levels > 1 else None
            if inner is None or not inner.folders:
                strangers.append(str(path))
            else:
                folders += inner.folders
                strangers += inner.strangers
    return ScriptFolders(folders=tuple(folders), strangers=tuple(strangers))
