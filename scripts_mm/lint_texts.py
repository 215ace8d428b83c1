"""Names that can be mistaken, private or true things that stand where all can read them, sizes."""

import re
from collections.abc import Iterable

from scripts_mm.findings import Notebook
from scripts_mm.likeness import twins, variants
from scripts_mm.names import folded, text_form
from scripts_mm.script import Language, Script

_LEAK: dict[Language, int] = {"zh": 18, "en": 40}
"""Characters without spaces that two texts hardly share by chance."""
_SHORT: dict[Language, int] = {"zh": 200, "en": 120}
_LONG: dict[Language, int] = {"zh": 12_000, "en": 8_000}
"""Characters (zh) or words (en) of a private script that a small model still keeps in mind."""
_LOOKED_AT = 400_000
"""Characters of a text that are searched for leaks; the longest scripts known have fewer."""
_UNEVEN = 3
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_DID_IT = (
    r"\s*(?:才|就)?(?:是|is|was)\s*(?:the\s+)?(?:真正的\s*)?(?:凶手|真凶|murderer|killer|culprit)"
)


def check_names(script: Script, notes: Notebook) -> None:
    """Note names that differ by a character, stand inside each other or are misspelt in texts."""
    for one, other in twins(script.names):
        notes.warn("names-alike", one, f"differs from {other!r} by a character at most")
    for one in script.names:
        for other in script.names:
            if one != other and folded(one) in folded(other):
                notes.info("name-inside-name", one, f"stands inside {other!r}")
    for variant, role, count in variants(script.names, _told(script)):
        notes.info("name-variant", variant, f"{count} times, perhaps {role!r} is meant")


def check_leaks(script: Script, notes: Notebook) -> None:
    """Note passages of the truth or of one private script that everybody can read."""
    public = {"opening": script.opening}
    public |= {clue.id: clue.text for clue in script.clues if clue.owner is None}
    secrets = (script.truth.text, script.truth.method, script.truth.motive)
    size = _LEAK[script.language]
    for place, text in public.items():
        if passage := _shared(text, secrets, size):
            notes.warn("truth-in-public", place, f"also in the truth: {passage!r}")
        _note_culprit_named(script, place, text, notes)
    for role in script.roles:
        innocent = role.name not in script.truth.culprits
        if innocent and (passage := _shared(role.script, secrets, size)):
            notes.info("truth-in-script", role.name, f"also in the truth: {passage!r}")
    _note_private_in_opening(script, size, notes)


def check_sizes(script: Script, notes: Notebook) -> None:
    """Note private scripts that are too short, too long or very uneven."""
    sizes = {role.name: length(role.script, script.language) for role in script.roles}
    unit = "characters" if script.language == "zh" else "words"
    for name, size in sizes.items():
        if size < _SHORT[script.language]:
            detail = f"{size} {unit}; a role needs about {_SHORT[script.language]} to play"
            notes.warn("script-short", name, detail)
        if size > _LONG[script.language]:
            detail = f"{size} {unit}; more than {_LONG[script.language]} crowd a small context"
            notes.warn("script-long", name, detail)
    if max(sizes.values()) > _UNEVEN * max(min(sizes.values()), 1):
        detail = f"{min(sizes.values())} to {max(sizes.values())} {unit}"
        notes.info("scripts-uneven", "roles", detail)


def length(text: str, language: Language) -> int:
    """Return the length of a text: Chinese characters, or words."""
    return len((_CJK if language == "zh" else _WORD).findall(text))


def _note_culprit_named(script: Script, place: str, text: str, notes: Notebook) -> None:
    for name in script.truth.culprits:
        if re.search(re.escape(name) + _DID_IT, text, re.IGNORECASE):
            notes.warn("culprit-in-public", place, f"says that {name!r} did it")


def _note_private_in_opening(script: Script, size: int, notes: Notebook) -> None:
    """Note a passage that the opening shares with few private scripts, so no common knowledge."""
    found = {
        role.name: passage
        for role in script.roles
        if (passage := _shared(script.opening, (role.script,), size))
    }
    if len(found) * 2 > len(script.roles):
        return
    for name, passage in found.items():
        notes.warn("private-in-opening", name, f"the opening gives away: {passage!r}")


def _shared(text: str, others: Iterable[str], size: int) -> str:
    """Return the longest run of `size` or more characters that `text` shares with another."""
    form = text_form(text)[:_LOOKED_AT]
    pieces = {
        other[at : at + size]
        for other in map(text_form, others)
        for at in range(min(len(other), _LOOKED_AT) - size + 1)
    }
    best = start = end = 0
    run = ""
    for at in range(len(form) - size + 1):
        if form[at : at + size] not in pieces:
            continue
        start = start if at == end - size + 1 and end else at
        end = at + size
        if end - start > best:
            best, run = end - start, form[start:end]
    return run


def _told(script: Script) -> list[str]:
    """Return every running text in which roles are named."""
    truth = script.truth
    return [
        script.opening,
        *(role.script for role in script.roles),
        *("\n".join((clue.title, clue.text)) for clue in script.clues),
        *(picture.transcript for picture in script.pictures),
        *(picture.description for picture in script.pictures),
        *("\n".join((one.stem, *one.options)) for one in script.questions),
        *(key.text for key in truth.key_clues),
        truth.text,
    ]
