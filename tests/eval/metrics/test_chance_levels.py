"""The level of a match is that of its own electorate, options and rule."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from arena.core.events import MatchEnded, VictimResult
from arena.core.options import GameOptions
from arena.games.game_registry import find_game
from arena.games.questum.options import QuestumOptions
from eval.metrics.chance_levels import (
    APPROXIMATE,
    chance_terms,
    level_of,
    measure_ccw,
    measure_ccw_decided,
    measure_chance,
    measure_chance_draw,
    measure_chance_rank,
)
from eval.played_match import PlayedMatch
from tests.arena.games.cases import case_of
from tests.arena.games.questum.scenes import crime
from tests.eval.made import (
    as_played,
    drawn,
    made,
    play,
)


def played(game: str, **options: Any) -> PlayedMatch:
    """Return a match of a small case with random answers."""
    found = find_game(game)
    return play(game, case_of(found), make_options(found.options, options), drawn())


def make_options(kind: Callable[..., GameOptions], options: dict[str, Any]) -> GameOptions:
    return kind(**options)


def win(game: str, **options: Any) -> Fraction | None:
    level = level_of(played(game, **options))
    return None if level is None else level.win


@pytest.mark.parametrize(
    ("game", "options", "percent"),
    [
        ("whodunit", {}, 13.3),
        ("whodunit", {"electorate": "civilians"}, 21.5),
        ("whodunit", {"electorate": "civilians", "tie": "random"}, 28.1),
        ("whodunit", {"vote_with_reason": True}, 13.3),
        ("whodunit", {"vote": "open"}, 13.3),
        ("whodunit", {"quorum": "majority"}, 5.1),
        ("whodunit", {"self_vote": True, "tie": "none"}, 13.5),
        ("thinkthrice", {"ballots": 1, "rounds_before": 0, "rounds_after": 0}, 13.5),
        ("thinkthrice", {"ballots": 1, "vote": "free_text", "self_vote": False}, 13.3),
        ("questum", {"rounds": 1}, 5.1),
        ("reading", {}, 5.1),
        ("mirage", {"rounds": 1, "raters": "none", "vote": "direct", "tie": "draw"}, 13.3),
    ],
)
def test_a_match_has_the_published_level_of_its_rule(
    game: str, options: dict[str, Any], percent: float
) -> None:
    match = played(game, **options)
    level = level_of(match)
    assert level is not None
    assert round(float(level.win) * 100, 1) == percent


def test_a_revote_gives_every_seat_its_share() -> None:
    assert win("whodunit", tie="revote", revote_then="random") == Fraction(1, 5)
    assert win("whodunit", tie="random") == Fraction(1, 5)


def test_accusations_come_before_the_vote() -> None:
    match = played("mirage", rounds=1, raters="none")
    level = level_of(match)
    assert level is not None
    assert level.win == Fraction(37651, 294912)


def test_whom_it_accused_a_seat_may_have_to_spare() -> None:
    assert win("mirage", rounds=1, raters="none", accusers_vote=False) is None


def test_the_village_has_one_or_two_tries() -> None:
    assert win("werewolf5") == Fraction(1, 5)
    assert win("werewolf5", days="whole") == Fraction(7, 15)
    assert win("werewolf5", tie="none") is None


def test_pooled_ballots_are_counted_together() -> None:
    few = {"rounds_before": 0, "rounds_after": 0, "ballots": 2}
    single, pooled = win("thinkthrice", **few), win("thinkthrice", **few, count="pooled")
    assert single is not None
    assert pooled is not None
    assert pooled > single, "ties are rarer among more ballots"


def test_a_seat_that_never_votes_is_no_elector() -> None:
    match = played("mirage", rounds=1, raters="none")
    silent = replace(match.started, never_vote=match.murderers)
    quiet = as_played(match.script, (silent, *match.events[1:]), match.summary.outcome)
    loud, fewer = level_of(match), level_of(quiet)
    assert loud is not None
    assert fewer is not None
    assert fewer.win > loud.win, "the murderer's ballot is always on an innocent"


def ended(match: PlayedMatch, outcome: Any, *results: VictimResult) -> PlayedMatch:
    """Return the same match with another end."""
    end = MatchEnded(outcome=outcome, murderers=match.murderers, results=results)
    return as_played(match.script, (*match.events[:-1], end), outcome)


def test_wins_are_set_against_their_level() -> None:
    match = played("whodunit")
    found = level_of(match)
    assert found is not None
    level = float(found.win)
    [score] = measure_ccw(ended(match, "civ_win"))
    assert score.value == 1
    assert (score.numerator, score.denominator) == (1 - level, 1 - level)
    [score] = measure_ccw(ended(match, "murderer_win"))
    assert score.numerator == -level


def test_a_draw_is_no_win_or_left_out() -> None:
    drew = ended(played("whodunit"), "draw")
    [score] = measure_ccw(drew)
    assert score.numerator is not None
    assert score.numerator < 0
    assert not list(measure_ccw_decided(drew))
    won = ended(drew, "civ_win")
    [score] = measure_ccw_decided(won)
    assert score.denominator == pytest.approx(0.8)


@pytest.mark.parametrize("outcome", ["forfeit", "error"])
def test_a_match_without_result_has_no_level(outcome: Any) -> None:
    match = made(outcome=outcome)
    for measure in (measure_chance, measure_chance_draw, measure_ccw, measure_chance_rank):
        assert not list(measure(match))


def test_a_match_without_a_vote_has_no_level() -> None:
    assert not list(measure_ccw(made()))
    assert not list(measure_chance(made()))


def test_a_reference_row_has_a_level_and_no_corrected_wins() -> None:
    match = played("whodunit")
    row = replace(match, summary=replace(match.summary, uncounted="nobody talked"))
    assert list(measure_chance(row))
    assert not list(measure_ccw(row))


def test_elections_of_one_match_weigh_as_one() -> None:
    match = played("thinkthrice", ballots=2, rounds_before=0, rounds_after=0)
    match = ended(
        match,
        "civ_win",
        VictimResult(ballot=1, outcome="civ_win", named=()),
        VictimResult(ballot=2, outcome="murderer_win", named=()),
    )
    [score] = measure_ccw(match)
    level = float(chance_terms(match)[0].level.win)
    assert score.numerator == pytest.approx(0.5 - level)
    assert score.denominator == pytest.approx(1 - level)


def test_victims_are_a_term_each_and_those_without_a_killer_none() -> None:
    script = crime(Otto=("Ada",), Vera=("Bram", "Cleo"), Zeno=())
    match = play("questum", script, QuestumOptions(rounds=1), drawn())
    one, two = (float(term.level.win) for term in chance_terms(match))
    assert one < two, "either of two killers is right"
    [score] = measure_ccw(match)
    assert score.denominator == pytest.approx(2 - one - two)


def test_an_open_vote_is_marked_as_approximate() -> None:
    assert [score.group for score in measure_chance(played("whodunit", vote="open"))] == [
        APPROXIMATE
    ]
    assert [score.group for score in measure_chance(played("whodunit"))] == [""]


def test_a_ranking_has_a_level_of_its_own() -> None:
    match = played("mirage", rounds=1, raters="none")
    seats = len(match.started.seats)
    [score] = measure_chance_rank(match)
    assert score.value == pytest.approx(sum(1 / n for n in range(1, seats + 1)) / seats)
    assert not list(measure_chance_rank(played("whodunit")))


def test_draws_have_a_probability() -> None:
    [score] = measure_chance_draw(played("whodunit"))
    assert score.value is not None
    assert round(score.value * 100, 1) == 33.6
