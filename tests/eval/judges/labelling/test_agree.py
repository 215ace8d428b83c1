"""Labels by people beside a judge's values: read, compared, and a rate corrected by them."""

from pathlib import Path

import pytest

from arena.errors import RecordError
from eval.judges.labelling.human_labels import group_labels, read_labels
from eval.judges.labelling.judge_agreement import (
    ALPHA,
    ALPHA_PEOPLE,
    GroupAgreement,
    measure_agreement,
)
from eval.judges.labelling.rate_correction import Calibration, calibrate, correct_rate
from tests.eval.judges.labelling.correction_study import coverage

HEAD = "item,human,judge,kind"


def measured(tmp_path: Path, *rows: str, head: str = HEAD, cut: float | None = None):
    path = tmp_path / "labels.csv"
    path.write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    groups = group_labels(read_labels(path))
    return measure_agreement(groups, cut=cut, resamples=200)


def value(group: GroupAgreement, name: str) -> float | None:
    return next(row.value for row in group.rows if row.statistic == name)


def test_binary_labels_give_accuracy_f1_kappa_alpha_and_the_judges_hits(tmp_path: Path) -> None:
    rows = ["a,1,1", "b,yes,correct", "c,1,0", "d,0,0", "e,no,0", "f,0,1", "g,1,", "h,,1"]
    [found] = measured(tmp_path, *(f"{row},binary" for row in rows))
    assert (found.items, found.nulls, found.unlabelled) == (8, 1, 1)
    assert value(found, "accuracy") == 4 / 6
    assert value(found, "F1") == pytest.approx(2 / 3)
    assert value(found, "Cohen's kappa") == pytest.approx(1 / 3)
    assert value(found, "Spearman") == pytest.approx(1 / 3)
    assert value(found, ALPHA) is not None
    assert found.calibration == Calibration(
        true_positives=2, positives=3, true_negatives=2, negatives=3
    )
    assert all(row.low is not None for row in found.rows if row.value is not None)


def test_several_annotators_are_one_label_and_agree_among_themselves(tmp_path: Path) -> None:
    rows = [
        *(
            f"{item},{human},{judge},binary,{who}"
            for item, judge in zip("abcdef", "110010", strict=True)
            for who, human in (("x", judge), ("y", judge), ("z", "1"))
        ),
    ]
    [found] = measured(tmp_path, *rows, head=f"{HEAD},annotator")
    assert (found.items, found.annotators) == (6, 3)
    assert value(found, "accuracy") == 1, "two of three decide"
    assert value(found, ALPHA_PEOPLE) is not None


@pytest.mark.slow
def test_ordinal_labels_are_cut_at_four_as_informed_answers_are(tmp_path: Path) -> None:
    pairs = [(5, 4), (4, 5), (3, 3), (2, 4), (1, 1), (5, 5)]
    rows = [f"{n},{a},{b},ordinal" for n, (a, b) in enumerate(pairs)]
    whole, cut = measured(tmp_path, *rows, cut=4)
    assert value(whole, "Kendall") is not None
    assert value(whole, "mean error") == pytest.approx(4 / 6)
    assert (cut.kind, cut.metric) == ("binary", ">= 4")
    assert value(cut, "accuracy") == 5 / 6


def test_scores_are_compared_by_correlations_and_a_constant_judge_is_undefined(
    tmp_path: Path,
) -> None:
    rows = [f"{n},{10 * n},50,score" for n in range(8)]
    [found] = measured(tmp_path, *rows)
    assert value(found, "Spearman") is None
    assert value(found, "mean error") == pytest.approx(22.5)


