"""The letters of the right options: no pattern that a player could continue."""

import math
from collections import defaultdict

import pytest

from scripts_mm.catalog import find_script, list_bundled

IDS = tuple(entry.id for entry in list_bundled())
LONGEST_CYCLE = 12
OPTIONS = 4
SURE = 5.0
"""Standard deviations above chance; twelve cycles are tried for each of nine scripts."""


def list_keys(name: str) -> list[list[int]]:
    """Return the positions of the right options of a script, in its order, by kind of question."""
    keys: dict[str, list[int]] = defaultdict(list)
    for question in find_script(name, "en").script.questions:
        if len(question.options) == OPTIONS and len(question.keys) == 1:
            keys[question.kind].append(question.keys[0])
    return list(keys.values())


def surplus_of_cycle(kinds: list[list[int]], length: int) -> float:
    """Return how far equal letters at a distance of `length` exceed chance, in deviations."""
    pairs = [pair for keys in kinds for pair in zip(keys, keys[length:], strict=False)]
    equal = sum(one == other for one, other in pairs)
    chance = 1 / OPTIONS
    deviation = math.sqrt(len(pairs) * chance * (1 - chance))
    return (equal - len(pairs) * chance) / deviation


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS)
def test_the_right_letters_walk_no_cycle(name: str) -> None:
    kinds = list_keys(name)
    lengths = range(1, LONGEST_CYCLE + 1)
    found = {length: surplus_of_cycle(kinds, length) for length in lengths}
    assert {length: one for length, one in found.items() if one > SURE} == {}


def test_a_cycle_of_eight_letters_is_found() -> None:
    walked = [([2, 0, 1, 3, 0, 2, 3, 1] * 4)[: 8 * 3]] * 3
    assert surplus_of_cycle(walked, 8) > SURE
    assert surplus_of_cycle(walked, 3) < SURE
