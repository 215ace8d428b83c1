"""The importer of WhodunitBench folders; it drops and invents nothing silently."""

from collections.abc import Iterable
from pathlib import Path

from scripts_mm.findings import FindingLog, sort_by_severity
from scripts_mm.importers.imported_script import ImportedScript, make_script_id
from scripts_mm.importers.lenient_reader import LenientReader, guess_language, natural_sort_key
from scripts_mm.importers.role_names import clean_role_names
from scripts_mm.importers.whodunit.checks import check_script
from scripts_mm.importers.whodunit.clues import build_public_clues
from scripts_mm.importers.whodunit.picture_clues import PictureClues, build_picture_clues
from scripts_mm.importers.whodunit.questions import build_questions
from scripts_mm.importers.whodunit.source import (
    DATA_FILE,
    IMAGES_FOLDER,
    RawWhodunitScript,
    read_raw_script,
)
from scripts_mm.importers.whodunit.truth import build_truth, find_victims
from scripts_mm.safe_io import list_folder, safe_check
from scripts_mm.script import Language, Role, Script

SOURCE = "whodunit"
_SNAPSHOTS = frozenset({"env_p.json", "env_p_update.json"})


def import_whodunit(folder: Path) -> ImportedScript:
    """Import the script in a WhodunitBench folder, from `env_p_all.json` and `img`.

    Every irregularity becomes a finding. Raises ScriptError only if the file, or at least two of
    its roles, cannot be read.
    """
    notes = FindingLog()
    case = read_raw_script(folder, LenientReader(notes))
    language = guess_language([role.back for role in case.roles] + [case.reason])
    pictured = build_picture_clues(folder, language, notes)
    script = _script(case, language, pictured, notes)
    _note_strays(folder, notes)
    check_script(script, notes)
    script = clean_role_names(script, notes)
    return ImportedScript(
        script=script, pictures=pictured.files, findings=sort_by_severity(notes.found)
    )


def is_whodunit(folder: Path) -> bool:
    """Return whether a folder is a WhodunitBench script, by the file that is imported."""
    return safe_check((folder / DATA_FILE).exists)


def _script(
    case: RawWhodunitScript, language: Language, pictured: PictureClues, notes: FindingLog
) -> Script:
    name = make_script_id(case.folder, notes)
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
        truth=build_truth(case, notes),
        clues=(*build_public_clues(case.public, language, notes), *pictured.clues),
        questions=build_questions(case, language, notes),
        victims=find_victims(case, notes),
        civilian_mission=case.civilian_mission,
        murderer_mission=case.murderer_mission,
        source=SOURCE,
    )


def _title(name: str) -> str:
    return " ".join("".join(char for char in name if char.isprintable()).split())


def _note_strays(folder: Path, notes: FindingLog) -> None:
    others: Iterable[Path] = sorted(
        list_folder(folder), key=lambda path: natural_sort_key(path.name)
    )
    for path in others:
        if path.name in _SNAPSHOTS:
            notes.info("older-snapshot", path.name, f"not read: {DATA_FILE} is the current one")
        elif path.name not in (DATA_FILE, IMAGES_FOLDER):
            notes.info("stray-file", path.name, "not read: not part of the script")
