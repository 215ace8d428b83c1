"""The importer of MIRAGE folders; it drops and invents nothing silently."""

from collections.abc import Mapping
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
from scripts_mm.importers.mirage.checks import check_script
from scripts_mm.importers.mirage.clues import build_clues
from scripts_mm.importers.mirage.source import (
    CLUE_FILES,
    ROLE_FILES,
    RawMirageRole,
    RawMirageScript,
    read_raw_script,
)
from scripts_mm.importers.mirage.truth import TRUTH_FILE, build_truth, read_truth_text
from scripts_mm.importers.role_names import clean_role_names
from scripts_mm.importers.supplied_culprits import NO_CULPRITS, SuppliedCulprits
from scripts_mm.names import fold_name, name_error, text_form
from scripts_mm.script import Language, Part, PartName, Role, Script

SOURCE = "mirage"
_HEADINGS: Mapping[Language, Mapping[PartName, str]] = {
    "zh": {
        "story": "背景",
        "script": "经历",
        "relationship": "人物关系",
        "performance": "表演要求",
        "purpose": "目标",
        "ability": "能力",
    },
    "en": {
        "story": "Background",
        "script": "Events",
        "relationship": "Relations",
        "performance": "How to act",
        "purpose": "Goals",
        "ability": "Abilities",
    },
}


def import_mirage(folder: Path, given: SuppliedCulprits = NO_CULPRITS) -> ImportedScript:
    """Import the script in a MIRAGE folder: its roles, clues and the language's `Truth.json`.

    No file names a culprit; `given` can. Every irregularity becomes a finding. Raises ScriptError
    only if fewer than two roles can be read.
    """
    notes = FindingLog()
    reader = LenientReader(notes, repairs=True)
    case = read_raw_script(folder, reader)
    texts = [text for role in case.roles for _, _, text in role.texts()]
    language = detect_language(folder, texts, notes)
    title = _title(case, reader)
    names = [role.name for role in case.roles]
    told = read_truth_text(folder, case.folder, reader)
    culprits = given.culprits_of(case.folder, title)
    if culprits is not None:
        culprits = tuple(filter(None, (reader.name(one, "culprits given") for one in culprits)))
    script = Script(
        id=make_script_id(case.folder, notes),
        title=title,
        language=language,
        roles=_roles(case, language, notes),
        truth=build_truth(told, culprits, names, notes),
        clues=build_clues(case.clues, names, reader),
        ending=detect_ending(case.folder, notes),
        source=SOURCE,
    )
    known = frozenset({*ROLE_FILES.values(), *CLUE_FILES.values(), TRUTH_FILE})
    note_stray_files(folder, known, reader)
    check_script(script, notes)
    script = clean_role_names(script, notes)
    return ImportedScript(script=script, pictures={}, findings=sort_by_severity(notes.found))


def _title(case: RawMirageScript, reader: LenientReader) -> str:
    plain = case.folder.strip()
    return plain if name_error(plain) is None else reader.name(plain, "folder") or "script"


def _roles(case: RawMirageScript, language: Language, notes: FindingLog) -> tuple[Role, ...]:
    taken = fold_names([role.name for role in case.roles])
    made: list[Role] = []
    for raw in case.roles:
        aliases = list(find_aliases(raw.name, taken, notes))
        for name in raw.aliases:
            if fold_name(name) not in taken:
                taken.add(fold_name(name))
                aliases.append(name)
        parts = _parts(raw)
        made.append(
            Role(
                name=raw.name,
                script=_whole(parts, language),
                mission="\n".join(part.text for part in parts if part.name == "purpose"),
                aliases=tuple(aliases),
                parts=parts,
            )
        )
    return tuple(made)


def _parts(role: RawMirageRole) -> tuple[Part, ...]:
    """Return the new text of each stage: not empty and not a repetition of the last stage's."""
    last: dict[PartName, str] = {}
    found: list[Part] = []
    for stage, name, text in role.texts():
        if last.get(name) != text_form(text):
            last[name] = text_form(text)
            found.append(Part(name=name, text=text, stage=stage))
    return tuple(found)


def _whole(parts: tuple[Part, ...], language: Language) -> str:
    """Return all parts in one text under headings by field and, if there are several, stage."""
    stages = sorted({part.stage for part in parts})
    lines: list[str] = []
    for stage in stages:
        if stages != [1]:
            lines.append(f"第{stage}幕" if language == "zh" else f"Stage {stage}")
        own = (part for part in parts if part.stage == stage)
        lines += [f"{_HEADINGS[language][part.name]}\n{part.text}" for part in own]
    return "\n\n".join(lines)
