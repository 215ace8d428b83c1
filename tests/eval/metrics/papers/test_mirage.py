"""Trust and clue investigation."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.events import ClueRevealed, PhaseStarted
from arena.core.purposes import Purpose
from arena.core.seats import SeatId
from arena.games.mirage.options import MirageOptions
from eval.metrics.papers.mirage import (
    CIC,
    CIC_CURVE,
    CIC_KEY,
    CIC_KEY_CURVE,
    CIC_ROLE,
    FII,
    FII_RELEASED,
    MISSING,
    TII,
    fii,
    fii_released,
    tii,
)
from eval.scores import macro_mean
from scripts_mm.script import Clue, KeyClue, Script, Truth
from tests.arena.games.mirage import scenes
from tests.arena.games.mirage.scenes import finds
from tests.eval.made import made, play
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    CLEO,
    opened,
    rated,
    values_of,
)
from tests.table import case, legal

RATINGS = st.lists(st.one_of(st.none(), st.integers(0, 2)), max_size=12)


def placed() -> Script:
    """Return a case with four clues at a place, of which two are keys to the solution."""
    clues: tuple[Clue, ...] = finds("shed", 4)
    keys = (KeyClue(id="k", text="It was the lamp.", clues=("shed-1-1", "shed-1-2")),)
    return replace(case(), clues=clues, truth=Truth(culprits=(CLEO,), key_clues=keys))


def found(clue: str, finder: str) -> ClueRevealed:
    return ClueRevealed(clue=clue, cause="found", finder=SeatId(finder), audience="all")


def test_trust_is_shared_out_by_the_rated_seat_and_its_side() -> None:
    match = made(
        *(rated(CLEO, "suspicion", value) for value in (0, 1, 0)),
        *(rated(CLEO, "trust", value) for value in (2, 1, 2)),
        rated(ADA, "suspicion", 1),
        rated(ADA, "trust", 1),
    )
    scores = {one.seat: one for one in TII.measure(match)}
    assert scores[CLEO].value == pytest.approx(5 / 6)
    assert (scores[CLEO].numerator, scores[CLEO].denominator) == (5, 6)
    assert (scores[CLEO].faction, scores[ADA].faction) == ("murderer", "civilians")
    assert scores[ADA].value == 0.5
    assert values_of(FII, match)[CLEO] == pytest.approx(1 / 6)
    assert BRAM not in scores, "nobody rated it"


def test_a_missing_rating_is_left_out_and_not_the_lowest() -> None:
    match = made(
        *(rated(CLEO, "suspicion", value) for value in (1, None, 2)),
        *(rated(CLEO, "trust", value) for value in (None, 2, 1)),
    )
    assert values_of(TII, match) == {CLEO: 0.5}
    assert values_of(MISSING, match) == {CLEO: pytest.approx(1 / 3)}


def test_a_seat_that_everybody_rated_zero_has_no_index() -> None:
    match = made(rated(CLEO, "suspicion", 0), rated(CLEO, "trust", 0))
    assert values_of(TII, match) == {CLEO: None}
    assert values_of(FII, match) == {CLEO: None}
    assert values_of(FII_RELEASED, match) == {CLEO: None}
    assert macro_mean(TII.measure(match)) is None


def test_ratings_that_could_not_be_read_at_all_have_no_index() -> None:
    match = made(rated(CLEO, "suspicion", None), rated(CLEO, "trust", None))
    assert values_of(TII, match) == {CLEO: None}
    assert values_of(MISSING, match) == {CLEO: 1.0}


def test_the_released_share_weighs_scales_by_their_counts() -> None:
    match = made(*(rated(CLEO, "suspicion", 1) for _ in range(4)), rated(CLEO, "trust", 1))
    assert values_of(FII, match) == {CLEO: 0.8}
    assert values_of(FII_RELEASED, match) == {CLEO: 0.5}


@given(RATINGS, RATINGS)
def test_trust_and_suspicion_add_up_to_one(
    doubted: list[int | None], trusted: list[int | None]
) -> None:
    index, share = tii(doubted, trusted), fii(doubted, trusted)
    assert (index is None) == (share is None)
    if index is not None and share is not None:
        assert 0 <= index <= 1
        assert index + share == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_the_released_share_is_the_same_where_counts_agree(pairs: list[tuple[int, int]]) -> None:
    doubted, trusted = [one for one, _ in pairs], [two for _, two in pairs]
    assert fii_released(doubted, trusted) == pytest.approx(fii(doubted, trusted))


def test_clues_count_for_the_table_and_for_their_finder() -> None:
    match = made(
        opened(ADA, Purpose.ACT),
        found("shed-1-1", ADA),
        found("shed-1-3", ADA),
        found("shed-1-4", BRAM),
        script=placed(),
    )
    assert values_of(CIC, match) == {"": 0.75}
    role = values_of(CIC_ROLE, match)
    assert (role[ADA], role[BRAM], role[CLEO]) == (0.5, 0.25, 0.0)
    assert values_of(CIC_KEY, match) == {"": 0.5}


def test_clues_that_were_dealt_or_shown_are_not_found() -> None:
    shown = ClueRevealed(clue="shed-1-1", cause="shown", audience="all")
    first = PhaseStarted(phase="talk", round=1)
    match = made(first, opened(ADA, Purpose.ACT), shown, script=placed())
    assert values_of(CIC, match) == {"": 0.0}
    assert values_of(CIC_CURVE, match) == {"1": 0.0}


def test_the_curve_rises_by_round_and_searches_after_the_last_one_belong_to_it() -> None:
    match = made(
        PhaseStarted(phase="talk", round=1),
        opened(ADA, Purpose.ACT, name="a", number=1),
        found("shed-1-1", ADA),
        PhaseStarted(phase="talk", round=2),
        opened(ADA, Purpose.ACT, name="b", number=2),
        PhaseStarted(phase="talk", round=3),
        opened(ADA, Purpose.ACT, name="c", number=3),
        found("shed-1-2", ADA),
        PhaseStarted(phase="last", round=1),
        opened(ADA, Purpose.ACT, name="d", number=1),
        found("shed-1-3", ADA),
        script=placed(),
    )
    assert values_of(CIC_CURVE, match) == {"1": 0.25, "2": 0.25, "3": 0.75}
    assert values_of(CIC_KEY_CURVE, match) == {"1": 0.5, "2": 0.5, "3": 1.0}


def test_a_game_without_searches_has_no_clue_index() -> None:
    match = made(opened(ADA))
    assert not [
        score
        for metric in (CIC, CIC_ROLE, CIC_KEY, CIC_CURVE, CIC_KEY_CURVE)
        for score in metric.measure(match)
    ]


def test_a_script_without_clues_or_key_clues_has_an_undefined_index() -> None:
    match = made(opened(ADA, Purpose.ACT), script=replace(case(), clues=()))
    assert values_of(CIC, match) == {"": None}
    assert values_of(CIC_KEY, match) == {"": None}


def test_a_played_match_is_counted_to_its_end() -> None:
    chance = Random(3)
    script = scenes.case(4, clues=finds("shed", 6))
    match = play("mirage", script, MirageOptions(rounds=2), lambda request: legal(request, chance))
    events = [one for one in match.events if isinstance(one, ClueRevealed)]
    (share,) = values_of(CIC, match).values()
    assert share == len(events) / 6
    assert list(values_of(CIC_CURVE, match).values())[-1] == share
    assert list(values_of(CIC_KEY_CURVE, match).values())[-1] == values_of(CIC_KEY, match)[""]
    assert sum(value or 0 for value in values_of(CIC_ROLE, match).values()) == pytest.approx(share)
    assert set(values_of(TII, match)) == set(match.started.seats)
