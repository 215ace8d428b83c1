"""Every published number that can be reproduced is reproduced."""

import sys
from collections import Counter

import pytest

from tests.eval.vectors import (
    FILES,
    Vector,
    find_functions,
    fits,
    read_vectors,
)

COUNTS = {
    "chance_levels.json": 60,
    "formulas.json": 30,
    "mcq.json": 22,
    "mirage_requests.json": 25,
    "mirage_roles.json": 248,
    "mirage_table11.json": 105,
    "mirage_table2.json": 56,
    "questum_score.json": 9,
    "questum_small_tables.json": 16,
    "statistics.json": 41,
    "thinkthrice.json": 18,
    "votes.json": 22,
    "wellplay_tables.json": 127,
    "whodunit_table2.json": 11,
    "whodunit_table3.json": 21,
}
"""As the specification lists them."""
VECTORS = [vector for path in FILES for vector in read_vectors(path)]
FUNCTIONS = find_functions()


@pytest.mark.slow
@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: f"{one.file}:{one.id}")
def test_a_published_number_is_reproduced(vector: Vector) -> None:
    assert vector.metric in FUNCTIONS, f"no function computes {vector.metric}"
    found = FUNCTIONS[vector.metric](vector.given)
    assert fits(found, vector.expect, vector.tol, vector.places), f"{found} != {vector.expect}"


def test_all_vectors_of_the_specification_are_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert Counter(vector.file for vector in VECTORS) == COUNTS
    assert len({(vector.file, vector.id) for vector in VECTORS}) == sum(COUNTS.values()) == 811
    with capsys.disabled():
        sys.stdout.write(f"\n{len(VECTORS)} published numbers of {len(COUNTS)} files\n")


def test_every_function_computes_a_published_number() -> None:
    unused = FUNCTIONS.keys() - {vector.metric for vector in VECTORS}
    assert not unused, f"no vector needs {unused}"


def test_a_wrong_number_does_not_fit() -> None:
    assert fits({"a": [1.0, None]}, {"a": [1.0, None]}, 1e-9, None)
    assert not fits({"a": [1.0, 0.0]}, {"a": [1.0, None]}, 1e-9, None)
    assert not fits({"a": [1.0]}, {"a": [1.0, None]}, 1e-9, None)
    assert not fits({}, {"a": 1.0}, 1e-9, None)
    assert not fits(None, 0.0, 1e-9, None)
    assert not fits(16.2, 16.3, 0, 1)
    assert fits(16.25, 16.3, 0, 1)
