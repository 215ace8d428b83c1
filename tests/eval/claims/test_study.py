"""The labelled statements, and how well the audit reads them."""

from collections import Counter
from hashlib import sha256

import pytest

from tests.eval.claims.study import (
    CATEGORIES,
    HERE,
    agreement,
    precision_recall,
    read_rows,
    study,
)

FROZEN = {
    "independent.csv": "f4d861ff2b72d9385a2fc84917a349f34c98d4e37a571d11516c86caf7cd14a3",
    "statements.csv": "1e9e400d597b2f6ddfc2ea4eb1c28f0a3716a9e523df9fa30930cb1077e125a6",
    "labels.csv": "b35f96fc18040f0dd8831903bcb1bcaa749d00a58fccd1b63b65083242fe68f3",
}


def test_the_labels_are_those_that_were_fixed_before_the_audit_was_written() -> None:
    assert {name: sha256((HERE / name).read_bytes()).hexdigest() for name in FROZEN} == FROZEN


def test_two_hundred_statements_of_every_kind_and_origin_are_labelled_twice() -> None:
    rows, labels = read_rows("statements.csv"), read_rows("labels.csv")

    assert len(rows) >= 200
    assert [row["id"] for row in rows] == [label["id"] for label in labels]
    assert {row["origin"] for row in rows} == {"played", "made", "free"}
    assert sum(row["origin"] == "free" for row in rows) >= 80
    assert {label["agreed"] for label in labels} == {*CATEGORIES}
    for one in labels:
        same = (one["first"], one["first_fact"]) == (one["second"], one["second_fact"])
        assert not same or (one["agreed"], one["agreed_fact"]) == (one["first"], one["first_fact"])


@pytest.mark.slow
def test_all_labellings_agree_and_the_audit_holds_on_the_half_it_was_not_tuned_on() -> None:
    rows = list(study())
    held_out = [one for one in rows if int(one.id) % 2 == 0]
    agreed = [one.agreed for one in rows]

    assert (agreement([r.first for r in rows], [r.second for r in rows]) or 0) > 0.9
    assert (agreement(agreed, [one.independent for one in rows]) or 0) > 0.9
    assert sum(one.found == one.agreed for one in held_out) / len(held_out) >= 0.8
    for category in ("true", "lie", "error", "unsupported"):
        right, found, labelled = precision_recall(held_out, category)
        assert right / found >= 0.85, category
        assert right / labelled >= 0.7, category


@pytest.mark.slow
def test_a_statement_that_is_rightly_decided_is_decided_by_the_right_fact() -> None:
    decided = [
        one
        for one in study()
        if one.found == one.agreed and one.agreed_fact and one.found in ("true", "lie", "error")
    ]
    right = Counter(one.found_fact == one.agreed_fact for one in decided)

    assert right[True] / len(decided) >= 0.85, [
        (one.id, one.agreed_fact, one.found_fact)
        for one in decided
        if one.found_fact != one.agreed_fact
    ]
