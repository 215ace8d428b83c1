"""How many matches a figure needs."""

import pytest

from eval.report.sample_size import SampleSize, plan_scores
from eval.scores import Score


def plan(*works: tuple[float, ...]) -> SampleSize:
    """Return the plan for +- .1 from the values of the matches of each work."""
    [found] = plan_scores(
        (
            Score(metric="m", value=value, match=f"{i}", script=work, work=work, game="g")
            for work, values in zip("abcdef", works, strict=False)
            for i, value in enumerate(values)
        ),
        0.1,
    )
    return found


def test_matches_of_a_work_that_end_alike_count_once() -> None:
    found = plan((1, 1), (0, 0), (1, 1), (0, 0))
    assert (found.correlation, found.effect) == (pytest.approx(1), pytest.approx(2))
    assert found.needed == pytest.approx(2 * 1.959964**2 * (2 / 7) / 0.01, abs=1)


def test_works_that_mix_more_than_by_chance_need_no_fewer_matches() -> None:
    found = plan((1, 0), (1, 0), (0, 1), (1, 0))
    assert found.correlation is not None
    assert found.correlation < 0
    assert found.effect == 1
    assert found.needed == pytest.approx(1.959964**2 * (2 / 7) / 0.01, abs=1)


def test_a_match_counts_once_however_many_seats_it_has() -> None:
    seats = [
        Score(metric="m", value=value, match="1", script="a", work="a", game="g", seat=seat)
        for seat, value in (("x", 0.0), ("y", 1.0))
    ]
    other = Score(metric="m", value=1.0, match="2", script="a", work="a", game="g", seat="x")
    [found] = plan_scores([*seats, other], 0.1)
    assert (found.matches, found.mean) == (2, 0.75)
