"""Figures of a play."""

import pytest

from arena.bench.workload import is_finished
from arena.core.events import Outcome
from arena.run.match_batch import MatchCrash
from tests.arena.records.made import summary


@pytest.mark.parametrize(
    ("outcome", "finished"),
    [
        ("civ_win", True),
        ("murderer_win", True),
        ("draw", True),
        ("forfeit", False),
        ("error", False),
    ],
)
def test_a_match_is_finished_if_it_has_a_verdict(outcome: Outcome, finished: bool) -> None:
    assert is_finished(summary(outcome=outcome)) is finished


def test_a_crashed_match_is_not_finished() -> None:
    assert not is_finished(MatchCrash(error="it fell", trace=""))
