"""What is told of a comparison, and that it is computed as it is said."""

import json
from collections.abc import Mapping
from dataclasses import fields, replace

import pytest

from arena.bench.arms import ARMS, chosen
from arena.bench.compare import Compared, Plan, compare, levels, open_bound, turns_of
from arena.bench.in_process import InProcess
from arena.bench.measure import Figures, Meter, figures, parked_kib, percentile
from arena.bench.picture import scaling_png
from arena.bench.replay import Replayed, Sent
from arena.bench.report import KEYS, Circumstances, as_document, as_objects
from arena.bench.synthetic import synthetic_trace
from arena.bench.wires import Answer, Counts, Facts
from serving.engine_sim.profile import load_engine_profile
from serving.engine_sim.virtual import run_virtual
from tests.bench.wiring import TINY, NotingWire

ARMS_DRAWN = ("sequential", "sequential_volatile", "gather_128", "ours")
FACTS = Facts(name="a model", engine="an engine", features=frozenset())
ABOUT = Circumstances(command="arena", seed=0, repeat=2, trace={}, about={"python": "3"})


def one(seconds: float, **given: float | None) -> Figures:
    values: dict[str, float | None] = dict.fromkeys((f.name for f in fields(Figures)), 1.0)
    values |= {"seconds": seconds, "matches_per_h": 3600 / seconds, **given}
    return Figures(**values)  # type: ignore[arg-type]


def told(
    runs: Mapping[str, tuple[Figures, ...]], skipped: Mapping[str, str] | None = None
) -> dict[str, object]:
    compared = Compared(facts=FACTS, runs=runs, skipped=skipped or {})
    return {str(value["arm"]): value for value in as_objects(compared)}


def test_an_object_has_the_documented_keys_in_their_order() -> None:
    [arm] = as_objects(Compared(facts=FACTS, runs={"ours": (one(1.0),)}, skipped={}))
    assert tuple(arm) == KEYS
    wanted = {
        "arm",
        "turns_per_s",
        "matches_per_h",
        "hit_rate",
        "hit_rate_infinite",
        "hit_rate_lru",
        "hit_rate_belady",
        "cpu_ms_per_turn",
    }
    assert wanted <= set(KEYS)


def test_figures_are_means_and_repetitions_give_an_interval() -> None:
    arm = told({"ours": (one(1.0, turns_per_s=10), one(1.0, turns_per_s=14))})["ours"]
    assert isinstance(arm, dict)
    assert arm["turns_per_s"] == 12
    assert arm["turns_per_s_95"] == [pytest.approx(12 - 25.412, abs=1e-3), pytest.approx(37.412)]
    assert arm["repeats"] == 2


def test_one_repetition_has_no_interval_and_what_one_does_not_know_none_does() -> None:
    arm = told({"ours": (one(1.0),)})["ours"]
    assert isinstance(arm, dict)
    assert arm["turns_per_s_95"] is None
    arm = told({"ours": (one(1.0, hit_rate=None), one(1.0))})["ours"]
    assert isinstance(arm, dict)
    assert arm["hit_rate"] is None


def test_an_arm_that_was_skipped_is_named_with_its_reason_and_without_figures() -> None:
    arm = told({}, skipped={"ours": "no capacity"})["ours"]
    assert isinstance(arm, dict)
    assert arm["skipped"] == "no capacity"
    assert (arm["repeats"], arm["turns_per_s"], arm["ours_times"]) == (0, None, None)


def test_bounds_and_ratios_are_paired_by_repetition() -> None:
    arms = told(
        {
            "open_trie": (one(10.0), one(40.0)),
            "open_random": (one(20.0), one(20.0)),
            "static_best": (one(20.0), one(40.0)),
            "sequential": (one(80.0), one(160.0)),
            "ours": (one(20.0, hit_rate=0.9, hit_rate_lru=0.9, hit_rate_belady=1.0),) * 2,
        }
    )
    ours, alone = arms["ours"], arms["sequential"]
    assert isinstance(ours, dict)
    assert isinstance(alone, dict)
    # The faster open loop took 10 s, then 20 s; geometric means of paired ratios.
    assert ours["of_open_bound"] == pytest.approx((0.5 * 1.0) ** 0.5, abs=1e-4)
    assert ours["of_static_best"] == pytest.approx((1.0 * 2.0) ** 0.5, abs=1e-4)
    assert alone["ours_times"] == pytest.approx((4.0 * 8.0) ** 0.5, abs=1e-4)
    assert ours["ours_times"] == 1.0
    assert (ours["of_lru"], ours["of_belady"]) == (1.0, 0.9)


def test_the_open_bound_is_the_faster_one_of_each_repetition() -> None:
    runs = {"open_trie": (one(3.0), one(9.0)), "open_random": (one(5.0), one(4.0))}
    assert open_bound(runs) == (3.0, 4.0)
    assert open_bound({"ours": (one(1.0),)}) == ()


