"""WhodunitBench folders in, scripts and findings out; nothing is silently dropped or invented."""

from collections.abc import Iterable
from pathlib import Path

from scripts_mm.findings import Notebook, ranked
from scripts_mm.importers.imported import Imported, noted_id
from scripts_mm.importers.role_names import with_role_names
from scripts_mm.importers.texts import Reader, language_of, natural
from scripts_mm.importers.whodunit.checks import check_script
from scripts_mm.importers.whodunit.clues import public_clues
from scripts_mm.importers.whodunit.pictures import Pictured, picture_clues
from scripts_mm.importers.whodunit.questions import questions_of
from scripts_mm.importers.whodunit.source import ENVIRONMENT, IMAGES, RawCase, read_case
from scripts_mm.importers.whodunit.truth import truth_of, victims_of
from scripts_mm.reading import listed, seen
from scripts_mm.script import Language, Role, Script

SOURCE = "whodunit"
_SNAPSHOTS = frozenset({"env_p.json", "env_p_update.json"})


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
    script = with_role_names(script, notes)
    return Imported(script=script, pictures=pictured.files, findings=ranked(notes.found))


def is_whodunit(folder: Path) -> bool:
    """Tell whether a folder is a WhodunitBench script, by the one file that is imported."""
    return seen((folder / ENVIRONMENT).exists)


def _script(case: RawCase, language: Language, pictured: Pictured, notes: Notebook) -> Script:
    name = noted_id(case.folder, notes)
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
    others: Iterable[Path] = sorted(listed(folder), key=lambda path: natural(path.name))
    for path in others:
        if path.name in _SNAPSHOTS:
            notes.info("older-snapshot", path.name, f"not read: {ENVIRONMENT} is the current one")
        elif path.name not in (ENVIRONMENT, IMAGES):
            notes.info("stray-file", path.name, "not read: no part of the script")
