"""Abilities, interactivity and compliance from judgements."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from eval.metrics.judgements import Judgement
from eval.metrics.papers.mirage_abilities import METRICS, reconstruction, score_mirage
from eval.played_match import PlayedMatch
from scripts_mm.script import Part
from tests.eval.made import made
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    by_name,
    judged,
)
from tests.table import case

RATED = {"RP": 18, "RA": 12, "CC": 16, "DO": 13, "CT": 13}


def rate(ratings: Mapping[str, float | None], seat: str = ADA) -> list[Judgement]:
    return [judged(f"MIRAGE_{name}", seat, value) for name, value in ratings.items()]


def match() -> PlayedMatch:
    """Return a match in which the first seat has a story of six words in two stages."""
    parts = (
        Part(name="story", text="The cat sat"),
        Part(name="story", text="on the mat", stage=2),
        Part(name="ability", text=""),
    )
    roles = [replace(one, parts=parts if one.name == ADA else ()) for one in case().roles]
    return made(script=replace(case(), roles=tuple(roles)))


def rebuilt(text: str, part: str = "story") -> list[Judgement]:
    return [judged("MIRAGE_RL", ADA, about=part, text=text)]


def scores(*judgements: Judgement, seat: str = ADA) -> dict[str, float | None]:
    return by_name(score_mirage(match(), judgements), seat)


def test_four_abilities_make_the_index_and_role_play_does_not() -> None:
    found = scores(*rate(RATED))
    assert found["ICI"] == 67.5
    assert found["MIRAGE_RP"] == 18
    assert scores(*rate({**RATED, "RP": 0}))["ICI"] == 67.5


@pytest.mark.parametrize("bad", [None, 21.0, -1.0])
def test_an_ability_without_a_legal_rating_leaves_the_index_undefined(bad: float | None) -> None:
    found = scores(*rate({**RATED, "CC": bad}))
    assert found["ICI"] is None
    assert found["MIRAGE_CC"] is None


def test_compliance_is_the_mean_of_role_play_and_the_rebuilt_script() -> None:
    found = scores(*rate({"RP": 18}), *rebuilt("the cat on mat"))
    assert found["MIRAGE_RL"] == pytest.approx(80)
    assert found["SCI"] == pytest.approx((90 + 80) / 2)
    assert "ICI" not in found, "no ability of it was rated"


def test_an_empty_part_is_left_out_and_a_missing_reconstruction_scores_zero() -> None:
    assert scores(*rate({"RP": 20}), *rebuilt("x", "ability"))["SCI"] == pytest.approx(50)
    assert reconstruction({"story": "a b", "script": "c d", "ability": ""}, {"story": "a b"}) == 0.5
    assert reconstruction({"story": " "}, {"story": "a"}) is None


def test_a_reconstruction_in_chinese_is_compared_by_characters() -> None:
    parts, told = {"story": "管家不是凶手"}, {"story": "凶手是管家"}
    assert reconstruction(parts, told) == pytest.approx(4 / 11)


def test_compliance_is_undefined_without_one_of_its_halves() -> None:
    assert scores(*rebuilt("the cat"))["SCI"] is None
    assert "SCI" not in scores(*rate({"RP": 18}))
    other = [judged("MIRAGE_RL", BRAM, about="story", text="x"), *rate({"RP": 9}, BRAM)]
    assert scores(*other, seat=BRAM)["SCI"] is None, "the seat's script has no parts"


def test_judges_are_kept_apart() -> None:
    other = [replace(one, judge="k", value=20.0) for one in rate(RATED)]
    found = [
        (one.judge, one.value)
        for one in score_mirage(match(), [*rate(RATED), *other])
        if one.metric == "ICI"
    ]
    assert found == [("j", 67.5), ("k", 100.0)]


def test_every_score_is_defined_in_the_catalogue() -> None:
    names = set(scores(*rate(RATED), *rebuilt("x")))
    assert names == {one.name for one in METRICS}
