"""What makes a quiz measure something else than knowledge of the case."""

import math
import string
from collections import Counter, defaultdict
from collections.abc import Sequence

from scripts_mm.findings import Notebook
from scripts_mm.names import text_form
from scripts_mm.script import Question, Script

_ENOUGH = 20
"""Questions from which a bias can be told from chance."""
_SURE = 2.33
"""Standard deviations: one such table in a hundred is chance."""
_LONGER = 1.8
_LONGER_BY = 6
"""Factor and characters by which a right option is longer than every wrong one."""


def check_kinds(script: Script, notes: Notebook) -> None:
    """Note questions that are not scored, belong to nobody or ask about no picture."""
    pictured = {clue.id for clue in script.clues if clue.pictures}
    for question in script.questions:
        if not question.keys:
            notes.warn("unscored-question", question.id, "no key, so it is never scored")
        if question.kind == "lsu" and question.role is None:
            notes.info("no-role", question.id, "an LSU question about no role's script")
        on_picture = question.kind in ("tiu", "miu")
        if on_picture and question.clues and not pictured.intersection(question.clues):
            detail = f"rests on {', '.join(question.clues)}, none of which has a picture"
            notes.warn("no-picture", question.id, detail)
    asked = [one.id for one in script.questions if one.kind in ("tiu", "miu")]
    if asked and not pictured:
        detail = f"{len(asked)} questions on pictures, but the script has no picture"
        notes.error("no-pictures", "questions", detail)
    loose = sum(1 for one in script.questions if one.kind in ("tiu", "miu") and not one.clues)
    if loose:
        notes.info("clue-not-named", "questions", f"{loose} questions do not say on which picture")


def check_positions(script: Script, notes: Notebook) -> None:
    """Note keys whose positions are far from even (chi-square, one in a hundred by chance)."""
    groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for question in script.questions:
        if len(question.keys) == 1 and len(question.options) > 1:
            groups[question.kind, len(question.options)].append(question.keys[0])
    for (kind, options), keys in groups.items():
        if len(keys) < _ENOUGH or deviation(keys, options) <= _SURE:
            continue
        counts = Counter(keys)
        shares = " ".join(
            f"{string.ascii_lowercase[at]} {counts[at] / len(keys):.0%}" for at in range(options)
        )
        detail = f"{len(keys)} keys of {options} options stand at {shares}; shuffle them"
        notes.info("position-bias", kind, detail)


def check_lengths(script: Script, notes: Notebook) -> None:
    """Note right options that stick out by their length, one by one and as a habit."""
    scored = [one for one in script.questions if len(one.keys) == 1 and len(one.options) > 1]
    telling = [one.id for one in scored if _sticks_out(one)]
    for name in telling:
        notes.info("telling-length", name, "the right option is much longer than the others")
    if len(scored) < _ENOUGH:
        return
    longest = sum(1 for one in scored if _is_longest(one))
    expected = sum(1 / len(one.options) for one in scored)
    spread = math.sqrt(sum((1 - 1 / len(one.options)) / len(one.options) for one in scored))
    if longest - expected > _SURE * spread:
        detail = f"the right option is the longest in {longest} of {len(scored)} questions"
        notes.warn("longest-option-bias", "questions", f"{detail}; {expected:.0f} are chance")


def deviation(keys: Sequence[int], options: int) -> float:
    """Return how far the positions are from even, in standard deviations.

    Chi-square with options - 1 degrees of freedom, made normal by Wilson and Hilferty (1931).
    """
    counts, expected, free = Counter(keys), len(keys) / options, options - 1
    square = sum((counts[at] - expected) ** 2 / expected for at in range(options))
    part = 2 / (9 * free)
    return ((square / free) ** (1 / 3) - (1 - part)) / math.sqrt(part)


def _sizes(question: Question) -> tuple[int, list[int]]:
    """Return the length of the right option and those of the others."""
    sizes = [len(text_form(option)) for option in question.options]
    right = sizes.pop(question.keys[0])
    return right, sizes


def _is_longest(question: Question) -> bool:
    right, others = _sizes(question)
    return right > max(others)


def _sticks_out(question: Question) -> bool:
    right, others = _sizes(question)
    return right >= _LONGER * max(others) and right - max(others) >= _LONGER_BY
