"""Admission against fixed numbers of live matches: the production path in virtual time."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.bench import admission_sweep
from arena.bench.admission_sweep import (
    ShapeComparison,
    choose_shapes,
    compare_shapes,
    play_shape,
    summarise_shapes,
)
from arena.bench.simulation.cache_bound import RequestSequence
from arena.bench.simulation.simulated_chat import (
    ReplyStyle,
    SimulatedChat,
    count_tokens,
    write_reply,
)
from arena.bench.simulation.virtual_run import play_virtual
from arena.bench.workload import WorkloadResult
from arena.bench.workload_shapes import SHAPES, WorkloadShape, draw_shapes
from arena.models.chat import CallId, Message, Request
from arena.schedule.admission import AdmissionPolicy
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.engine_loop.sim_engine import SimEngine
from tests.arena.bench.test_compare import FIGURES
from tests.arena.cli.conftest import Told, program

__all__ = ["program"]

Program = Callable[..., Told]
TINY = WorkloadShape(
    name="tiny",
    kv_tokens=40_000,
    scripts=2,
    words=(300, 900),
    seats=4,
    pictures=1,
    reply=40,
    matches=6,
    preset="short",
)


def play(shape: WorkloadShape = TINY, *, seed: int = 0, live: int | None = None) -> WorkloadResult:
    if live is None:
        return play_virtual(shape.make_run(seed), AdmissionPolicy())
    policy = AdmissionPolicy(limit_kv=False, adapt=False, max_live=live)
    return play_virtual(shape.make_run(seed), policy)


@pytest.mark.slow
def test_all_matches_are_played_by_the_rules_and_the_same_seed_gives_the_same_run() -> None:
    first, again = play(), play()
    outcomes = [getattr(one, "outcome", "crash") for one in first.results]
    assert len(outcomes) == 6
    assert set(outcomes) <= {"civ_win", "murderer_win", "draw"}
    # A summary holds seconds of wall time.
    assert replace(first, results=(), cpu_seconds=0) == replace(again, results=(), cpu_seconds=0)
    assert outcomes == [getattr(one, "outcome", "crash") for one in again.results]


@pytest.mark.slow
def test_another_seed_says_other_things() -> None:
    first, other = play(seed=0), play(seed=1)
    assert first.calls == other.calls
    assert first.prompt_tokens != other.prompt_tokens


@pytest.mark.slow
def test_one_match_at_a_time_takes_longer_than_all_at_once() -> None:
    assert play(live=1).seconds > 1.5 * play(live=6).seconds


def test_equal_matches_say_different_things() -> None:
    chat = CallId(seat="Ada", request="speak/Ada")
    said = {
        write_reply(
            Request(
                call_id=chat,
                messages=(),
                max_tokens=100,
                temperature=0,
                request_id=f"{match}:{chat}",
            ),
            ReplyStyle(tokens=40, seed=seed),
        )
        for match in ("m1", "m2")
        for seed in (0, 1)
    }
    assert len(said) == 4


def test_a_reply_has_as_many_tokens_in_later_prompts_as_were_generated() -> None:
    engine = SimEngine(replace(load_engine_profile("instant"), kv_tokens=1_600, block=16))
    chat = SimulatedChat(
        engine=engine,
        style=ReplyStyle(tokens=9),
        picture_tokens=lambda _: 1,
        dispatch=RequestSequence(16),
    )
    said = "nobody saw who left by the back door"
    assert chat.count([Message(role="assistant", text=said)]) == count_tokens(said) == 9


@pytest.mark.slow
def test_a_fixed_number_of_live_matches_is_kept() -> None:
    one, all_six = (play_shape(TINY, live, 0).matches_per_h for live in (1, 6))
    assert all_six > 1.5 * one


def test_no_hit_rate_is_above_the_best_possible_one() -> None:
    found = play(live=6)
    assert found.belady is not None
    assert 0 < found.cached_tokens / found.prompt_tokens <= found.belady


@pytest.mark.slow
def test_replicas_share_the_matches() -> None:
    one, two = play(live=6), play(replace(TINY, replicas=2), live=6)
    assert two.calls == one.calls
    assert two.seconds < one.seconds


@pytest.mark.slow
def test_a_model_whose_tokens_are_estimated_has_other_matches_admitted() -> None:
    """Its pictures are taken to be larger, and its texts by their bytes."""
    known, unknown = play(), play(replace(TINY, is_known=False))
    assert unknown.calls == known.calls
    assert unknown.seconds != known.seconds


@pytest.mark.slow
@pytest.mark.parametrize("is_known", [True, False])
def test_the_peak_of_a_match_is_projected_well_after_three_turns(is_known: bool) -> None:
    found = play_shape(replace(TINY, is_known=is_known, pictures=4, reply=200), None, 0)
    assert found.projection is not None
    assert 0.85 <= found.projection <= 1.2


def test_there_are_at_least_20_shapes_with_names_of_their_own() -> None:
    assert len(SHAPES) >= 20
    assert len({one.name for one in SHAPES}) == len(SHAPES)
    assert {one.replicas for one in SHAPES} == {1, 2, 4}


def test_drawn_shapes_follow_from_their_seed_and_stay_between_the_ends() -> None:
    drawn = draw_shapes(3, 50)
    assert drawn == draw_shapes(3, 50)
    assert drawn != draw_shapes(4, 50)
    for one in drawn:
        assert 100_000 <= one.kv_tokens <= 800_000
        assert 18 <= one.matches <= 432
        assert 40 <= one.reply <= 400
        assert one.matches % one.scripts == 0


def test_a_quick_look_has_three_shapes_and_drawn_ones_come_last() -> None:
    assert [one.name for one in choose_shapes(quick=True, drawn=0, seed=0)] == list(
        admission_sweep.QUICK_SHAPES
    )
    shapes = choose_shapes(quick=False, drawn=2, seed=5)
    assert shapes == (*SHAPES, *draw_shapes(5, 2))


@pytest.mark.slow
def test_admission_is_judged_by_the_fixed_number_that_is_best_over_all_seeds() -> None:
    [found] = compare_shapes([TINY], [0, 1])
    sums = {
        live: sum(play_shape(TINY, live, seed).matches_per_h for seed in (0, 1))
        for live in (1, 2, 3, 4, 6)
    }
    assert sum(one.matches_per_h for one in found.static) == max(sums.values())
    assert sums[found.live] == max(sums.values())
    ours = play_shape(TINY, None, 1)
    assert replace(found.default[1], cpu_ms_per_call=0) == replace(ours, cpu_ms_per_call=0)
    assert found.ratios[1] == ours.matches_per_h / found.static[1].matches_per_h
    row = found.as_object()
    assert row["default_over_best_static"] == pytest.approx(sum(found.ratios) / 2, abs=1e-4)
    assert (row["unfinished"], row["seeds"]) == (0, 2)


def judged(*rates: float) -> ShapeComparison:
    """Return a shape that admission plays at these rates, a fixed number at 100."""
    played = [
        replace(FIGURES, matches_per_h=one, hit_rate=0.5, belady=0.8, projection=one / 100)
        for one in (*rates, *(100 for _ in rates))
    ]
    half = len(rates)
    return ShapeComparison(
        shape=TINY, default=tuple(played[:half]), static=tuple(played[half:]), live=4
    )


def test_the_summary_has_the_smallest_and_the_median_mean_over_seeds() -> None:
    found = summarise_shapes([judged(80, 100), judged(120, 100), judged(95, 105)])
    assert found == {"shapes": 3, "min": 0.9, "median": 1.0}
    row = judged(80, 100).as_object()
    assert (row["low"], row["high"], row["hit_over_belady"]) == (0.8, 1.0, 0.625)
    assert row["projected_over_actual_peak"] == 0.9


@pytest.mark.slow
def test_the_command_prints_a_line_a_shape_and_a_last_one_for_all(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission_sweep, "SHAPES", (TINY,))
    monkeypatch.setattr(admission_sweep, "QUICK_SHAPES", ("tiny",))
    told = program("bench", "admission", "--quick", "--json")
    assert told.status == 0, told.err
    row, whole = map(json.loads, told.out.splitlines())
    assert row["shape"] == "tiny"
    assert whole == {"shapes": 1, "min": whole["min"], "median": whole["min"]}
    assert "1 shapes: min" in program("bench", "admission", "--quick").out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--seeds", "0"), "must be >= 1"),
        (("--seeds", "1000"), "must be <= 100"),
        (("--drawn", "-1"), "--drawn must be between 0"),
        (("--drawn", "99999"), "--drawn must be between 0"),
    ],
)
def test_counts_that_cannot_be_are_refused(
    program: Program, words: tuple[str, ...], reason: str
) -> None:
    told = program("bench", "admission", *words)
    assert (told.status, reason in told.err) == (2, True), told
