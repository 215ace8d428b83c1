"""Matches that a metric leaves out are counted, with the reason."""

from dataclasses import replace

import pytest

from eval.judges.gaps import REASONS, find_gaps
from eval.judges.task_builders.answer_tasks import FreeAnswer
from eval.judges.task_builders.task_catalogue import FREE_ANSWERS, NAMES, PREFERENCE
from eval.played_match import PlayedMatch
from scripts_mm.script import Script
from tests.eval.judges.made import judged_case, judged_match
from tests.eval.made import made


def without_parts(script: Script) -> Script:
    return replace(script, roles=tuple(replace(role, parts=()) for role in script.roles))


def lines(matches: list[PlayedMatch], *metrics: str, answers: tuple[FreeAnswer, ...] = ()):
    return [str(gap) for gap in find_gaps(matches, metrics, answers)]


def named(match: PlayedMatch, name: str) -> PlayedMatch:
    return replace(match, summary=replace(match.summary, match=name))


def test_scripts_without_parts_are_counted_once_for_the_task_with_the_reason() -> None:
    bare = made(script=without_parts(judged_case()))
    matches = [named(judged_match(), "a"), named(bare, "b"), named(bare, "c")]
    assert lines(matches, "RP", "RL") == [
        "RL: 2 of 3 matches not judged: the private scripts have no parts"
    ]


@pytest.mark.parametrize("metric", NAMES)
def test_every_metric_has_a_reason_and_a_match_that_has_all_is_no_gap(metric: str) -> None:
    assert REASONS[metric]
    answer = FreeAnswer(match="m", seat="x", question="q1", kind="rationale", text="so")
    matches = [named(judged_match(), "m"), named(judged_match(), "m-swap")]
    given = (answer, replace(answer, match="m-swap"))
    assert lines(matches, metric, answers=given) == []


@pytest.mark.parametrize("metric", sorted(set(NAMES) - {"RP", "ICI", "RL"}))
def test_a_match_in_which_nobody_said_anything_is_a_gap_where_words_are_judged(
    metric: str,
) -> None:
    silent = made()
    assert len(lines([silent], metric)) == 1


def test_matches_without_a_result_are_counted_once_and_not_for_each_metric() -> None:
    matches = [named(judged_match(), "a"), named(made(outcome="error"), "b")]
    assert lines(matches, "RP", "RL") == [
        "1 of 2 matches not judged: the match has no result (a forfeit or an error)"
    ]


def test_both_matches_of_a_swap_are_judged_and_one_without_its_twin_is_not() -> None:
    one = judged_match()
    matches = [named(one, "a"), named(one, "a-swap"), named(one, "b")]
    [line] = lines(matches, PREFERENCE)
    assert line.startswith("preference: 1 of 3 ")


def test_a_match_without_an_answer_in_the_file_is_counted() -> None:
    answer = FreeAnswer(match="a", seat="x", question="q1", kind="rationale", text="so")
    matches = [named(judged_match(), "a"), named(judged_match(), "b")]
    assert lines(matches, FREE_ANSWERS, answers=(answer,)) == [
        "free_answers: 1 of 2 matches not judged: the file has no answers of the match"
    ]
