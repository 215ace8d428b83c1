"""The description of a script for `arena scripts show`, with or without its secrets."""

from collections import Counter
from typing import Any

from scripts_mm.script import (
    QUESTION_KINDS,
    Clue,
    Picture,
    QuestionKind,
    Script,
    ScriptError,
    Truth,
)
from scripts_mm.script_folder import LoadedScript
from scripts_mm.script_texts import text_length
from scripts_mm.vision_tokens import SERVED_MAX_PIXELS, VISION_FAMILIES, count_vision_tokens


def describe_script(loaded: LoadedScript, *, secrets: bool) -> dict[str, Any]:
    """Return the object of `--json`: sizes, clues, pictures, tokens; truth only with `secrets`.

    Titles, places and triggers of clues with an owner are secrets too.
    """
    script = loaded.script
    told: dict[str, Any] = {
        "script": script.id,
        "title": script.title,
        "language": script.language,
        "source": script.source,
        "sha256": loaded.sha256,
        "ending": script.ending,
        "innocents_truthful": script.innocents_truthful,
        "stages": last_stage(script),
        "victims": list(script.victims),
        "roles": [_role(script, name) for name in script.names],
        "clues": [_clue(clue, open_=secrets or clue.owner is None) for clue in script.clues],
        "pictures": [_picture(picture) for picture in script.pictures],
        "questions": count_by_kind(script),
        "points": total_points(script),
        "factual": len(script.factual),
    }
    return told | ({"truth": _truth(script.truth)} if secrets else {})


def count_by_kind(script: Script) -> dict[QuestionKind, int]:
    """Count the questions by kind, without kinds that do not occur."""
    counts = Counter(question.kind for question in script.questions)
    return {kind: counts[kind] for kind in QUESTION_KINDS if counts[kind]}


def total_points(script: Script) -> int:
    """Return the sum of the questions' points; a question without points counts 0."""
    return sum(question.points or 0 for question in script.questions)


def last_stage(script: Script) -> int:
    """Return the last stage of any clue or part of a private script."""
    parts = (part.stage for role in script.roles for part in role.parts)
    return max((*parts, *(clue.stage for clue in script.clues)), default=1)


def picture_tokens(picture: Picture) -> dict[str, int | None]:
    """Return the tokens of a picture by family, capped as served; None: not accepted."""
    found: dict[str, int | None] = {}
    for family in VISION_FAMILIES:
        try:
            found[family] = count_vision_tokens(
                picture.width, picture.height, family, max_pixels=SERVED_MAX_PIXELS
            )
        except ScriptError:
            found[family] = None
    return found


def _role(script: Script, name: str) -> dict[str, Any]:
    role = script.role(name)
    return {
        "name": name,
        "length": text_length(role.script, script.language),
        "parts": [
            {
                "name": part.name,
                "stage": part.stage,
                "length": text_length(part.text, script.language),
            }
            for part in role.parts
        ],
    }


def _clue(clue: Clue, *, open_: bool) -> dict[str, Any]:
    return {
        "id": clue.id,
        "owner": clue.owner,
        "stage": clue.stage,
        "title": clue.title if open_ else None,
        "place": clue.place if open_ else None,
        "trigger": clue.trigger if open_ else None,
        "characters": len(clue.text),
        "pictures": [picture.file for picture in clue.pictures],
    }


def _picture(picture: Picture) -> dict[str, Any]:
    return {
        "file": picture.file,
        "mime": picture.mime,
        "width": picture.width,
        "height": picture.height,
        "kind": picture.kind,
        "tokens": picture_tokens(picture),
    }


def _truth(truth: Truth) -> dict[str, Any]:
    return {
        "culprits": list(truth.culprits),
        "not_playable": list(truth.not_playable),
        "instigators": list(truth.instigators),
        "unaware": list(truth.unaware),
        "in_league": truth.in_league,
        "killings": [
            {"victim": one.victim, "culprits": list(one.culprits)} for one in truth.killings
        ],
        "motive": truth.motive,
        "method": truth.method,
        "text": truth.text,
        "key_roles": list(truth.key_roles),
        "misleading": list(truth.misleading),
        "key_clues": [
            {
                "id": key.id,
                "hops": key.hops,
                "premises": list(key.premises),
                "text": key.text,
            }
            for key in truth.key_clues
        ],
    }
