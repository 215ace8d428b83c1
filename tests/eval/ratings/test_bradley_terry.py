"""Bradley-Terry ratings: against other fits, and where matches say too little."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from typing import Any

import evalica
import numpy as np
import pytest
from numpy.typing import NDArray

from eval.ratings.bradley_terry import Component, rate_contestants
from eval.ratings.design import find_separated, make_design, split_components
from eval.ratings.likelihood import compare_anchors, compare_single
from eval.ratings.newton import fit_newton
from eval.ratings.rated_games import SPECIFIED, RatedGame, RatingOptions, elo_scale, from_elo
from eval.stats.untyped import import_module
from tests.eval.ratings.tables import Cell, draw_games, games_of_cells

optimize: Any = import_module("scipy.optimize")
PLAIN = replace(SPECIFIED, prior="none")
CELLS: list[Cell] = [
    *(("A", "A", 30, 90), ("A", "B", 12, 60), ("A", "C", 41, 90), ("B", "A", 20, 30)),
    *(("B", "C", 55, 80), ("C", "A", 9, 45), ("C", "B", 10, 70)),
]
CIVILIANS = {"A": 0.0, "B": 0.8, "C": -0.8}
MURDERERS = {"A": 0.5, "B": -0.5, "C": 0.0}


def only(games: Sequence[RatedGame], options: RatingOptions, resamples: int = 0) -> Component:
    (component,) = rate_contestants(games, options, resamples=resamples).components
    return component


def strengths(component: Component) -> dict[tuple[str, str], float | None]:
    return {(one.contestant, one.side): one.strength.value for one in component.ratings}


def fit_by_brute_force(
    games: Sequence[RatedGame], options: RatingOptions
) -> tuple[dict[tuple[str, str], float], float, float, dict[str, float]]:
    """Return strengths, alpha, log nu and script effects by a general minimiser, game by game."""
    names = sorted({(g.civilians, "civ") for g in games} | {(g.murderer, "mur") for g in games})
    scripts = sorted({g.script for g in games})
    place = {name: i + 2 for i, name in enumerate(names)}
    place |= {("", script): len(names) + 2 + i for i, script in enumerate(scripts)}
    free = slice(2, 2 + len(names))

    def loss(x: NDArray[np.float64]) -> float:
        total = 0.0
        for g in games:
            odds = x[0] + x[place[g.civilians, "civ"]] - x[place[g.murderer, "mur"]]
            if options.scripts:
                odds += x[place["", g.script]]
            weights = {"civ_win": exp(odds / 2), "murderer_win": exp(-odds / 2), "draw": exp(x[1])}
            if options.draws != "davidson":
                weights["draw"] = 0.0
            total -= g.weight * log(weights[g.outcome] / sum(weights.values()))
        if options.prior == "normal":
            total += float((x[free] ** 2).sum()) / 8
        elif options.prior == "half_draw":
            total += float((np.log1p(np.exp(x[free])) + np.log1p(np.exp(-x[free]))).sum()) / 4
        return total + float((x[2 + len(names) :] ** 2).sum()) / 2

    best = optimize.minimize(loss, np.zeros(2 + len(place)), method="BFGS", options={"gtol": 1e-7})
    x: NDArray[np.float64] = best.x
    middle = {
        side: float(np.mean([x[place[name]] for name in names if name[1] == side]))
        for side in ("civ", "mur")
    }
    found = {name: float(x[place[name]]) - middle[name[1]] for name in names}
    alpha = float(x[0]) + middle["civ"] - middle["mur"]
    return found, alpha, float(x[1]), {one: float(x[place["", one]]) for one in scripts}


@pytest.mark.slow
@pytest.mark.parametrize("prior", ["half_draw", "normal", "none"])
@pytest.mark.parametrize("scripts", [False, True])
def test_the_fit_is_that_of_a_general_minimiser(prior: Any, scripts: bool) -> None:
    games = draw_games(
        np.random.default_rng(1),
        CIVILIANS,
        MURDERERS,
        alpha=-0.7,
        scripts=6,
        script_spread=1.0,
        draws=-1.0,
    )
    options = RatingOptions(prior=prior, scripts=scripts, anchors={})
    ours = only(games, options)
    found, alpha, draws, effects = fit_by_brute_force(games, options)
    values = strengths(ours)
    for (name, side), wanted in found.items():
        where = "civilians" if side == "civ" else "murderer"
        assert values[name, where] == pytest.approx(wanted, abs=2e-4)
    assert ours.alpha.value == pytest.approx(alpha, abs=2e-4)
    assert ours.draws.value == pytest.approx(draws, abs=2e-4)
    if scripts:
        assert ours.scripts == pytest.approx(effects, abs=2e-4)


def rate_with_evalica(
    rows: Sequence[tuple[str, str, evalica.Winner, float]],
) -> dict[str, float]:
    """Return centred log scores, with half a draw of each name against a phantom: never bare."""
    names = sorted({name for row in rows for name in row[:2]})
    every = [*rows, *((name, "phantom", evalica.Winner.Draw, 0.5) for name in names)]
    result = evalica.bradley_terry(
        [row[0] for row in every],
        [row[1] for row in every],
        [row[2] for row in every],
        weights=[row[3] for row in every],
        tolerance=1e-14,
        limit=100_000,
    )
    scores: Any = result.scores
    logs = {name: log(float(scores[name])) for name in [*names, "phantom"]}
    return {name: logs[name] - logs["phantom"] for name in names}


def test_one_strength_with_half_a_draw_is_that_of_evalica() -> None:
    cells: list[Cell] = [("A", "B", 7, 10), ("B", "C", 6, 10), ("C", "A", 3, 11), ("A", "D", 4, 4)]
    theirs = rate_with_evalica(
        [
            (a, b, winner, weight)
            for a, b, won, decided in cells
            for winner, weight in ((evalica.Winner.X, won), (evalica.Winner.Y, decided - won))
            if weight
        ]
    )
    mirrored = [*cells, *((b, a, decided - won, decided) for a, b, won, decided in cells)]
    games = [replace(game, weight=game.weight / 2) for game in games_of_cells(mirrored)]
    options = RatingOptions(single=True, scripts=False, anchors={})
    ours = strengths(only(games, options))
    middle = np.mean(list(theirs.values()))
    for name, wanted in theirs.items():
        assert ours[name, "both"] == pytest.approx(wanted - middle, abs=1e-5)


def test_two_strengths_are_those_of_evalica_for_separate_competitors() -> None:
    theirs = rate_with_evalica(
        [
            (f"{a}@civ", f"{b}@mur", winner, weight)
            for a, b, won, decided in CELLS
            for winner, weight in ((evalica.Winner.X, won), (evalica.Winner.Y, decided - won))
        ]
    )
    ours = strengths(only(games_of_cells(CELLS), replace(PLAIN, prior="normal")))
    for side, mark in (("civilians", "civ"), ("murderer", "mur")):
        middle = np.mean([value for name, value in theirs.items() if name.endswith(mark)])
        for name in "ABC":
            wanted = theirs[f"{name}@{mark}"] - middle
            assert ours[name, side] == pytest.approx(wanted, abs=0.06)


def test_a_draw_as_half_a_win_is_two_games_of_half_weight() -> None:
    draw = RatedGame(civilians="A", murderer="B", outcome="draw", script="s", work="s", weight=4)
    halves = [replace(draw, outcome=one, weight=2) for one in ("civ_win", "murderer_win")]
    options = replace(PLAIN, draws="half")
    games = games_of_cells(CELLS)
    assert strengths(only([*games, draw], options)) == pytest.approx(
        strengths(only([*games, *halves], options)), abs=1e-9
    )


def test_draws_that_are_left_out_change_nothing() -> None:
    draw = RatedGame(civilians="A", murderer="Z", outcome="draw", script="s", work="s")
    assert strengths(only([*games_of_cells(CELLS), draw], PLAIN)) == strengths(
        only(games_of_cells(CELLS), PLAIN)
    )


def test_the_chance_level_is_an_offset() -> None:
    games = [replace(game, chance=0.25) for game in games_of_cells(CELLS)]
    plain, beyond = only(games, PLAIN), only(games, replace(PLAIN, chance=True))
    assert strengths(plain) == pytest.approx(strengths(beyond), abs=1e-8)
    assert plain.alpha.value is not None
    assert beyond.alpha.value == pytest.approx(plain.alpha.value + log(3))
    with pytest.raises(ValueError, match="chance level"):
        only(games_of_cells(CELLS), replace(PLAIN, chance=True))


def test_contestants_that_never_meet_are_fitted_apart() -> None:
    games = games_of_cells([("A", "B", 3, 9), ("C", "D", 5, 9)])
    found = rate_contestants(games, PLAIN, resamples=0)
    assert len(found.components) == 2
    alphas = [one.alpha.value for one in found.components]
    assert alphas == pytest.approx([log(3 / 6), log(5 / 4)])
    assert found.find("C", "civilians").strength.value == 0
    with pytest.raises(KeyError):
        found.find("C", "murderer")


def test_two_contestants_on_crossed_sides_only_are_two_components() -> None:
    games = games_of_cells([("A", "B", 3, 9), ("B", "A", 5, 9)])
    assert len(split_components(games, PLAIN)) == 2
    assert len(split_components(games, replace(PLAIN, single=True))) == 1


def test_one_who_never_wins_is_flagged_and_without_a_prior_has_no_rating() -> None:
    cells: list[Cell] = [("A", "A", 5, 9), ("A", "B", 4, 9), ("B", "A", 0, 9), ("B", "B", 0, 9)]
    bare = only(games_of_cells(cells), PLAIN)
    assert bare.alpha.value is None
    assert all(one.strength.value is None for one in bare.ratings)
    kept = only(games_of_cells(cells), RatingOptions(anchors={}, scripts=False))
    flagged = {(one.contestant, one.side) for one in kept.ratings if one.separated}
    assert flagged == {("B", "civilians"), ("B", "both")}
    weak = strengths(kept)["B", "civilians"]
    assert weak is not None
    assert -6 < weak < -1


def test_a_group_that_always_wins_is_separated_from_the_rest() -> None:
    cells: list[Cell] = [("A", "C", 3, 6), ("A", "D", 6, 6), ("B", "C", 6, 6), ("B", "D", 3, 6)]
    assert not find_separated(games_of_cells(cells), PLAIN)
    cells = [("A", "C", 3, 6), ("A", "D", 6, 6), ("B", "C", 0, 6), ("B", "D", 3, 6)]
    everybody = find_separated(games_of_cells(cells), PLAIN)
    assert len(everybody) == 4
    larger: list[Cell] = [*cells, ("E", "C", 3, 6)]
    assert find_separated(games_of_cells(larger), PLAIN) == {("B", "civilians"), ("D", "murderer")}


def test_a_draw_ends_a_separation() -> None:
    games = games_of_cells([("A", "B", 6, 6)])
    assert len(find_separated(games, PLAIN)) == 2
    draw = RatedGame(civilians="A", murderer="B", outcome="draw", script="s", work="s")
    assert not find_separated([*games, draw], PLAIN)


def test_matches_that_all_end_alike_leave_alpha_open_under_every_prior() -> None:
    games = games_of_cells([("A", "A", 4, 4), ("A", "B", 4, 4), ("B", "A", 4, 4), ("B", "B", 4, 4)])
    for prior in ("half_draw", "normal", "none"):
        assert only(games, replace(PLAIN, prior=prior)).alpha.value is None


def test_draws_only_are_fitted_without_a_number_for_draws_running_away() -> None:
    draw = RatedGame(civilians="A", murderer="B", outcome="draw", script="s", work="s")
    assert only([draw] * 5, RatingOptions(scripts=False, anchors={})).alpha.value is None


def test_draws_and_losses_without_a_win_leave_alpha_and_draws_open() -> None:
    """The more draws a loser has, the lower is alpha and the higher nu, without end."""
    games = [
        RatedGame(civilians="A", murderer="B", outcome=outcome, script="s", work="s")
        for outcome in ("murderer_win", "draw", "draw")
    ]
    found = only(games, RatingOptions(scripts=False, anchors={}))
    assert (found.alpha.value, found.draws.value) == (None, None)
    assert all(one.strength.value is None for one in found.ratings)
    won = RatedGame(civilians="A", murderer="B", outcome="civ_win", script="s", work="s")
    found = only([*games, won], RatingOptions(scripts=False, anchors={}))
    assert found.alpha.value == pytest.approx(0, abs=1e-6)
    assert found.draws.value == pytest.approx(log(2), abs=1e-6)


def test_degenerate_resamples_are_counted_and_left_out() -> None:
    games = [
        game
        for script, won in enumerate((0, 0, 0, 1, 0, 1))
        for game in games_of_cells([("A", "A", won, 1), ("A", "B", won, 1)], f"s{script}")
    ]
    found = only(games, RatingOptions(scripts=False, anchors={}), resamples=500)
    share = found.degenerate / 500
    assert share == pytest.approx((4 / 6) ** 6, abs=0.05)
    assert found.alpha.interval is not None
    assert found.alpha.interval.dropped == found.degenerate
    assert found.separated >= found.degenerate


def test_a_contestant_missing_from_a_resample_makes_it_degenerate() -> None:
    games = [
        *games_of_cells([("A", "A", 1, 2), ("A", "B", 1, 2)], "s0"),
        *(g for i in range(1, 6) for g in games_of_cells([("A", "A", 1, 2)], f"s{i}")),
    ]
    found = only(games, RatingOptions(scripts=False, anchors={}), resamples=500)
    assert found.degenerate / 500 == pytest.approx((5 / 6) ** 6, abs=0.06)


def test_a_script_that_is_drawn_twice_stands_for_two_scripts() -> None:
    games = draw_games(
        np.random.default_rng(2), CIVILIANS, MURDERERS, alpha=-0.7, scripts=5, script_spread=2.0
    )
    copies = [replace(one, script="t0", work="t0") for one in games if one.script == "s0"]
    options = RatingOptions(anchors={})
    design, doubled = make_design(games, options), make_design([*games, *copies], options)
    again = fit_newton(design, np.array([[2, 1, 1, 1, 1]]), with_draws=False).parameters[0]
    wanted = fit_newton(doubled, np.ones((1, 6), dtype=np.int64), with_draws=False).parameters[0]
    assert again == pytest.approx(wanted[: len(again)], abs=1e-6)


def test_fewer_than_5_scripts_have_no_intervals() -> None:
    games = [game for i in range(4) for game in games_of_cells(CELLS, f"s{i}")]
    found = only(games, PLAIN, resamples=50)
    assert found.alpha.value is not None
    assert all(one.strength.interval is None for one in found.ratings)


def test_intervals_hold_the_strength_and_the_seed_repeats_them() -> None:
    games = draw_games(np.random.default_rng(4), CIVILIANS, MURDERERS, alpha=-1, scripts=12)
    first, again = (only(games, RatingOptions(anchors={}), resamples=200) for _ in range(2))
    assert first == again
    for one in first.ratings:
        assert one.strength.interval is not None
        assert one.strength.value is not None
        assert one.strength.interval.low < one.strength.value < one.strength.interval.high


def test_anchors_keep_their_rating_and_the_others_are_relative_to_them() -> None:
    civilians, murderers = {**CIVILIANS, "random": -1.5}, {**MURDERERS, "random": -1.0}
    games = draw_games(
        np.random.default_rng(6), civilians, murderers, alpha=-0.5, scripts=12, repeats=5
    )
    free = only(games, RatingOptions(anchors={}, prior="none"))
    tied = only(games, RatingOptions(prior="none"), resamples=20)
    for side in ("civilians", "murderer"):
        anchor = next(one for one in tied.ratings if (one.contestant, one.side) == ("random", side))
        assert anchor.anchored
        assert anchor.strength.elo == pytest.approx(1000)
        assert anchor.strength.interval is None
        apart = strengths(free)
        for name in "ABC":
            mine, base = apart[name, side], apart["random", side]
            assert mine is not None
            assert base is not None
            wanted = from_elo(1000) + mine - base
            assert strengths(tied)[name, side] == pytest.approx(wanted, abs=1e-6)


def test_anchors_link_contestants_that_meet_different_ones() -> None:
    games = games_of_cells([("A", "random", 3, 9), ("B", "naive", 5, 9)])
    assert len(rate_contestants(games, RatingOptions(), resamples=0).components) == 1
    assert len(rate_contestants(games, RatingOptions(anchors={}), resamples=0).components) == 2


def test_wins_and_losses_against_different_anchors_do_not_separate() -> None:
    """M loses to one anchor and beats the other, whose distance is fixed."""
    games = games_of_cells([("random", "M", 3, 3), ("naive", "M", 0, 3)])
    assert find_separated(games, RatingOptions()) == frozenset()
    assert find_separated(games, RatingOptions(anchors={}))


def test_random_and_naive_are_the_anchors_at_1000() -> None:
    games = games_of_cells([("random", "naive", 3, 9), ("A", "naive", 5, 9)])
    found = only(games, RatingOptions(scripts=False))
    fixed = {one.contestant: one.strength.elo for one in found.ratings if one.anchored}
    assert fixed == {"random": pytest.approx(1000), "naive": pytest.approx(1000)}


def test_half_a_draw_against_the_anchor_draws_a_contestant_to_it() -> None:
    games = games_of_cells([("A", "random", 1, 1), ("random", "random", 1, 2)])
    found = only(games, RatingOptions(scripts=False))
    value = strengths(found)["A", "civilians"]
    assert value is not None
    assert from_elo(1000) < value < from_elo(1000) + 2


def test_matches_speak_against_anchors_that_do_not_fit() -> None:
    stated = {"random": 1000.0, "naive": 1000.0}
    for gap, fits in ((0.0, True), (2.0, False)):
        games = draw_games(
            np.random.default_rng(8),
            {"A": 0.0, "B": 0.5},
            {"random": 0.0, "naive": -gap},
            alpha=0,
            scripts=10,
            repeats=8,
        )
        found = compare_anchors(games, RatingOptions(anchors=stated))
        assert found is not None
        assert found.freedom == 1
        assert (found.p > 0.05) is fits
    assert compare_anchors(games_of_cells(CELLS), RatingOptions()) is None


def test_one_strength_is_refused_where_the_two_sides_differ() -> None:
    same = {"A": -0.8, "B": 0.0, "C": 0.8}
    turned = {"A": 0.8, "B": 0.0, "C": -0.8}
    for murderers, fits in ((same, True), (turned, False)):
        games = draw_games(
            np.random.default_rng(9), same, murderers, alpha=-0.5, scripts=10, repeats=5
        )
        found = compare_single(games, SPECIFIED)
        assert found is not None
        assert found.freedom == 2
        assert (found.p > 0.05) is fits
    swept: list[Cell] = [("A", "B", 6, 6), ("B", "A", 0, 6)]
    assert compare_single(games_of_cells(swept), SPECIFIED) is None


def test_the_likelihood_ratio_is_that_of_a_table_worked_out_by_hand() -> None:
    """Two strengths fit the four rates exactly; one strength makes all of them a half."""
    cells: list[Cell] = [("A", "A", 80, 120), ("B", "B", 40, 120)]
    cells += [("A", "B", 60, 120), ("B", "A", 60, 120)]
    found = compare_single(games_of_cells(cells), SPECIFIED)
    assert found is not None
    wanted = 2 * (2 * (80 * log(2 / 3) + 40 * log(1 / 3)) + 240 * log(2))
    assert found.statistic == pytest.approx(wanted)
    assert found.freedom == 1


def test_strength_0_is_1500_and_400_points_are_odds_of_10() -> None:
    assert elo_scale(0) == 1500
    assert elo_scale(log(10)) == pytest.approx(1900)
    assert from_elo(elo_scale(0.7)) == pytest.approx(0.7)
