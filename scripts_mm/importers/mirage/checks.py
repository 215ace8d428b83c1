"""Checks of one MIRAGE script; irregularities are reported, not repaired."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from scripts_mm.findings import FindingLog
from scripts_mm.importers.mirage.clues import find_near_role
from scripts_mm.importers.text_checks import (
    note_confession,
    note_foreign,
    note_misread,
    note_names,
    note_remarks,
    note_unnamed,
)
from scripts_mm.name_similarity import find_equal_name
from scripts_mm.names import normal_form, text_form
from scripts_mm.script import Script

_BOLD = re.compile(r"(?<![\w*])\*{2,3}(?=[^\s*])[^*\n]+?(?<=[^\s*])\*{2,3}(?![\w*])")
_STARS = re.compile(r"\*{2,}")
_MARK = re.compile(r"[★☆◆◇◎●○■□▲△▼▽※]")
_TABLE = re.compile(r"\|[^|\n]*\|[^|\n]*\|")
_PAIRS = ("【】", "[]", "()", "「」", "《》")
_TITLES = {"doctor": "dr", "mister": "mr", "professor": "prof", "captain": "capt"}
_LONG = 12
"""Minimum letters of a clue to search for in private scripts."""


def check_script(script: Script, notes: FindingLog) -> None:
    """Note markup in texts, and disagreements between clues and roles."""
    for role in script.roles:
        if script.truth.culprits:
            note_confession(role, role.name in script.truth.culprits, notes)
        note_misread(role, notes)
    texts = tuple(_texts(script))
    note_foreign(texts, script.language, notes)
    note_remarks(texts, notes)
    for place, text in texts:
        _note_marks(place, text, notes)
        _note_brackets(place, text, notes)
    note_names(script, notes)
    _note_titles(script, texts, notes)
    note_unnamed(script, notes)
    _note_places(script, notes)
    _note_clues(script, notes)
    if not script.victims:
        notes.info("victim-not-named", "victims", "no field of the format names a victim")


def _texts(script: Script) -> Iterator[tuple[str, str]]:
    """Yield every text of the script once, with its place."""
    for role in script.roles:
        for part in role.parts:
            yield f"{role.name}.{part.name}, stage {part.stage}", part.text
    for clue in script.clues:
        yield clue.id, clue.text
    yield "truth", script.truth.text


def _note_marks(place: str, text: str, notes: FindingLog) -> None:
    """Note asterisks, signs and tables, which are kept as they are."""
    bold = len(_BOLD.findall(text))
    if bold:
        notes.info("bold-marks", place, f"{bold} passages between asterisks are kept")
    if masks := len(_STARS.findall(_BOLD.sub("", text))):
        detail = f"{masks} runs of asterisks, perhaps hidden words, are kept"
        notes.info("masked-words", place, detail)
    if marks := sorted(set(_MARK.findall(text))):
        notes.info("symbol-mark", place, f"signs {' '.join(marks)} are kept; not read as key clues")
    if _TABLE.search(text) is not None:
        notes.info("table-in-text", place, "the text contains a table of pipes; kept")


def _note_brackets(place: str, text: str, notes: FindingLog) -> None:
    """Note unpaired brackets of one kind; full width and half width count as one kind."""
    plain = unicodedata.normalize("NFKC", text)
    odd = [pair for pair in _PAIRS if _is_unpaired(plain, pair)]
    if odd:
        notes.info("brackets-unpaired", place, f"brackets {' '.join(odd)} are unpaired; kept")


def _is_unpaired(text: str, pair: str) -> bool:
    """Return whether a bracket is unpaired, except that of a list's number, as in `1)`."""
    left, right = pair
    depth = 0
    for before, char in pairwise(f" {text}"):
        depth += char == left
        if char == right and depth:
            depth -= 1
        elif char == right and not before.isdecimal():
            return True
    return depth > 0


def _note_titles(script: Script, texts: tuple[tuple[str, str], ...], notes: FindingLog) -> None:
    """Note roles called by another form of their title, such as `Dr.` for `Doctor`."""
    for role in script.roles:
        title, _, rest = role.name.partition(" ")
        forms = {**_TITLES, **{short: long for long, short in _TITLES.items()}}
        other = forms.get(title.casefold().rstrip("."))
        if other is None or not rest:
            continue
        found = re.compile(rf"\b{other}\.?\s+{re.escape(rest)}\b", re.IGNORECASE)
        count = sum(len(found.findall(text)) for _, text in texts)
        if count:
            detail = f"called {other.capitalize()} {rest} {count} times; nothing is changed"
            notes.info("name-variant", role.name, detail)


def _note_places(script: Script, notes: FindingLog) -> None:
    """Note places named like roles or nearly so, and the others if most places are roles."""
    places = list(dict.fromkeys(clue.place for clue in script.clues if clue.place))
    people = [place for place in places if find_equal_name(place, script.names)]
    if people:
        detail = f"{len(people)} of {len(places)} places are roles: {', '.join(people)}"
        notes.info("place-is-role", "clues", detail)
    for place in places:
        near = find_near_role(place, script.names)
        if near is not None:
            detail = f"a place, one character away from role {near!r}; nothing is changed"
            notes.warn("place-near-role", place, detail)
        elif place not in people and 2 * len(people) > len(places):
            notes.info("place-no-role", place, "a place that is not a role, though most places are")


def _note_clues(script: Script, notes: FindingLog) -> None:
    """Note duplicate clues, clues in a private script, and keywords not in the owner's script."""
    same: defaultdict[str, list[str]] = defaultdict(list)
    for clue in script.clues:
        same[text_form(clue.text)].append(clue.id)
    for ids in same.values():
        if len(ids) > 1:
            notes.info("clue-twice", ids[0], f"the same text is in {', '.join(ids)}")
    scripts = {role.name: normal_form(role.script) for role in script.roles}
    for clue in script.clues:
        form = normal_form(clue.text)
        holders = [name for name, text in scripts.items() if len(form) > _LONG and form in text]
        if holders:
            detail = f"the text is also in the private script of {', '.join(holders)}"
            notes.info("clue-in-script", clue.id, detail)
        if clue.trigger and clue.owner and normal_form(clue.trigger) not in scripts[clue.owner]:
            detail = f"{clue.owner}'s script does not name the keyword {clue.trigger!r}"
            notes.info("trigger-not-in-script", clue.id, detail)