def test_over_repetitions_every_arm_stands_early_and_late() -> None:
    arms = chosen(())
    places = {arm.name: [turns_of(arms, n).index(arm) for n in range(2)] for arm in arms}
    assert {sum(of_arm) for of_arm in places.values()} == {len(arms) - 1}
    later = [turns_of(arms, 0), turns_of(arms, 2), turns_of(arms, 4)]
    assert len({order[0].name for order in later}) == 3
    assert all(sorted(a.name for a in order) == sorted(ARMS) for order in later)
    assert turns_of((), 3) == ()


def test_levels_double_and_end_with_all() -> None:
    assert list(levels(1)) == [1]
    assert list(levels(12)) == [1, 2, 4, 8, 12]
    assert list(levels(8)) == [1, 2, 4, 8]


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.95) == 4.0
    assert percentile(sorted(map(float, range(1, 201))), 0.99) == 198.0
    assert percentile([], 0.5) == 0.0


def test_figures_are_counted_from_what_was_sent() -> None:
    def turn(match: str, asked: float, answered: float, cached: int) -> Sent:
        answer = Answer(prompt_tokens=100, output_tokens=10, cached_tokens=cached)
        return Sent(match, "r", (), asked, answered, answer)

    replayed = Replayed(
        seconds=4.0,
        sent=(turn("a", 0, 1, 0), turn("a", 1, 4, 80), turn("b", 0, 2, 40)),
        matches={"a": (0.0, 4.0), "b": (0.0, 2.0)},
        live_most=2,
        alpha=0.8,
    )
    meter = Meter(cpu=0.006, lags=[0.001, 0.002, 0.009])
    got = figures(replayed, meter, Counts(preemptions=3), None)
    assert (got.turns_per_s, got.matches_per_h) == (0.75, 1800.0)
    assert got.decode_tokens_per_s == 7.5
    assert got.hit_rate == pytest.approx(0.4)
    assert got.cpu_ms_per_turn == pytest.approx(2.0)
    assert (got.turn_p50_s, got.turn_p99_s, got.match_p50_s, got.match_p99_s) == (2, 3, 2, 4)
    assert got.loop_lag_p99_ms == pytest.approx(9.0)
    assert (got.preemptions, got.alpha, got.prefill_tokens_per_s) == (3, 0.8, None)


def test_where_no_answer_tells_of_the_cache_the_server_s_counters_do() -> None:
    answer = Answer(prompt_tokens=100, output_tokens=10, cached_tokens=None)
    sent = (Sent("a", "r", (), 0.0, 1.0, answer),)
    replayed = Replayed(seconds=1.0, sent=sent, matches={}, live_most=1, alpha=None)
    meter = Meter(cpu=0.0)
    assert figures(replayed, meter, Counts(queries=200, hits=50), None).hit_rate == 0.25
    assert figures(replayed, meter, Counts(), None).hit_rate is None


def test_a_parked_match_takes_little() -> None:
    assert 0 < parked_kib(synthetic_trace(replace(TINY, matches=256))) < 5


def test_every_replay_begins_on_empty_caches_and_the_best_of_the_sweep_is_repeated() -> None:
    wire = NotingWire()
    plan = Plan(trace=synthetic_trace(TINY), arms=chosen(("static_best",)), repeat=2)
    compared = run_virtual(compare(plan, wire, lambda line: None))
    # More live matches are always faster where every request takes a second.
    assert list(compared.static) == [1, 2, 3, 4, 6]
    assert compared.best_static == 6
    assert [run.live_most for run in compared.runs["static_best"]] == [6, 6]
    assert wire.begun == len(compared.static) + 2


def test_the_whole_comparison_can_be_written_and_drawn() -> None:
    trace = synthetic_trace(replace(TINY, matches=4))
    profile = replace(load_engine_profile("cpu-stand-in"), kv_tokens=8192)

    async def go() -> Compared:
        plan = Plan(trace=trace, arms=chosen(ARMS_DRAWN), repeat=2)
        return await compare(plan, InProcess(trace, profile), lambda line: None)

    compared = run_virtual(go())
    document = json.loads(json.dumps(as_document(compared, ABOUT), allow_nan=False))
    assert {arm["arm"] for arm in document["arms"]} == set(ARMS_DRAWN)
    assert len(document["repetitions"]["ours"]) == 2
    plain, other = (compared.runs[arm][0] for arm in ("sequential", "sequential_volatile"))
    assert plain.hit_rate != other.hit_rate
    assert list(document["scaling"]["ours"]) == ["1", "2", "4"]
    assert document["server"]["kv_tokens"] == 8192 - 128
    assert document["python"] == "3"
    assert scaling_png(compared).startswith(b"\x89PNG")


def test_a_number_of_live_matches_that_is_given_is_not_looked_for() -> None:
    wire = NotingWire()
    plan = Plan(trace=synthetic_trace(TINY), arms=chosen(("static_best",)), repeat=2, static=3)
    compared = run_virtual(compare(plan, wire, lambda line: None))
    assert (dict(compared.static), compared.best_static) == ({}, 3)
    assert [run.live_most for run in compared.runs["static_best"]] == [3, 3]
