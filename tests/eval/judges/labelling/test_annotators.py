"""The two annotators of the labelled examples, and how far people agree with each other."""

import pytest

from eval.judges.examples import annotator_labels, load_examples, load_second_labels
from eval.judges.labelling.human_labels import ItemLabel, group_labels
from eval.judges.labelling.judge_agreement import (
    ALPHA_PEOPLE,
    KAPPA_PEOPLE,
    Agreement,
    measure_people,
)


def people(*humans: tuple[str, str, float]) -> dict[str, Agreement]:
    labels = [
        ItemLabel(item=item, kind="binary", human=value, judge=None, annotator=who)
        for item, who, value in humans
    ]
    [group] = group_labels(labels)
    return {row.statistic: row for row in measure_people(group, resamples=100)}


def test_the_second_annotator_labelled_every_example_in_its_form_and_range() -> None:
    second = load_second_labels()
    assert set(second) == {one.id for one in load_examples()}
    for one in load_examples():
        own = second[one.id]
        if one.metric == "SPC":
            assert own.human is None
            assert set(own.listed) <= set(range(1, len(one.statements) + 1))
            continue
        low, high = {"fact": (0, 1), "rationale": (1, 5), "CMD": (0, 100)}[one.metric]
        assert own.human is not None
        assert low <= own.human <= high


@pytest.mark.slow
def test_the_annotators_agree_as_the_documentation_says() -> None:
    rows = [
        row for group in group_labels(tuple(annotator_labels())) for row in measure_people(group)
    ]
    found = {(row.metric, row.statistic): round(row.value or 0, 2) for row in rows}
    assert found == {
        ("fact", KAPPA_PEOPLE): 1.0,
        ("fact", ALPHA_PEOPLE): 1.0,
        ("rationale", KAPPA_PEOPLE): 0.99,
        ("rationale", ALPHA_PEOPLE): 0.99,
        ("CMD", ALPHA_PEOPLE): 0.97,
        ("SPC", KAPPA_PEOPLE): 0.89,
        ("SPC", ALPHA_PEOPLE): 0.89,
    }
    spread = {row.metric for row in rows if row.low is not None}
    assert spread == {"rationale", "CMD", "SPC"}, "26 of 26 give no spread to draw from"


def test_kappa_of_two_people_takes_chance_off_and_three_have_alpha_alone() -> None:
    first = [(str(n), "x", float(n < 8)) for n in range(10)]
    second = [(str(n), "y", float(n < 7 or n == 9)) for n in range(10)]
    # 8 of 10 alike; both say yes to 8 of 10, so .68 is chance: (.8 - .68)/.32.
    found = people(*first, *second)
    assert found[KAPPA_PEOPLE].value == pytest.approx(0.375)
    assert set(people(*first, *second, ("0", "z", 1.0))) == {ALPHA_PEOPLE}
    assert people(*first) == {}


def test_an_item_that_one_of_two_left_out_is_in_no_kappa() -> None:
    both = [("a", "x", 1.0), ("a", "y", 1.0), ("b", "x", 0.0), ("b", "y", 0.0), ("c", "x", 0.0)]
    assert people(*both)[KAPPA_PEOPLE].items == 2


def test_an_item_on_which_as_many_say_yes_as_no_has_no_label() -> None:
    labels = [
        ItemLabel(item="a", kind="binary", human=value, judge=1.0, annotator=who)
        for who, value in (("x", 1.0), ("y", 0.0))
    ]
    [group] = group_labels(labels)
    assert group.human == (None,)
    assert group.pairs() == ([], [])
