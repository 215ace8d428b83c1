"""Questionnaires of people: five scores, their mean and their deviation."""

from pathlib import Path

import pytest

from arena.errors import RecordError
from eval.metrics.papers.questionnaire import (
    DIMENSIONS,
    NAMES,
    Questionnaire,
    read_questionnaires,
    summarise_questionnaires,
)

HEAD = "rater,contestant,judge," + ",".join(NAMES)


def filled(*scores: float | None, rater: str = "p1") -> Questionnaire:
    pairs = zip(NAMES, scores, strict=True)
    given = {name: score for name, score in pairs if score is not None}
    return Questionnaire(rater=rater, contestant="alpha", scores=given)


def test_the_published_example_is_reproduced() -> None:
    found = summarise_questionnaires([filled(3.5, 3.25, 3.5, 2.5, 2.83)])
    assert found.overall == pytest.approx(3.116)
    assert found.deviation == pytest.approx(0.39, abs=0.005)


def test_a_missing_item_is_left_out_of_its_dimension() -> None:
    found = summarise_questionnaires([filled(4, 4, None, 2, 5), filled(2, 4, None, 4, 5)])
    assert list(found.means.values()) == [3, 4, None, 3, 5]
    assert found.overall == pytest.approx(3.75)
    assert found.raters == 1


def test_no_questionnaire_gives_no_score() -> None:
    found = summarise_questionnaires([])
    assert (found.overall, found.deviation, found.raters) == (None, None, 0)


def test_people_and_models_are_never_pooled() -> None:
    model = Questionnaire(rater="m", contestant="alpha", scores={}, judge="model")
    with pytest.raises(ValueError, match="never pooled"):
        summarise_questionnaires([filled(1, 2, 3, 4, 5), model])


@pytest.mark.parametrize("scores", [{"role_immersion": 6}, {"role_immersion": 0}, {"wit": 3}])
def test_a_score_beyond_the_scale_is_refused(scores: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="1 to 5"):
        Questionnaire(rater="p", contestant="alpha", scores=scores)


def test_every_dimension_has_its_texts_in_both_languages() -> None:
    for one in DIMENSIONS:
        for texts in (one.title, one.low, one.high):
            assert set(texts) == {"en", "zh"}
            assert all(texts.values())


def test_a_sheet_is_read_with_empty_cells(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(f"{HEAD}\np1,alpha,,4,,3,2,5\nm1,alpha,model,1,1,1,1,1\n", "utf-8-sig")
    people, model = read_questionnaires(path)
    assert (people.judge, model.judge) == ("people", "model")
    assert list(people.scores.values()) == [4, 3, 2, 5]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{HEAD}\np1,alpha,,9,1,1,1,1\n", "line 2"),
        (f"{HEAD}\np1,alpha,,good,1,1,1,1\n", "line 2"),
        ("rater,judge\np1,people\n", "no column 'contestant'"),
    ],
)
def test_a_sheet_that_cannot_be_read_is_told(tmp_path: Path, text: str, wanted: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=wanted):
        read_questionnaires(path)
