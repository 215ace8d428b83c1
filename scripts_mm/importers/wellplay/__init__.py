"""The importer of WellPlay folders; it drops and invents nothing silently."""

import re
from collections.abc import Sequence
from pathlib import Path

from scripts_mm.findings import FindingLog, sort_by_severity
from scripts_mm.importers.aliases import find_aliases, fold_names
from scripts_mm.importers.imported_script import (
    ImportedScript,
    detect_ending,
    detect_language,
    make_script_id,
)
from scripts_mm.importers.json_objects import note_stray_files
from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.importers.role_names import clean_role_names
from scripts_mm.importers.wellplay.act_split import split_acts
from scripts_mm.importers.wellplay.checks import check_script
from scripts_mm.importers.wellplay.question_tables import (
    TABLES_FOLDER,
    QuestionTable,
    read_question_tables,
)
from scripts_mm.importers.wellplay.questions import build_questions
from scripts_mm.importers.wellplay.role_file import RawWellPlayRole
from scripts_mm.importers.wellplay.source import ROLES_FOLDER, RawWellPlayScript, read_raw_script
from scripts_mm.importers.wellplay.truth import build_truth, find_victims
from scripts_mm.names import name_error, text_form
from scripts_mm.script import Language, Part, PartName, Role, Script

SOURCE = "wellplay"
_COUNT = re.compile(r"[(（\[【][^()（）\[\]【】]*[)）\]】]\s*$")


def import_wellplay(folder: Path) -> ImportedScript:
    """Import the script in a WellPlay folder: `json` with its roles, `final_result` with tables.

    Every irregularity becomes a finding. Raises ScriptError only if fewer than two roles can be
    read.
    """
    notes = FindingLog()
    reader = LenientReader(notes, repairs=True)
    case = read_raw_script(folder, reader)
    asked = read_question_tables(folder, [role.name for role in case.roles], reader)
    language = detect_language(folder, [text for role in case.roles for text in role.script], notes)
    script = _script(case, asked, language, notes)
    note_stray_files(folder, frozenset({ROLES_FOLDER, TABLES_FOLDER}), reader)
    check_script(case, script, notes)
    script = clean_role_names(script, notes)
    return ImportedScript(script=script, pictures={}, findings=sort_by_severity(notes.found))


def _script(
    case: RawWellPlayScript, asked: tuple[QuestionTable, ...], language: Language, notes: FindingLog
) -> Script:
    victims = find_victims(case.roles, language, notes)
    name = make_script_id(case.folder, notes)
    return Script(
        id=name,
        title=_title(case, name, notes),
        language=language,
        roles=_roles(case, notes),
        truth=build_truth(case.roles, victims, notes),
        questions=build_questions(asked, language, notes),
        victims=victims,
        ending=detect_ending(case.folder, notes),
        source=SOURCE,
    )


def _title(case: RawWellPlayScript, name: str, notes: FindingLog) -> str:
    """Return the title in the data, else the folder's name without its last brackets."""
    plain = _COUNT.sub("", case.folder).strip()
    if not case.title:
        return plain if plain and name_error(plain) is None else name
    if text_form(case.title) != text_form(plain):
        detail = f"the title in the data is {case.title!r}, in the folder's name {case.folder!r}"
        notes.info("title-differs", "script_name", detail)
    return case.title


def _roles(case: RawWellPlayScript, notes: FindingLog) -> tuple[Role, ...]:
    taken = fold_names([role.name for role in case.roles])
    made: list[Role] = []
    for role in case.roles:
        aliases, parts = find_aliases(role.name, taken, notes), _parts(role, notes)
        private = "\n\n".join(part.text for part in parts if part.name != "purpose")
        made.append(
            Role(
                name=role.name,
                script=private,
                mission=_mission(parts),
                aliases=aliases,
                parts=parts,
            )
        )
    return tuple(made)


def _mission(parts: Sequence[Part]) -> str:
    """Return the purposes of all acts, without those contained in an earlier one."""
    told = ""
    for part in parts:
        if part.name == "purpose" and text_form(part.text) not in text_form(told):
            told = "\n".join(filter(None, (told, part.text)))
    return told


def _parts(role: RawWellPlayRole, notes: FindingLog) -> tuple[Part, ...]:
    """Return script, performance and purpose by act; secrets are in the first act's script."""
    script = list(split_acts(role, notes))
    if role.secrets:
        script[:1] = ["\n\n".join(filter(None, (*script[:1], role.secrets)))]
    purposes = list(_join_by_act(role.goals, role.questions))
    if role.final_goal:
        last = max(len(script), len(purposes), len(role.performance), 1)
        purposes += [""] * (last - len(purposes))
        purposes[-1] = "\n".join(filter(None, (purposes[-1], role.final_goal)))
    fields: dict[PartName, Sequence[str]] = {
        "script": script,
        "performance": role.performance,
        "purpose": purposes,
    }
    return tuple(
        Part(name=name, text=text, stage=stage)
        for name, texts in fields.items()
        for stage, text in enumerate(texts, 1)
        if text
    )


def _join_by_act(*lists: tuple[str, ...]) -> tuple[str, ...]:
    """Return the joined texts of several lists for each act."""
    acts = max(map(len, lists), default=0)
    return tuple(
        "\n".join(one[at] for one in lists if at < len(one) and one[at]) for at in range(acts)
    )
