"""Answer bias: keys that the positions of options reveal without reading the case."""

import math
import string
from collections import Counter, defaultdict
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.script import Script

_ENOUGH = 20
"""Minimum number of questions to distinguish a bias from chance."""
_SURE = 2.33
"""Threshold in standard deviations: the one-sided 1 % quantile of the normal distribution."""


def check_key_positions(script: Script, notes: FindingLog) -> None:
    """Note uneven positions of keys (chi-square test at the 1 % level)."""
    groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for question in script.questions:
        if len(question.keys) == 1 and len(question.options) > 1:
            groups[question.kind, len(question.options)].append(question.keys[0])
    biased = {group for group, keys in groups.items() if _is_biased(keys, group[1])}
    for kind, options in sorted(biased):
        _note_positions(kind, options, groups[kind, options], notes)
    for options in sorted({size for _, size in groups}):
        keys = [key for (_, size), found in groups.items() if size == options for key in found]
        apart = any(size == options for _, size in biased)
        if not apart and _is_biased(keys, options):
            _note_positions("questions", options, keys, notes)


def position_deviation(keys: Sequence[int], options: int) -> float:
    """Return the deviation of key positions from uniform, in standard deviations.

    Chi-square with options - 1 degrees of freedom, transformed to a normal variable by Wilson and
    Hilferty (1931).
    """
    counts, expected, free = Counter(keys), len(keys) / options, options - 1
    square = sum((counts[at] - expected) ** 2 / expected for at in range(options))
    part = 2 / (9 * free)
    return ((square / free) ** (1 / 3) - (1 - part)) / math.sqrt(part)


def _is_biased(keys: Sequence[int], options: int) -> bool:
    return len(keys) >= _ENOUGH and position_deviation(keys, options) > _SURE


def _note_positions(place: str, options: int, keys: Sequence[int], notes: FindingLog) -> None:
    counts = Counter(keys)
    shares = " ".join(
        f"{string.ascii_lowercase[at % 26]} {counts[at] / len(keys):.0%}" for at in range(options)
    )
    detail = f"{len(keys)} keys of {options} options at {shares}; shuffle them"
    notes.info("position-bias", place, detail)
