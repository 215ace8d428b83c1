"""The chance level of decided matches: exact, beside its rate, and nothing where it is unknown."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.events import MatchEnded, Outcome, VictimResult
from arena.core.options import GameOptions
from arena.games.game_registry import find_game
from eval.metrics.chance_levels import level_of, measure_chance, measure_chance_draw
from eval.played_match import PlayedMatch
from eval.report.collection.decided_level import DECIDED_LEVEL, score_decided_level
from eval.report.collection.match_facts import MatchFacts, extract_facts
from eval.report.elements import FigureCell
from eval.report.figure_objects import chance_of, make_figures
from eval.scores import make_score
from tests.arena.games.cases import case_of
from tests.eval.made import drawn, play
from tests.eval.report.made_reports import facts, report, table


def ended(outcome: Outcome, **values: Any) -> PlayedMatch:
    """Return a match of random votes with another outcome."""
    game = find_game("whodunit")
    options: GameOptions = game.options()
    match = play("whodunit", case_of(game), options, drawn())
    return replace(match, summary=replace(match.summary, outcome=outcome, **values))


def leveled(value: float | None, number: int, outcome: Outcome = "civ_win") -> MatchFacts:
    found = facts(outcome=outcome, number=number)
    level = replace(found.scores[0], metric=DECIDED_LEVEL, value=value)
    return replace(found, level=level)


def shown(*matches: MatchFacts, name: str = "win_rates_whodunit") -> tuple[object, object]:
    """Return the level in the bar of the decided rate, and the one in its own column."""
    found = table(report(*matches), name)
    [row] = found.rows
    cells = dict(zip((column.key for column in found.columns), row, strict=True))
    rate = cells["decided_rate"]
    assert isinstance(rate, FigureCell)
    return rate.chance, cells["decided_chance"]


@pytest.mark.parametrize("outcome", ["civ_win", "murderer_win"])
def test_the_level_of_a_decided_match_is_a_win_given_that_the_vote_decides(
    outcome: Outcome,
) -> None:
    match = ended(outcome)
    [win], [draw] = measure_chance(match), measure_chance_draw(match)
    found = score_decided_level(match)
    assert found is not None
    assert win.value is not None
    assert draw.value
    assert found.value == pytest.approx(win.value / (1 - draw.value))
    exact = level_of(match)
    assert exact is not None
    assert found.value == float(exact.win_excluding_draws or 0)


def test_a_draw_and_an_uncounted_match_have_no_level_and_enter_none() -> None:
    assert score_decided_level(ended("draw")) is None
    assert score_decided_level(ended("error")) is None
    assert score_decided_level(ended("murderer_win", uncounted="nobody voted")) is None


def test_a_match_of_several_votes_has_no_level() -> None:
    match = ended("civ_win")
    last = match.events[-1]
    assert isinstance(last, MatchEnded)
    votes = tuple(VictimResult(about="", outcome="civ_win", named=()) for _ in range(2))
    found = score_decided_level(
        replace(match, events=(*match.events[:-1], replace(last, results=votes)))
    )
    assert found is not None
    assert found.value is None


@pytest.mark.parametrize("name", ["win_rates_whodunit", "pairs_whodunit"])
def test_the_decided_rate_stands_beside_the_mean_level_of_its_matches(name: str) -> None:
    assert shown(leveled(0.2, 1), leveled(0.4, 2, "murderer_win"), name=name) == (
        pytest.approx(30),
        pytest.approx(30),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["win_rates_whodunit", "pairs_whodunit"])
def test_where_one_match_has_no_level_the_rate_has_none(name: str) -> None:
    assert shown(leveled(0.2, 1), leveled(None, 2), name=name) == (None, None)


@pytest.mark.slow
def test_a_half_draw_counts_half_in_the_level_too() -> None:
    match = extract_facts(ended("civ_win"))
    chance, draw = (
        next(one.value or 0.0 for one in match.scores if one.metric == name)
        for name in ("chance", "chance_draw")
    )
    [row] = table(report(match), "win_rates_whodunit").rows
    half = row[4]
    assert isinstance(half, FigureCell)
    assert half.chance == pytest.approx(100 * (chance + draw / 2))


def test_figures_of_decided_matches_have_their_level_as_chance() -> None:
    match = ended("civ_win")
    wins = make_score(match, "win_rate_decided", numerator=1, denominator=1)
    known, unknown = (make_score(match, DECIDED_LEVEL, value=value) for value in (0.25, None))

    def chance(*levels: float | None) -> float | None:
        scores = [known if one else unknown for one in levels]
        figures = make_figures((wins, *scores), ("contestant",))
        return chance_of(figures, next(one for one in figures if one.metric == wins.metric))

    assert chance(0.25) == 0.25
    assert chance(0.25, None) is None
    assert chance() is None
