"""WellPlay folders in, scripts and findings out; nothing is silently dropped or invented."""

import re
from collections.abc import Sequence
from pathlib import Path

from scripts_mm.findings import Notebook, ranked
from scripts_mm.importers.imported import Imported, ending_of, language_in, noted_id
from scripts_mm.importers.labels import aliases_in, folded_names
from scripts_mm.importers.objects import note_strays
from scripts_mm.importers.role_names import with_role_names
from scripts_mm.importers.texts import Reader
from scripts_mm.importers.wellplay.acts import acts_of
from scripts_mm.importers.wellplay.asked import ASKED, Asked, read_asked
from scripts_mm.importers.wellplay.checks import check_case
from scripts_mm.importers.wellplay.questions import questions_of
from scripts_mm.importers.wellplay.role import RawRole
from scripts_mm.importers.wellplay.source import ROLES, RawCase, read_case
from scripts_mm.importers.wellplay.truth import truth_of, victims_of
from scripts_mm.names import name_error, text_form
from scripts_mm.script import Language, Part, PartName, Role, Script

SOURCE = "wellplay"
_COUNT = re.compile(r"[(（\[【][^()（）\[\]【】]*[)）\]】]\s*$")


def import_wellplay(folder: Path) -> Imported:
    """Import the script in a WellPlay folder: `json` with its roles, `final_result` with tables.

    Every irregularity becomes a finding. Raises ScriptError only if fewer than two roles can be
    read.
    """
    notes = Notebook()
    reader = Reader(notes, mends=True)
    case = read_case(folder, reader)
    asked = read_asked(folder, [role.name for role in case.roles], reader)
    language = language_in(folder, [text for role in case.roles for text in role.script], notes)
    script = _script(case, asked, language, notes)
    note_strays(folder, frozenset({ROLES, ASKED}), reader)
    check_case(case, script, notes)
    script = with_role_names(script, notes)
    return Imported(script=script, pictures={}, findings=ranked(notes.found))


def _script(case: RawCase, asked: tuple[Asked, ...], language: Language, notes: Notebook) -> Script:
    victims = victims_of(case.roles, language, notes)
    name = noted_id(case.folder, notes)
    return Script(
        id=name,
        title=_title(case, name, notes),
        language=language,
        roles=_roles(case, notes),
        truth=truth_of(case.roles, victims, notes),
        questions=questions_of(asked, language, notes),
        victims=victims,
        ending=ending_of(case.folder, notes),
        source=SOURCE,
    )


def _title(case: RawCase, name: str, notes: Notebook) -> str:
    """Return the title that the data state, else the folder's name without its last brackets."""
    plain = _COUNT.sub("", case.folder).strip()
    if not case.title:
        return plain if plain and name_error(plain) is None else name
    if text_form(case.title) != text_form(plain):
        detail = f"the data call the script {case.title!r}, its folder {case.folder!r}"
        notes.info("title-differs", "script_name", detail)
    return case.title


def _roles(case: RawCase, notes: Notebook) -> tuple[Role, ...]:
    taken = folded_names([role.name for role in case.roles])
    made: list[Role] = []
    for role in case.roles:
        aliases, parts = aliases_in(role.name, taken, notes), _parts(role, notes)
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
    """Return the purposes of all acts, without those that stand in an earlier one."""
    told = ""
    for part in parts:
        if part.name == "purpose" and text_form(part.text) not in text_form(told):
            told = "\n".join(filter(None, (told, part.text)))
    return told


def _parts(role: RawRole, notes: Notebook) -> tuple[Part, ...]:
    """Return script, performance and purpose by act; secrets belong to the first act's script."""
    script = list(acts_of(role, notes))
    if role.secrets:
        script[:1] = ["\n\n".join(filter(None, (*script[:1], role.secrets)))]
    purposes = list(_by_act(role.goals, role.questions))
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


def _by_act(*lists: tuple[str, ...]) -> tuple[str, ...]:
    """Return what several lists hold for each act, joined."""
    acts = max(map(len, lists), default=0)
    return tuple(
        "\n".join(one[at] for one in lists if at < len(one) and one[at]) for at in range(acts)
    )
