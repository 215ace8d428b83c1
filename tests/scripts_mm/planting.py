"""A good script, and how to change one place of it."""

from dataclasses import replace
from functools import cache
from typing import Any

from scripts_mm.catalog import find_script
from scripts_mm.findings import Finding
from scripts_mm.linting import lint
from scripts_mm.script import Clue, FactualQuestion, KeyClue, Picture, Question, Script
from scripts_mm.script_folder import LoadedScript

CULPRIT = "Miles Tarrant"
VICTIM = "Leopold Crane"


@cache
def good() -> LoadedScript:
    """Return the script into which faults are planted: a bundled one, with facts and siblings."""
    return find_script("first-night", "en")


def start() -> Script:
    """Return its content."""
    return good().script


def found(changed: Script) -> dict[str, Finding]:
    """Return what lint finds in the good script with this content, by code."""
    return {one.code: one for one in lint(replace(good(), script=changed))}


def truth(**changes: Any) -> Script:
    """Return the good script with another truth."""
    return replace(start(), truth=replace(start().truth, **changes))


def role(at: int, **changes: Any) -> Script:
    """Return the good script with another role at the place `at`."""
    roles = list(start().roles)
    roles[at] = replace(roles[at], **changes)
    return replace(start(), roles=tuple(roles))


def clue(name: str, **changes: Any) -> Script:
    """Return the good script with one of its clues changed."""
    clues = tuple(replace(one, **changes) if one.id == name else one for one in start().clues)
    return replace(start(), clues=clues)


def more(*clues: Clue) -> Script:
    """Return the good script with more clues."""
    return replace(start(), clues=(*start().clues, *clues))


def a_clue(name: str = "button", **changes: Any) -> Clue:
    """Return a clue of a few words."""
    return replace(Clue(id=name, title="A button", text="A button of horn."), **changes)


def picture(name: str, **changes: Any) -> Script:
    """Return the good script with the picture of one of its clues changed."""
    shown = next(one for one in start().clues if one.id == name).pictures[0]
    return clue(name, pictures=(replace(shown, **changes),))


def picture_of(name: str) -> Picture:
    """Return the picture of a clue."""
    return next(one for one in start().clues if one.id == name).pictures[0]


def key_clue(name: str, **changes: Any) -> Script:
    """Return the good script with one of its key clues changed."""
    keys = start().truth.key_clues
    return truth(key_clues=tuple(replace(k, **changes) if k.id == name else k for k in keys))


def a_key_clue(**changes: Any) -> Script:
    """Return the good script with one more key clue."""
    fields: dict[str, Any] = {"id": "more", "text": "A window was open.", "clues": ("plan",)}
    return truth(key_clues=(*start().truth.key_clues, KeyClue(**{**fields, **changes})))


def question(name: str, **changes: Any) -> Script:
    """Return the good script with one of its questions changed."""
    asked = tuple(replace(q, **changes) if q.id == name else q for q in start().questions)
    return replace(start(), questions=asked)


def ask(name: str) -> Question:
    """Return a question of the good script."""
    return next(one for one in start().questions if one.id == name)


def also(*questions: Question) -> Script:
    """Return the good script with more questions."""
    return replace(start(), questions=(*start().questions, *questions))


def without(kind: str, name: str) -> Script:
    """Return the good script without the questions of a kind that a role is asked."""
    kept = tuple(q for q in start().questions if q.kind != kind or q.role != name)
    return replace(start(), questions=kept)


def factual(**changes: Any) -> Script:
    """Return the good script with its first factual question changed."""
    first, *others = start().factual
    return replace(start(), factual=(replace(first, **changes), *others))


def also_factual(one: FactualQuestion) -> Script:
    """Return the good script with one more factual question."""
    return replace(start(), factual=(*start().factual, one))


def every_key_at(at: int) -> Script:
    """Return the good script with all right options at one place."""

    def moved(one: Question) -> Question:
        right = one.options[one.keys[0]]
        others = [option for option in one.options if option != right]
        return replace(one, options=(*others[:at], right, *others[at:]), keys=(at,))

    return replace(start(), questions=tuple(moved(one) for one in start().questions))


def every_right_option(more_text: str, less: int | None = None) -> Script:
    """Return the good script with every right option made longer, or cut to `less` letters."""

    def changed(one: Question) -> Question:
        options = list(one.options)
        options[one.keys[0]] = f"{options[one.keys[0]][:less]}{more_text}"
        return replace(one, options=tuple(options))

    return replace(start(), questions=tuple(changed(one) for one in start().questions))
