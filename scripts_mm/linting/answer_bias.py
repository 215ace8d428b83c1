"""What gives keys away without any knowledge of the case: positions and lengths."""

import math
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import Question, Script

_ENOUGH = 20
"""Questions from which a bias can be told from chance."""
_SURE = 2.33
"""Standard deviations: one such table in a hundred is chance."""
_LONGER = 1.8
_LONGER_BY = 6
"""Factor and characters by which a right option is longer than every wrong one."""


def check_key_positions(script: Script, notes: FindingLog) -> None:
    """Note keys whose positions are far from even (chi-square, one in a hundred by chance)."""
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


def check_option_lengths(script: Script, notes: FindingLog) -> None:
    """Note right options that stick out by their length, one by one and as a habit."""
    scored = [one for one in script.questions if len(one.keys) == 1 and len(one.options) > 1]
    telling = [one.id for one in scored if _is_conspicuous(one)]
    for name in telling:
        notes.info("telling-length", name, "the right option is much longer than the others")
    if len(scored) >= _ENOUGH:
        _note_habit(scored, "longest", _is_longest, notes)
        _note_habit(scored, "shortest", _is_shortest, notes)


def position_deviation(keys: Sequence[int], options: int) -> float:
    """Return how far the positions are from even, in standard deviations.

    Chi-square with options - 1 degrees of freedom, made normal by Wilson and Hilferty (1931).
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
    detail = f"{len(keys)} keys of {options} options stand at {shares}; shuffle them"
    notes.info("position-bias", place, detail)


def _note_habit(
    scored: Sequence[Question], how: str, is_so: Callable[[Question], bool], notes: FindingLog
) -> None:
    found = sum(1 for one in scored if is_so(one))
    expected = sum(1 / len(one.options) for one in scored)
    spread = math.sqrt(sum((1 - 1 / len(one.options)) / len(one.options) for one in scored))
    if found - expected > _SURE * spread:
        detail = f"the right option is the {how} in {found} of {len(scored)} questions"
        notes.warn(f"{how}-option-bias", "questions", f"{detail}; {expected:.0f} are chance")


def _option_lengths(question: Question) -> tuple[int, list[int]]:
    """Return the length of the right option and those of the others."""
    sizes = [len(text_form(option)) for option in question.options]
    right = sizes.pop(question.keys[0])
    return right, sizes


def _is_longest(question: Question) -> bool:
    right, others = _option_lengths(question)
    return right > max(others)


def _is_shortest(question: Question) -> bool:
    right, others = _option_lengths(question)
    return right < min(others)


def _is_conspicuous(question: Question) -> bool:
    right, others = _option_lengths(question)
    return right >= _LONGER * max(others) and right - max(others) >= _LONGER_BY
