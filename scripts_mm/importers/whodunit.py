"""WhodunitBench folders in, scripts and findings out; nothing is silently dropped or invented."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.findings import Finding, Notebook, ranked
from scripts_mm.importers.texts import Reader, language_of, natural
from scripts_mm.importers.whodunit_checks import check_script
from scripts_mm.importers.whodunit_clues import public_clues
from scripts_mm.importers.whodunit_pictures import Pictured, picture_clues
from scripts_mm.importers.whodunit_questions import questions_of
from scripts_mm.importers.whodunit_source import ENVIRONMENT, IMAGES, RawCase, read_case
from scripts_mm.importers.whodunit_truth import truth_of, victims_of
from scripts_mm.names import MAX_ID, id_fault
from scripts_mm.script import Language, Role, Script, ScriptError

SOURCE = "whodunit"
_SNAPSHOTS = frozenset({"env_p.json", "env_p_update.json"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A script that came in, the bytes of its pictures by file name, and what was irregular."""

    script: Script
    pictures: Mapping[str, bytes]
    findings: tuple[Finding, ...]


def import_whodunit(folder: Path) -> Imported:
    """Import the script in a WhodunitBench folder, from `env_p_all.json` and `img`.

    Every irregularity becomes a finding. Raises ScriptError only if the file cannot be read at all
    or fewer than two roles can be read of it.
    """
    notes = Notebook()
    case = read_case(folder, Reader(notes))
    language = language_of([role.back for role in case.roles] + [case.reason])
    pictured = picture_clues(folder, language, notes)
    script = _script(case, language, pictured, notes)
    _note_strays(folder, notes)
    check_script(script, notes)
    return Imported(script=script, pictures=pictured.files, findings=ranked(notes.found))


def script_folders(folder: Path) -> tuple[Path, ...]:
    """Return the WhodunitBench folders at `folder`: itself, or those in it, in natural order.

    Raises ScriptError if there are none.
    """
    if (folder / ENVIRONMENT).exists():
        return (folder,)
    if not folder.is_dir():
        what = "is a file; a folder is wanted" if folder.exists() else "is not there"
        raise ScriptError(f"{str(folder)!r} {what}")
    found = [path.parent for path in folder.glob(f"*/{ENVIRONMENT}")]
    if not found:
        raise ScriptError(f"{str(folder)!r} holds no {ENVIRONMENT}, nor does a folder in it")
    return tuple(sorted(found, key=lambda path: natural(path.name)))


def strangers(folder: Path) -> tuple[str, ...]:
    """Return the names beside the scripts in `folder` that are no scripts and are not read."""
    if (folder / ENVIRONMENT).exists():
        return ()
    names = (path.name for path in folder.iterdir() if not (path / ENVIRONMENT).exists())
    return tuple(sorted(names, key=natural))


def script_id(name: str) -> str:
    """Return a folder's name as a script's id, changed only where it could not be one."""
    if id_fault(name) is None:
        return name
    plain = "".join(char if char.isalnum() or char in "._-" else "-" for char in name)
    parts = [part for part in plain.split("-") if part]
    return "-".join(parts).strip("._-")[:MAX_ID].rstrip("._-") or "script"


def _script(case: RawCase, language: Language, pictured: Pictured, notes: Notebook) -> Script:
    name = script_id(case.folder)
    if name != case.folder:
        notes.info("id-changed", "folder", f"{case.folder!r} cannot be an id; taken: {name!r}")
    return Script(
        id=name,
        title=_title(case.folder) or name,
        language=language,
        roles=tuple(
            Role(
                name=role.name,
                script=role.back,
                introduction=role.introduction or None,
                reply=role.reply or None,
            )
            for role in case.roles
        ),
        truth=truth_of(case, notes),
        clues=(*public_clues(case.public, language, notes), *pictured.clues),
        questions=questions_of(case, language, notes),
        victims=victims_of(case, notes),
        civilian_mission=case.civilian_mission,
        murderer_mission=case.murderer_mission,
        source=SOURCE,
    )


def _title(name: str) -> str:
    return " ".join("".join(char for char in name if char.isprintable()).split())


def _note_strays(folder: Path, notes: Notebook) -> None:
    others: Iterable[Path] = sorted(folder.iterdir(), key=lambda path: natural(path.name))
    for path in others:
        if path.name in _SNAPSHOTS:
            notes.info("older-snapshot", path.name, f"not read: {ENVIRONMENT} is the current one")
        elif path.name not in (ENVIRONMENT, IMAGES):
            notes.info("stray-file", path.name, "not read: no part of the script")
