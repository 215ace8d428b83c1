"""Two runs, match by match, and the figures of one."""

import pytest

from arena.core.events import Outcome
from arena.errors import ConfigError, RecordError
from eval.metrics.catalogue import METRICS
from eval.report import abilities, claims
from eval.report.compare import compare_collected, comparison_table, describe
from eval.report.context import shorten_names
from eval.report.figures import CHANCE, make_figures, parse_by
from eval.report.figures import describe as describe_figure
from eval.report.matches import Collected
from tests.eval.report.made_reports import collected, facts, series


def outcomes(*labels: Outcome) -> Collected:
    return collected(*(facts(outcome=one, number=number) for number, one in enumerate(labels)))


def test_wins_of_the_same_matches_are_compared_pair_by_pair() -> None:
    first = outcomes("civ_win", "civ_win", "civ_win", "draw", "murderer_win")
    second = outcomes("draw", "murderer_win", "civ_win", "draw", "civ_win")
    [one] = compare_collected(first, second, ["win_rate"]).differences
    assert (one.first, one.second, one.paired.difference) == (0.6, 0.4, pytest.approx(0.2))
    assert (one.paired.only_first, one.paired.only_second, one.paired.pairs) == (2, 1, 5)
    assert one.paired.mcnemar_p == 1.0


def test_an_error_drops_its_pair_and_is_counted() -> None:
    found = compare_collected(
        outcomes("civ_win", "error"), outcomes("draw", "civ_win"), ["win_rate"]
    )
    [one] = found.differences
    assert (one.paired.pairs, one.paired.dropped) == (1, 1)
    assert (one.first, one.second) == (1.0, 0.0)
    [turned] = compare_collected(found.second, found.first, ["win_rate"]).differences
    assert (turned.first, turned.second) == (0.0, 1.0)


def test_matches_that_only_one_run_has_are_counted_and_in_no_pair() -> None:
    found = compare_collected(outcomes("civ_win", "draw", "draw"), outcomes("civ_win"))
    assert (found.pairs, found.unpaired) == (1, (2, 0))


def test_p_values_of_all_metrics_are_adjusted_together() -> None:
    first, second = outcomes("civ_win", "civ_win", "civ_win"), outcomes("draw", "draw", "draw")
    found = compare_collected(first, second, ["win_rate", "win_rate_half"])
    assert all(
        one.holm_p is not None and one.holm_p >= (one.paired.sign_flip_p or 0)
        for one in found.differences
    )
    assert len(comparison_table(found).rows) == 2
    assert describe(found.differences[0])["scale"] == 100


def test_runs_that_share_no_match_are_refused() -> None:
    with pytest.raises(RecordError, match="share no match"):
        compare_collected(collected(facts(number=1)), collected(facts(number=2)))


def test_a_run_with_two_equal_matches_has_no_pairs() -> None:
    twice = collected(facts(number=1), facts(number=1))
    with pytest.raises(RecordError, match="one to one"):
        compare_collected(twice, twice)


def test_a_figure_is_an_object_with_its_interval_chance_and_scale() -> None:
    matches = series((("civ_win", 1), ("murderer_win", 3)))
    scores = [score for match in matches for score in match.scores]
    figures = make_figures(scores, ("contestant",))
    [figure] = [one for one in figures if one.metric == "win_rate"]
    value = describe_figure(figures, figure)
    assert value["group"] == {"contestant": "alpha"}
    assert (value["macro"], value["pooled"], value["n"], value["missing"]) == (0.25, 0.25, 4, 0)
    assert (value["better"], value["scale"], value["judge"]) == ("higher", 100, "")
    assert "Wilson" in str(value["interval"])
    assert set(value) == {
        *("metric", "group", "macro", "pooled", "n", "missing", "matches", "scripts"),
        *("clusters", "low", "high", "interval", "chance", "judge", "better", "scale"),
    }


def test_groups_of_a_metric_are_never_mixed() -> None:
    matches = series((("civ_win", 1), ("draw", 1)))
    scores = [score for match in matches for score in match.scores]
    shares = [one for one in make_figures(scores, ()) if one.metric == "outcome_share"]
    assert {dict(one.group)["group"]: one.macro for one in shares}["draw"] == 0.5
    assert len(shares) == len({one.group for one in shares}) > 2


def test_figures_can_be_grouped_by_fields_of_a_score_alone() -> None:
    assert parse_by(" contestant, faction ,") == ("contestant", "faction")
    with pytest.raises(ConfigError, match="--by takes contestant"):
        parse_by("colour")


def test_the_address_of_a_server_is_left_out_where_names_stay_apart() -> None:
    one, other = "http://10.0.0.1:1/v1#m+cot", "http://10.0.0.2:1/v1#m+cot"
    assert shorten_names([one, "random"]) == {one: "m+cot", "random": "random"}
    assert shorten_names([one, other]) == {one: one, other: other}


def test_every_metric_that_reports_name_is_in_the_catalogue() -> None:
    named = {
        *abilities.CHAIN,
        *abilities.QUESTIONS,
        *claims.RATES,
        *CHANCE,
        *CHANCE.values(),
        *(name for family in abilities.FAMILIES.values() for name in family),
    } - {"similarity_embedding"}
    assert named <= set(METRICS)
