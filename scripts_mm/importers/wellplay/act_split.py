"""The acts of a private script: split one text at its headings."""

import re
from itertools import pairwise

from scripts_mm.findings import FindingLog
from scripts_mm.importers.stage_numbers import parse_stage_number
from scripts_mm.importers.wellplay.role_file import RawWellPlayRole

_HEADING = re.compile(
    r"^[ \t【\[]*(第\s*[一二三四五六七八九十\d]{1,3}\s*幕|act\s+\w+)[ \t】\]]*[:：]?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)


def split_acts(role: RawWellPlayRole, notes: FindingLog) -> tuple[str, ...]:
    """Return the private script by act: a list's entries, else one text split at its headings.

    Each act begins with its heading, so it is literally contained in the whole script.
    """
    if len(role.script) > 1:
        return role.script
    text = "".join(role.script)
    starts = _find_headings(text)
    acts = len(starts) + (0 if starts and _number(starts[0]) == 1 else 1)
    if starts:
        detail = f"one text with headings of acts, split into {acts} acts"
        notes.info("acts-in-text", role.name, detail)
    bounds = [0, *(match.start() for match in starts[len(starts) - acts + 1 :]), len(text)]
    return tuple(text[start:end].strip() for start, end in pairwise(bounds))


def _find_headings(text: str) -> list[re.Match[str]]:
    """Return the consecutively numbered headings, from act 1 or 2."""
    found: list[re.Match[str]] = []
    wanted = {1, 2}
    for match in _HEADING.finditer(text):
        number = _number(match)
        if number in wanted:
            found.append(match)
            wanted = {number + 1}
    return found


def _number(match: re.Match[str]) -> int | None:
    return parse_stage_number(match[1])
