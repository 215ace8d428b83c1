"""The published formats: what makes a folder a script of each, and who reads it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from scripts_mm.importers import mirage, wellplay, whodunit
from scripts_mm.importers.given import Given
from scripts_mm.importers.imported import Imported
from scripts_mm.importers.mirage.source import ROLE_FILES, is_mirage
from scripts_mm.importers.mirage.truth import TRUTH
from scripts_mm.importers.wellplay.source import INFO, ROLES, is_wellplay
from scripts_mm.importers.whodunit.source import ENVIRONMENT
from scripts_mm.script import ScriptError

ALL = "all"
"""Any of the formats, told apart by their files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A published format."""

    name: str
    wanted: str
    """What a folder must hold to be a script of it."""
    is_script: Callable[[Path], bool]
    read: Callable[[Path, Given], Imported]
    """Imports one folder. Raises ScriptError where no script can be made of it."""
    beside: frozenset[str] = frozenset()
    """Files beside the scripts that belong to them."""
    takes_culprits: bool = False


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        form.name: form
        for form in (
            Form(
                name=whodunit.SOURCE,
                wanted=ENVIRONMENT,
                is_script=whodunit.is_whodunit,
                read=lambda folder, _: whodunit.import_whodunit(folder),
            ),
            Form(
                name=wellplay.SOURCE,
                wanted=f"{ROLES}/{INFO}",
                is_script=is_wellplay,
                read=lambda folder, _: wellplay.import_wellplay(folder),
            ),
            Form(
                name=mirage.SOURCE,
                wanted=" or ".join(ROLE_FILES.values()),
                is_script=is_mirage,
                read=mirage.import_mirage,
                beside=frozenset({TRUTH}),
                takes_culprits=True,
            ),
        )
    }
)


def forms_of(name: str) -> tuple[Form, ...]:
    """Return the format of a name, or every one for `all`. Raises ScriptError."""
    if name == ALL:
        return tuple(FORMS.values())
    if name not in FORMS:
        raise ScriptError(f"no format {name!r}; there are {', '.join((*FORMS, ALL))}")
    return (FORMS[name],)
