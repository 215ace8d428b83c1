"""MIRAGE folders in, scripts and findings out; nothing is silently dropped or invented."""

from collections.abc import Mapping
from pathlib import Path

from scripts_mm.findings import Notebook, ranked
from scripts_mm.importers.given import NOTHING, Given
from scripts_mm.importers.imported import Imported, ending_of, language_in, noted_id
from scripts_mm.importers.labels import aliases_in, folded_names
from scripts_mm.importers.mirage.checks import check_case
from scripts_mm.importers.mirage.clues import clues_of
from scripts_mm.importers.mirage.source import CLUE_FILES, ROLE_FILES, RawCase, RawRole, read_case
from scripts_mm.importers.mirage.truth import TRUTH, truth_of, truth_text
from scripts_mm.importers.objects import note_strays
from scripts_mm.importers.role_names import with_role_names
from scripts_mm.importers.texts import Reader
from scripts_mm.names import folded, name_error, text_form
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


def import_mirage(folder: Path, given: Given = NOTHING) -> Imported:
    """Import the script in a MIRAGE folder: its roles, clues and the language's `Truth.json`.

    No file names a culprit; `given` may. Every irregularity becomes a finding. Raises ScriptError
    only if fewer than two roles can be read.
    """
    notes = Notebook()
    reader = Reader(notes, mends=True)
    case = read_case(folder, reader)
    texts = [text for role in case.roles for _, _, text in role.texts()]
    language = language_in(folder, texts, notes)
    title = _title(case, reader)
    names = [role.name for role in case.roles]
    told = truth_text(folder, case.folder, reader)
    culprits = given.culprits_of(case.folder, title)
    if culprits is not None:
        culprits = tuple(filter(None, (reader.name(one, "culprits given") for one in culprits)))
    script = Script(
        id=noted_id(case.folder, notes),
        title=title,
        language=language,
        roles=_roles(case, language, notes),
        truth=truth_of(told, culprits, names, notes),
        clues=clues_of(case.clues, names, reader),
        ending=ending_of(case.folder, notes),
        source=SOURCE,
    )
    known = frozenset({*ROLE_FILES.values(), *CLUE_FILES.values(), TRUTH})
    note_strays(folder, known, reader)
    check_case(script, notes)
    script = with_role_names(script, notes)
    return Imported(script=script, pictures={}, findings=ranked(notes.found))


def _title(case: RawCase, reader: Reader) -> str:
    plain = case.folder.strip()
    return plain if name_error(plain) is None else reader.name(plain, "folder") or "script"


def _roles(case: RawCase, language: Language, notes: Notebook) -> tuple[Role, ...]:
    taken = folded_names([role.name for role in case.roles])
    made: list[Role] = []
    for raw in case.roles:
        aliases = list(aliases_in(raw.name, taken, notes))
        for name in raw.aliases:
            if folded(name) not in taken:
                taken.add(folded(name))
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


def _parts(role: RawRole) -> tuple[Part, ...]:
    """Return what is new in each stage: neither empty nor what the field said last."""
    last: dict[PartName, str] = {}
    found: list[Part] = []
    for stage, name, text in role.texts():
        if last.get(name) != text_form(text):
            last[name] = text_form(text)
            found.append(Part(name=name, text=text, stage=stage))
    return tuple(found)


def _whole(parts: tuple[Part, ...], language: Language) -> str:
    """Return all parts in one text under headings of their fields and, of several, stages."""
    stages = sorted({part.stage for part in parts})
    lines: list[str] = []
    for stage in stages:
        if stages != [1]:
            lines.append(f"第{stage}幕" if language == "zh" else f"Stage {stage}")
        own = (part for part in parts if part.stage == stage)
        lines += [f"{_HEADINGS[language][part.name]}\n{part.text}" for part in own]
    return "\n\n".join(lines)
