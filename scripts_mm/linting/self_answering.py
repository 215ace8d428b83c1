"""Questions that answer themselves: by their stem, or by an odd option."""

import re

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import Language, Question, Script
from scripts_mm.script_texts import all_texts

_TELLING: dict[Language, int] = {"zh": 3, "en": 8}
"""Minimum letters of an option whose occurrence in a stem is not chance."""
_LETTER_ONLY = re.compile(r"[\W\d]+")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_ENOUGH = 3


def check_answer_in_stem(script: Script, notes: FindingLog) -> None:
    """Note stems that contain the correct option and no wrong one."""
    people = {text_form(name) for role in script.roles for name in (role.name, *role.aliases)}
    people |= {text_form(name) for name in script.victims}
    for question in script.questions:
        if not question.stem.strip():
            notes.warn("empty-stem", question.id, "asks nothing")
        stem = text_form(question.stem)
        forms = [text_form(option) for option in question.options]
        named = {at for at, form in enumerate(forms) if form and form in stem}
        telling = [
            question.options[at]
            for at in named
            if len(forms[at]) >= _TELLING[script.language] and forms[at] not in people
        ]
        if named and named == {*question.keys} and telling:
            detail = f"the stem contains the correct option, {telling[0]!r}, and no other"
            notes.warn("answer-in-stem", question.id, detail)


def check_odd_options(script: Script, notes: FindingLog) -> None:
    """Note an option that no text names while all others are people of the script."""
    people = {text_form(name) for role in script.roles for name in (role.name, *role.aliases)}
    people |= {text_form(name) for name in (*script.victims, *script.truth.not_playable)}
    texts = [text_form(text) for text in (script.opening, *_texts_without_questions(script))]
    for question in script.questions:
        strange = _odd_option(question, people)
        if strange is not None and not any(
            mark in text for mark in _search_terms(strange) for text in texts
        ):
            detail = f"the only option that the script never names: {strange!r}"
            notes.info("stray-option", question.id, detail)


def _search_terms(option: str) -> set[str]:
    """Return the terms that identify an option: its long words, or pairs of characters."""
    form = text_form(option)
    words = {word.casefold() for word in _LONG_WORD.findall(option) if word.isascii()}
    return words or {form[at : at + 2] for at in range(len(form) - 1)} or {form}


def _texts_without_questions(script: Script) -> list[str]:
    """Return the running texts without the questions."""
    asked = {"\n".join((one.stem, *one.options)) for one in script.questions}
    return [text for text in all_texts(script) if text not in asked]


def _odd_option(question: Question, people: set[str]) -> str | None:
    """Return the only option that does not name a person."""
    strange = [option for option in question.options if text_form(option) not in people]
    alone = len(strange) == 1 and len(question.options) > _ENOUGH
    return strange[0] if alone and _LETTER_ONLY.sub("", strange[0]) else None
