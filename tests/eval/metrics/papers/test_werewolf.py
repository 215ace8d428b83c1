"""Ratings of talk in werewolf, and what a player's rules did."""

import pytest

from arena.core.events import TurnNoted, TurnSkipped
from arena.core.purposes import Purpose
from eval.metrics.papers.werewolf import (
    axis_mean,
    measure_misses,
    measure_templates,
    score_werewolf,
)
from tests.eval.made import made
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    by_name,
    by_place,
    judged,
    opened,
)


def noted(seat: str, request: str, by: str, topic: str = "rule") -> TurnNoted:
    values = (("situation", "some"), ("by", by))
    return TurnNoted(
        seat=opened(seat).requests[0].seat, request=request, topic=topic, values=values
    )


def test_an_axis_is_the_mean_over_raters_and_states() -> None:
    ratings = [
        judged("persona", ADA, value, about=state)
        for state, value in (("greeting", 5), ("greeting", 4), ("named", 4), ("end", 5))
    ]
    other = [judged("closing", ADA, 2.0), judged("closing", ADA, None), judged("RP", ADA, 9)]
    found = by_name(score_werewolf(made(), [*ratings, *other]), ADA)
    assert found == {"persona": 4.5, "closing": 2.0}


def test_a_rating_beyond_the_scale_is_missing() -> None:
    assert axis_mean([5, 0, 6, None]) == 5
    assert axis_mean([None]) is None


def test_template_turns_are_a_share_of_the_turns_of_talk() -> None:
    names = ("a", "b", "c", "d")
    match = made(
        *(opened(ADA, name=name) for name in names),
        opened(ADA, Purpose.VOTE, name="v"),
        noted(ADA, "a", "template"),
        noted(ADA, "b", "main"),
        noted(ADA, "c", "backup"),
        noted(ADA, "d", "main"),
        noted(ADA, "d", "template"),
        noted(ADA, "v", "template"),
        noted(ADA, "a", "template", topic="table"),
    )
    assert by_place(measure_templates(match)) == {ADA: 0.5}


def test_a_player_without_templates_has_no_share() -> None:
    assert not list(measure_templates(made(opened(ADA))))


def test_only_answers_that_came_too_late_are_deadline_misses() -> None:
    late = TurnSkipped(seat=ADA, request="r", act="some", cause="timeout")
    passed = TurnSkipped(seat=ADA, request="s", act="some", cause="declined")
    match = made(opened(ADA), opened(ADA, name="s"), late, passed)
    found = by_place(measure_misses(match))
    assert found[ADA] == pytest.approx(0.5)
    assert found[BRAM] is None, "it was asked nothing"
