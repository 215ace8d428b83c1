"""Facts found by the words of a sentence."""

from collections.abc import Iterator
from collections.abc import Set as AnySet
from random import Random
from typing import TypeVar

import pytest

from eval.claims import fact_matching
from tests.eval.claims.study import judge, read_rows

S = TypeVar("S")
T_co = TypeVar("T_co", covariant=True)


class _Shuffled(frozenset[T_co]):
    """A set that is iterated in another order each time, as in another process."""

    _random = Random(1)

    def __iter__(self) -> Iterator[T_co]:
        values = sorted(super().__iter__(), key=repr)
        return iter(self._random.sample(values, len(values)))

    def __and__(self, value: AnySet[object]) -> "_Shuffled[T_co]":
        return _Shuffled(super().__and__(value))

    def __or__(self, value: AnySet[S]) -> "_Shuffled[T_co | S]":
        return _Shuffled(super().__or__(value))


@pytest.mark.slow
def test_two_facts_that_match_equally_are_told_apart_the_same_way_in_every_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fact_matching, "frozenset", _Shuffled, raising=False)
    row = next(one for one in read_rows("statements.csv") if one["id"] == "092")

    found = [judge(row) for _ in range(20)]

    assert {(one.category, one.fact) for one in found if one} == {("lie", "dead")}
    assert None not in found
