"""Two runs, match by match, and the figures of one."""

from dataclasses import replace

import pytest

from arena.core.events import Outcome
from arena.errors import ConfigError, RecordError
from eval.metrics.catalogue import METRICS
from eval.report.collection.decided_level import DECIDED_LEVEL
from eval.report.collection.match_facts import RunCollection
from eval.report.elements import FigureCell
from eval.report.figure_objects import CHANCE, make_figures, parse_by
from eval.report.figure_objects import figure_object as describe_figure
from eval.report.report_context import shorten_names
from eval.report.run_comparison import compare_collected, comparison_table, difference_object
from eval.report.sections import ability_tables, claim_tables
from tests.eval.report.made_reports import collected, facts, series
from tests.table import NAMES, case


def outcomes(*labels: Outcome) -> RunCollection:
    return collected(*(facts(outcome=one, number=number) for number, one in enumerate(labels)))


def in_works(found: RunCollection) -> RunCollection:
    """Return the same matches, each of a work of its own."""
    matches = (replace(one, work=one.summary.match) for one in found.matches)
    return replace(found, matches=tuple(matches))


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
    assert difference_object(found.differences[0])["scale"] == 100


def test_what_is_better_neither_way_is_no_hypothesis_and_costs_the_others_none() -> None:
    first = outcomes("civ_win", "civ_win", "civ_win", "civ_win")
    second = outcomes("draw", "draw", "draw", "draw")
    alone = compare_collected(first, second, ["win_rate"]).differences
    both = compare_collected(first, second, ["win_rate", "outcome_share"]).differences
    assert METRICS["outcome_share"].better == "none"
    assert [one.holm_p for one in both if one.metric == "win_rate"] == [alone[0].holm_p]
    assert {one.holm_p for one in both if one.metric == "outcome_share"} == {None}


def test_a_higher_level_makes_the_interval_wider() -> None:
    first = in_works(outcomes("civ_win", "civ_win", "draw", "civ_win", "draw", "draw"))
    second = in_works(outcomes("draw", "civ_win", "draw", "draw", "civ_win", "draw"))
    narrow, wide = (
        compare_collected(first, second, ["win_rate"], level=level).differences[0].paired.interval
        for level in (0.8, 0.95)
    )
    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_a_difference_without_an_interval_says_why() -> None:
    found = compare_collected(outcomes("civ_win"), outcomes("draw"), ["win_rate"])
    assert difference_object(found.differences[0])["interval"] == "clusters: 1, fewer than 5"


def test_the_table_shows_first_second_and_their_difference_in_the_unit_of_the_metric() -> None:
    first = outcomes("civ_win", "civ_win", "civ_win", "draw", "murderer_win")
    second = outcomes("draw", "murderer_win", "civ_win", "draw", "civ_win")
    found = compare_collected(in_works(first), in_works(second), ["win_rate"])
    [one], [row] = found.differences, comparison_table(found).rows
    assert row[3:5] == ("60.0", "40.0")
    assert isinstance(row[5], FigureCell)
    assert one.paired.interval is not None
    assert (row[5].value, row[5].low, row[5].high) == (
        pytest.approx(20),
        pytest.approx(100 * one.paired.interval.low),
        pytest.approx(100 * one.paired.interval.high),
    )
    assert row[6:] == (1.0, one.holm_p, 5)


def test_holm_doubles_the_p_of_two_equal_tests() -> None:
    wins = in_works(collected(*series((("civ_win", 6),))))
    draws = in_works(collected(*series((("draw", 6),))))
    one, other = compare_collected(wins, draws, ["win_rate", "win_rate_half"]).differences
    assert one.paired.sign_flip_p == other.paired.sign_flip_p == 2 / 2**6
    assert (one.holm_p, other.holm_p) == (4 / 2**6, 4 / 2**6)


def test_matches_whose_seats_have_other_sides_are_no_pair() -> None:
    other = facts(number=1, script=case(culprits=(NAMES[0],)))
    with pytest.raises(RecordError, match="share no match"):
        compare_collected(collected(facts(number=1)), collected(other))


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
        *ability_tables.CHAIN,
        *ability_tables.QUESTIONS,
        *claim_tables.RATES,
        *CHANCE,
        *CHANCE.values(),
        *(name for family in ability_tables.FAMILIES.values() for name in family),
    } - {"similarity_embedding", DECIDED_LEVEL}
    assert named <= set(METRICS)
