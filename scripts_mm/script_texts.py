"""The texts of a script by reader, their lengths, and text that two of them share."""

import re
from collections.abc import Collection, Iterable, Mapping

from scripts_mm.names import text_form
from scripts_mm.script import Clue, Language, Script

LEAK_LENGTH: dict[Language, int] = {"zh": 18, "en": 40}
"""Characters, without spaces, of a run that two texts rarely share by chance."""
_MAX_SEARCHED = 400_000
"""Characters of a text that are searched for leaks; the longest known scripts have fewer."""
CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def text_length(text: str, language: Language) -> int:
    """Return the length of a text: Chinese characters, or words."""
    return len((CJK if language == "zh" else _WORD).findall(text))


def clue_text(clue: Clue) -> str:
    """Return all text of a clue, including its pictures' texts."""
    told = [clue.title, clue.text]
    told += [text for one in clue.pictures for text in (one.transcript, one.description)]
    return "\n".join(text for text in told if text)


def public_texts(script: Script) -> dict[str, str]:
    """Return the texts that every seat can read, by place."""
    texts = {"opening": script.opening, "civilian_mission": script.civilian_mission}
    texts |= {clue.id: clue_text(clue) for clue in script.clues if clue.owner is None}
    return {place: text for place, text in texts.items() if text}


def all_texts(script: Script) -> list[str]:
    """Return every running text that can name roles."""
    truth = script.truth
    return [
        script.opening,
        *(role.script for role in script.roles),
        *(clue_text(clue) for clue in script.clues),
        *("\n".join((one.stem, *one.options)) for one in script.questions),
        *(key.text for key in truth.key_clues),
        truth.text,
    ]


def cut_pieces(texts: Iterable[str], size: int) -> frozenset[str]:
    """Return every run of `size` characters of `texts`, in `text_form`."""
    forms = (text_form(text)[:_MAX_SEARCHED] for text in texts)
    return frozenset(form[at : at + size] for form in forms for at in range(len(form) - size + 1))


def longest_shared_run(text: str, pieces: Collection[str], size: int) -> str:
    """Return the longest run of `size` or more characters of `text` that is made of `pieces`.

    `pieces` come from `cut_pieces` with the same `size`. The run is returned in `text_form`;
    empty: no such run.
    """
    form = text_form(text)[:_MAX_SEARCHED]
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


def find_shared_runs(
    passages: Mapping[str, str], texts: Mapping[str, str], size: int
) -> dict[str, tuple[str, ...]]:
    """Return, for each passage, the texts that share a run of `size` characters with it."""
    holders: dict[str, set[str]] = {}
    for name, passage in passages.items():
        for piece in cut_pieces((passage,), size):
            holders.setdefault(piece, set()).add(name)
    found = {
        place: set[str]().union(
            *(holders[piece] for piece in holders.keys() & cut_pieces((text,), size))
        )
        for place, text in texts.items()
    }
    return {name: tuple(place for place in texts if name in found[place]) for name in passages}


def join_some(names: Iterable[str], limit: int = 8) -> str:
    """Return the first `limit` names and the number of others."""
    every = tuple(names)
    more = f" and {len(every) - limit} more" if len(every) > limit else ""
    return ", ".join(every[:limit]) + more
