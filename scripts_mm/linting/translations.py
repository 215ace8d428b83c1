"""Comparison of a script with the same case in its other language, next to it."""

from typing import Any

from scripts_mm.findings import FindingLog
from scripts_mm.script import LANGUAGES, ScriptError
from scripts_mm.script_folder import SCRIPT_FILE, LoadedScript, read_script_file
from scripts_mm.script_schema import ScriptFile


def check_translations(loaded: LoadedScript, notes: FindingLog) -> None:
    """Note differences between the languages of a case apart from wording."""
    folder = loaded.folder
    if folder.name not in LANGUAGES or not (folder / SCRIPT_FILE).exists():
        return
    for language in LANGUAGES:
        other = folder.parent / language
        if language == folder.name or not (other / SCRIPT_FILE).exists():
            continue
        try:
            mine, theirs = _shape(read_script_file(folder)), _shape(read_script_file(other))
        except ScriptError as error:
            notes.warn("language-unreadable", language, str(error))
            continue
        for what in (name for name, value in mine.items() if theirs[name] != value):
            detail = f"differs between {folder.name!r} and {language!r}"
            notes.warn("languages-differ", what, detail)


def _shape(model: ScriptFile) -> dict[str, Any]:
    """Return the values of a script that do not depend on its language."""
    at = {role.name: nth for nth, role in enumerate(model.roles)}
    truth = model.truth
    return {
        "id": model.id,
        "ending": model.ending,
        "innocents_truthful": model.innocents_truthful,
        "roles": [
            (nth, [(one.name, one.stage) for one in role.parts])
            for nth, role in enumerate(model.roles)
        ],
        "victims": len(model.victims),
        "clues": [
            (one.id, one.stage, at.get(one.owner or ""), bool(one.text), bool(one.place))
            for one in model.clues
        ],
        "pictures": [
            (clue.id, one.file, one.kind) for clue in model.clues for one in clue.pictures
        ],
        "questions": [
            (
                one.id,
                one.kind,
                one.keys,
                len(one.options),
                one.clues,
                one.hops,
                one.answer,
                one.points,
                at.get(one.role or ""),
            )
            for one in model.questions
        ],
        "factual": [(one.id, at.get(one.role), one.about) for one in model.factual],
        "truth.culprits": [at.get(name) for name in truth.culprits],
        "truth.killings": [[at.get(name) for name in one.culprits] for one in truth.killings],
        "truth.instigators": [at.get(name) for name in truth.instigators],
        "truth.unaware": [at.get(name) for name in truth.unaware],
        "truth.in_league": truth.in_league,
        "truth.key_clues": [
            (one.id, one.hops, one.clues, one.premises, [at.get(name) for name in one.holders])
            for one in truth.key_clues
        ],
        "truth.key_roles": [at.get(name) for name in truth.key_roles],
        "truth.misleading": truth.misleading,
    }
