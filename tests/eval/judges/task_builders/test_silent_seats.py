"""A seat that never spoke counts as 0 in RP, SPC and CMD: it is not left out."""

import pytest

from arena.games.whodunit.options import WhodunitOptions
from eval.judges.task_builders.task_catalogue import make_tasks
from tests.eval.metrics.test_judged import ADA, talked, with_key_clues


@pytest.mark.parametrize("metric", ["RP", "SPC", "CMD"])
def test_a_silent_seat_is_judged_too_so_that_it_counts_as_0(metric: str) -> None:
    match = talked(WhodunitOptions(rounds=1), silent=ADA, script=with_key_clues())
    assert ADA in {task.seat for task in make_tasks([match], [metric])}
