"""Objectives of a seat, read from its mission."""

import re
from typing import Final

from arena.core.observation import Observation
from scripts_mm.script import Language

MAX_OBJECTIVES: Final = 10
"""Objectives with a note, at most; a mission with more lines is a story, not a list."""
_BULLET: Final = re.compile(
    r"^\s*(?:[-*•·]|[(（]?(?:\d{1,2}|[一二三四五六七八九十])[)）.、．:：])\s*"
)
_DEED: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\bmurderers?\b|\bkillers?\b|\bculprits?\b|\bwho (?:did it|killed|murdered)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"凶手|真凶|谁杀|被谁"),
}
_HIDES: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"\b(?:you are|you're|as) the (?:murderer|killer|culprit)\b", re.IGNORECASE),
    "zh": re.compile(r"(?:你|自己)(?:就)?是(?:真)?凶"),
}
"""Objectives that name the murderer without asking for it."""


def list_objectives(observation: Observation, about: str, deed: str) -> tuple[str, ...]:
    """Return the seat's objectives, one per line of its mission; `deed` is added if absent.

    `deed`: to find out who killed the victim `about`, or to hide that it was this seat.
    """
    lines = (_BULLET.sub("", line).strip() for line in observation.own.mission.splitlines())
    found = list(dict.fromkeys(line for line in lines if line))
    language, several = observation.language, len(observation.victims) > 1
    asks = [
        line
        for line in found
        if _DEED[language].search(line)
        and not _HIDES[language].search(line)
        and (not several or not about or about in line)
    ]
    if asks:
        others = [line for line in found if line not in asks]
        kept = {*asks, *others[: max(0, MAX_OBJECTIVES - len(asks))]}
        return tuple(line for line in found if line in kept)[:MAX_OBJECTIVES]
    return (*found[: MAX_OBJECTIVES - 1], deed)
