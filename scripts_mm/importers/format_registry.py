"""The registry of published formats: how to recognise and read each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from scripts_mm.importers import mirage, wellplay, whodunit
from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.mirage.source import ROLE_FILES, is_mirage
from scripts_mm.importers.mirage.truth import TRUTH_FILE
from scripts_mm.importers.supplied_culprits import SuppliedCulprits
from scripts_mm.importers.wellplay.source import INFO_FILE, ROLES_FOLDER, is_wellplay
from scripts_mm.importers.whodunit.source import DATA_FILE
from scripts_mm.script import ScriptError

ALL = "all"
"""Any of the formats, distinguished by their files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """A published format."""

    name: str
    wanted: str
    """What a folder must contain to be a script of the format."""
    is_script: Callable[[Path], bool]
    read: Callable[[Path, SuppliedCulprits], ImportedScript]
    """Imports one folder. Raises ScriptError if no script can be made of it."""
    beside: frozenset[str] = frozenset()
    """Names of files next to the scripts that belong to them."""
    takes_culprits: bool = False


FORMATS: Mapping[str, FormatSpec] = MappingProxyType(
    {
        form.name: form
        for form in (
            FormatSpec(
                name=whodunit.SOURCE,
                wanted=DATA_FILE,
                is_script=whodunit.is_whodunit,
                read=lambda folder, _: whodunit.import_whodunit(folder),
            ),
            FormatSpec(
                name=wellplay.SOURCE,
                wanted=f"{ROLES_FOLDER}/{INFO_FILE}",
                is_script=is_wellplay,
                read=lambda folder, _: wellplay.import_wellplay(folder),
            ),
            FormatSpec(
                name=mirage.SOURCE,
                wanted=" or ".join(ROLE_FILES.values()),
                is_script=is_mirage,
                read=mirage.import_mirage,
                beside=frozenset({TRUTH_FILE}),
                takes_culprits=True,
            ),
        )
    }
)


def select_formats(name: str) -> tuple[FormatSpec, ...]:
    """Return the format called `name`, or all for `all`. Raises ScriptError."""
    if name == ALL:
        return tuple(FORMATS.values())
    if name not in FORMATS:
        raise ScriptError(f"no format {name!r}; known: {', '.join((*FORMATS, ALL))}")
    return (FORMATS[name],)
