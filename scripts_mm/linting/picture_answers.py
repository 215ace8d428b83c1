"""Picture questions whose answer the picture does not hold, as far as its data tell.

A picture's data are its table in `drawing.toml`, its transcript and its description. None
of them contains an answer that has to be counted, or that something is missing: then the finding
is a request to look at the picture.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import LANGUAGES, Language, Picture, Question, Script
from scripts_mm.script_folder import LoadedScript

DATA_FILE = "drawing.toml"
"""The data of a bundled script's pictures, next to the folders of its languages."""
_FIGURE = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_EMPTY = frozenset({"the", "and", "its", "his", "her", "that", "with", "from", "for", "one", "are"})
"""Words that say nothing about a picture."""


def check_picture_answers(loaded: LoadedScript, notes: FindingLog) -> None:
    """Note picture questions whose key shares no figure or word with the data of the picture."""
    script = loaded.script
    tables = _read_tables(loaded)
    shown = {clue.id: clue.pictures for clue in script.clues}
    for question in script.questions:
        pictures = [one for clue in question.clues for one in shown.get(clue, ())]
        asked = question.kind in ("tiu", "miu") and question.keys
        if not asked or not any(one.transcript or one.description for one in pictures):
            continue
        data = "\n".join(_picture_data(one, tables, script.language) for one in pictures)
        if not _is_held(question, data, script):
            detail = (
                f"no word or figure of {_key_text(question)!r} is in the data of "
                f"{', '.join(one.file for one in pictures)}; look whether the picture shows it"
            )
            notes.info("answer-not-in-picture", question.id, detail)


def _read_tables(loaded: LoadedScript) -> Mapping[str, Any]:
    """Return the tables of `drawing.toml` by picture; none if there is no readable file."""
    try:
        text = (loaded.folder.parent / DATA_FILE).read_text(encoding="utf-8")
        return tomllib.loads(text)
    except (OSError, ValueError):
        return {}


def _picture_data(picture: Picture, tables: Mapping[str, Any], language: Language) -> str:
    table = tables.get(picture.file.rpartition(".")[0], {})
    foreign = {*LANGUAGES} - {language}
    own = {key: value for key, value in table.items() if key not in foreign}
    return "\n".join((_join_values(own), picture.transcript, picture.description))


def _join_values(value: Any) -> str:
    """Return the keys and values of a table as one text."""
    if isinstance(value, dict):
        inner = cast("dict[str, Any]", value)
        return " ".join(f"{key} {_join_values(one)}" for key, one in inner.items())
    if isinstance(value, list):
        return " ".join(_join_values(one) for one in cast("list[Any]", value))
    return str(value)


def _key_text(question: Question) -> str:
    return "; ".join(question.options[key] for key in question.keys)


def _is_held(question: Question, data: str, script: Script) -> bool:
    """Return whether the data hold all figures of the key, or else one of its words."""
    key = _key_text(question)
    figures = {*_FIGURE.findall(key)}
    if figures:
        return figures <= {*_FIGURE.findall(data)}
    if script.language == "en":
        words = {word.casefold() for word in _WORD.findall(key)} - _EMPTY
        known = {word.casefold() for word in _WORD.findall(data)}
        return not words or not words.isdisjoint(known)
    form, known_form = text_form(key), text_form(data)
    pairs = {form[at : at + 2] for at in range(len(form) - 1)} or {form}
    return any(pair in known_form for pair in pairs)
