"""Templates: sentences from wordings and fills, in both languages."""

import re
from collections.abc import Mapping, Sequence
from random import Random

from scripts_mm.script import Language

Fills = Mapping[str, str]
"""Values of the names in braces; for a capitalised name the value is capitalised."""

_SLOT = re.compile(r"\{([A-Za-z][a-z0-9_]*)\}")
_DAY = 24 * 60
_YOU_SOUND = re.compile(r"(?:u(?:ni(?!n)|s[aeu]|r[ai]|t[ei])|eu|ewe|once?\b|one\b)", re.IGNORECASE)
"""Beginnings with a written vowel and a spoken consonant."""
_MUTE = re.compile(r"(?:hour|heir|honou?r|honest|[aeiou]|x-)", re.IGNORECASE)
"""Beginnings with a spoken vowel."""


def fill_template(wording: str, fills: Fills) -> str:
    """Return the sentence of a wording. Raises KeyError for a name without a fill."""
    return capitalise(_SLOT.sub(lambda found: _fill_slot(found.group(1), fills), wording))


def pick_sentence(rng: Random, wordings: Sequence[str], fills: Fills) -> str:
    """Return the sentence of a random wording."""
    return fill_template(rng.choice(wordings), fills)


def capitalise(text: str) -> str:
    """Return the text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def format_time(minutes: int) -> str:
    """Return the time of day, 00:00 to 23:59, of minutes since midnight of the first day."""
    return f"{minutes % _DAY // 60:02}:{minutes % 60:02}"


def indefinite_article(word: str) -> str:
    """Return the English article by the sound of `word`: "an heir", "a union"."""
    return "an" if _MUTE.match(word) and not _YOU_SOUND.match(word) else "a"


def format_minutes(minutes: int, language: Language) -> str:
    """Return a number of minutes with its unit."""
    if language == "zh":
        return f"{minutes}分钟"
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


def join_names(names: Sequence[str], language: Language) -> str:
    """Return names as a list inside a sentence."""
    if language == "zh":
        return "、".join(names)
    if len(names) < 2:  # noqa: PLR2004 - nothing to join
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def join_sentences(sentences: Sequence[str], language: Language) -> str:
    """Return sentences as running text."""
    return ("" if language == "zh" else " ").join(one for one in sentences if one)


def _fill_slot(name: str, fills: Fills) -> str:
    if name in fills:
        return fills[name]
    return capitalise(fills[name.lower()])