def test_metrics_and_kinds_are_never_mixed(tmp_path: Path) -> None:
    rows = ["a,1,1,binary,fact", "a,3,4,ordinal,rationale", "b,0,0,binary,fact"]
    found = measured(tmp_path, *rows, head=f"{HEAD},metric")
    assert [(one.metric, one.items) for one in found] == [("fact", 2), ("rationale", 1)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no column 'item'"),
        ("item,human,kind\na,1,binary\n", "no column 'judge'"),
        (f"{HEAD}\n", "has no labels"),
        (f"{HEAD}\na,1,1,rank\n", "line 2: kind is one of binary, ordinal, score; got 'rank'"),
        (f"{HEAD}\na,2,1,binary\n", "line 2: human should be 0, 1, yes or no, got '2'"),
        (f"{HEAD}\na,1,inf,score\n", "judge should be a number, got 'inf'"),
        (f"{HEAD}\n,1,1,binary\n", "the item has no name"),
        (f"{HEAD}\na,1,1,binary\na,0,1,binary\n", "'a' is labelled twice"),
        (f'{HEAD}\na,1,"1,binary\n', "is not a CSV file"),
    ],
)
def test_wrong_labels_are_one_line_that_says_where(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as error:
        group_labels(read_labels(path))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_or_not_utf8_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no file"):
        read_labels(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"item,human\xff")
    with pytest.raises(RecordError, match="not a CSV file in UTF-8"):
        read_labels(tmp_path / "b.csv")


def test_a_judge_that_differs_on_one_item_is_refused(tmp_path: Path) -> None:
    rows = ["a,1,1,binary,x", "a,1,0,binary,y"]
    with pytest.raises(RecordError, match="two values for item 'a'"):
        measured(tmp_path, *rows, head=f"{HEAD},annotator")


def hits(sensitivity: float, specificity: float, each: int = 50) -> Calibration:
    return Calibration(
        true_positives=round(sensitivity * each),
        positives=each,
        true_negatives=round(specificity * each),
        negatives=each,
    )


def test_a_rate_is_corrected_for_what_the_judge_misses_and_invents() -> None:
    # .8 of 40 % and .1 of 60 % make 38 %.
    found = correct_rate(38, 100, hits(0.8, 0.9))
    assert found.corrected == pytest.approx(0.4)
    assert found.low < 0.4 < found.high
    perfect = correct_rate(30, 100, hits(1, 1, each=10_000))
    assert perfect.corrected == pytest.approx(0.3)
    assert (perfect.low, perfect.high) == (
        pytest.approx(0.219, abs=0.005),
        pytest.approx(0.396, abs=0.005),
    ), "Wilson's interval, as nothing is uncertain but the rate"


def test_a_corrected_rate_is_clamped_and_a_useless_judge_says_nothing() -> None:
    assert correct_rate(0, 100, hits(0.8, 0.9)).corrected == 0
    assert correct_rate(100, 100, hits(0.8, 0.9)).corrected == 1
    blind = correct_rate(40, 100, hits(0.5, 0.5))
    assert (blind.corrected, blind.low, blind.high) == (None, 0, 1)
    nothing = Calibration(true_positives=0, positives=0, true_negatives=3, negatives=3)
    assert correct_rate(4, 10, nothing).corrected is None
    for successes, items in ((5, 4), (-1, 4), (0, 0)):
        with pytest.raises(ValueError, match="successes"):
            correct_rate(successes, items, hits(0.8, 0.9))


def test_the_interval_knows_of_few_labels() -> None:
    few, many = (correct_rate(38, 100, hits(0.8, 0.9, each)) for each in (10, 1000))
    assert few.high - few.low > many.high - many.low


def test_hits_are_counted_with_people_as_the_truth() -> None:
    found = calibrate([1, 1, 1, 1, 0, 0], [1, 0, 0, 0, 0, 1])
    assert (found.sensitivity, found.specificity) == (0.25, 0.5)


def test_the_corrected_interval_covers_the_true_rate_in_simulation() -> None:
    found = coverage(rate=0.3, sensitivity=0.85, specificity=0.9, labels=100, items=300, draws=600)
    assert 0.93 <= found.covered <= 0.99
    assert abs(found.bias) < 0.01
    assert found.uncorrected < 0.9, "the measured rate with Wilson's interval misses"


def test_a_rate_without_a_miss_has_wilsons_interval_and_not_a_point(tmp_path: Path) -> None:
    rows = [f"{n},{int(n < 13)},1,binary" for n in range(26)]
    [found] = measured(tmp_path, *rows)
    spans = {row.statistic: (row.value, row.low, row.high) for row in found.rows}
    assert spans["recall"] == (1, pytest.approx(0.772, abs=0.001), 1)
    assert spans["specificity"] == (0, 0, pytest.approx(0.228, abs=0.001))
    assert spans["accuracy"] == spans["precision"]
    assert spans["accuracy"][1] == pytest.approx(0.321, abs=0.001)
    assert spans["Cohen's kappa"] == (0, None, None), "a judge that always says yes shows no spread"
