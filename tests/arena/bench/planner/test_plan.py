"""Plans: what fits, what a match takes, and a simulated sample that stands for all matches."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bench.filler_script import make_filler_script
from arena.bench.planner.capacity_plan import CapacityForecast, PlanRequest, forecast_capacity
from arena.bench.planner.plan_io import PlanArgs, as_object, make_plan_request, remarks
from arena.bench.planner.plan_sample import choose_sample, measure_steady_state
from arena.core.options import sharing_values
from arena.errors import ConfigError
from arena.games.game_registry import all_games, find_game
from arena.games.option_parsing import read_options
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import Script
from serving.engine_sim.cost_model.analytic_profile import (
    EnginePlan,
    analytic_profile,
    plan_engines,
)
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.cost_model.gpu_kinds import GPU_KINDS, GpuSet, parse_gpu_set
from serving.errors import ServingError
from serving.host.hardware import Hardware
from serving.model_files.profile import find_profile
from tests.serving.hosts import (
    CPU,
    H200,
    RTX_4090,
    T4,
    TWO_A100,
    gpu,
    gpu_host,
)

MODEL = find_profile("qwen2.5-vl-7b")
AT_DEAL = WhodunitOptions(rounds=1, clues="at_deal")
"""Options for which no other order of the rules is simulated."""


def cases(count: int, words: int = 600, pictures: int = 0) -> list[Script]:
    return [
        make_filler_script(seats=4, words=words, number=n, pictures=pictures) for n in range(count)
    ]


def on(gpus: str, *, model: str = MODEL.name, **changed: int) -> EnginePlan:
    """Return engines for a model, perhaps with less cache or context than fits."""
    where = plan_engines(find_profile(model), parse_gpu_set(gpus, CPU))
    return replace(where, engine=replace(where.engine, **changed))


def asked(where: EnginePlan, scripts: Sequence[Script] | None = None, **more: Any) -> PlanRequest:
    values: dict[str, Any] = {"options": AT_DEAL, "matches": 4, "reply": 60, "model": MODEL}
    return PlanRequest(
        where=where, game=WHODUNIT, scripts=scripts or cases(1), **{**values, **more}
    )


def said(plan: PlanRequest, told: CapacityForecast) -> str:
    return "\n".join(remarks(plan, told))


@pytest.mark.parametrize("size", ["3b", "7b", "32b"])
def test_an_engine_by_a_models_sums_is_that_by_its_shape(size: str) -> None:
    known = load_engine_profile(f"h200-qwen2.5-vl-{size}")
    made = plan_engines(find_profile(f"qwen2.5-vl-{size}"), parse_gpu_set("h200", CPU))
    assert (made.tensor_parallel, made.replicas, made.idle) == (1, 1, 0)
    assert made.engine.basis == "roofline, not measured"
    assert made.engine.kv_tokens == pytest.approx(known.kv_tokens, rel=0.16)
    for name, cost in asdict(known.terms).items():
        assert asdict(made.engine.terms)[name] == pytest.approx(cost, rel=0.17), name


def test_a_model_too_large_for_one_gpu_is_split_and_pays_for_the_exchange() -> None:
    large = find_profile("qwen2.5-vl-72b")
    made = plan_engines(large, parse_gpu_set("5xh200", CPU))
    assert (made.tensor_parallel, made.replicas, made.idle) == (2, 2, 1)
    alone = analytic_profile(large, GPU_KINDS["h200"], 1, 100_000).terms
    terms = made.engine.terms
    assert terms.weights == pytest.approx(alone.weights / 2)
    assert terms.context == pytest.approx(alone.context / 2)
    assert alone.token / 2 < terms.token < alone.token
    assert alone.step < terms.step < 4 * alone.step
    slow = analytic_profile(large, replace(GPU_KINDS["h200"], link=32e9), 2, 100_000).terms
    assert (slow.token, slow.step) > (terms.token, terms.step)
    assert slow.sequence > terms.sequence > 0


def test_keys_and_values_are_repeated_where_their_heads_are_fewer_than_the_gpus() -> None:
    four, eight = (
        analytic_profile(find_profile("qwen2.5-vl-7b"), GPU_KINDS["l40s"], split, 100_000).terms
        for split in (4, 8)
    )
    assert MODEL.kv_heads == 4
    assert eight.context == four.context
    assert eight.weights < four.weights


def test_a_mixture_of_experts_works_with_the_experts_that_it_names() -> None:
    mixed = plan_engines(find_profile("qwen3-vl-30b-a3b"), parse_gpu_set("h200", CPU)).engine.terms
    dense = plan_engines(find_profile("qwen3-vl-32b"), parse_gpu_set("h200", CPU)).engine.terms
    assert mixed.token < dense.token / 8
    assert mixed.weights > dense.weights * 0.9


def test_more_gpus_of_one_that_is_enough_are_more_engines() -> None:
    assert on("8xrtx-4090").replicas == 8
    assert on("8xrtx-4090").engine == on("1xrtx-4090").engine


@pytest.mark.parametrize(
    ("model", "gpus"),
    [
        ("qwen2.5-vl-72b", "1xh200"),
        ("qwen2.5-vl-32b", "rtx-3090"),
        ("qwen2.5-vl-72b", "8xrtx-4090"),
    ],
)
def test_what_does_not_fit_is_said_with_what_is_short(model: str, gpus: str) -> None:
    with pytest.raises(ServingError, match=rf"'{model}' does not fit .* short$"):
        plan_engines(find_profile(model), parse_gpu_set(gpus, CPU))


@given(count=st.integers(1, 4096), kind=st.sampled_from(sorted(GPU_KINDS)))
def test_gpus_are_read_as_they_are_written(count: int, kind: str) -> None:
    expected = GpuSet(kind=GPU_KINDS[kind], count=count)
    assert parse_gpu_set(f"{count}x{kind}", CPU) == parse_gpu_set(f" {count}X{kind.upper()} ", H200)
    assert parse_gpu_set(f"{count}x{kind}", CPU) == expected
    assert parse_gpu_set(kind, CPU) == GpuSet(kind=GPU_KINDS[kind], count=1)


@pytest.mark.parametrize(
    ("words", "host", "kind", "count"),
    [
        ("1", H200, "h200", 1),
        ("3", RTX_4090, "rtx-4090", 3),
        ("here", TWO_A100, "a100-80", 2),
        ("4xhere", TWO_A100, "a100-80", 4),
        ("2", CPU, "h200", 2),
        ("2", T4, "h200", 2),
    ],
)
def test_a_bare_number_and_here_are_gpus_of_this_host(
    words: str, host: Hardware, kind: str, count: int
) -> None:
    found = parse_gpu_set(words, host)
    assert (found.kind.name, found.count) == (kind, count)
    assert bool(found.remark) == (host in {CPU, T4})


def test_here_plans_with_the_least_memory_that_the_driver_reports() -> None:
    host = gpu_host(gpu(0, "NVIDIA H200", 141.0, 9.0), gpu(1, "NVIDIA H200", 139.0, 9.0))
    assert parse_gpu_set("here", host).kind.memory_gib == 139.0


@pytest.mark.parametrize(
    "words", ["", "x", "0", "0xh200", "-1", "4x", "4h200", "h300", "5000", "1.5"]
)
def test_other_words_for_gpus_are_refused(words: str) -> None:
    with pytest.raises(ServingError, match=r"wanted"):
        parse_gpu_set(words, H200)


@pytest.mark.parametrize(
    ("host", "said"),
    [
        (CPU, "no GPU to plan for"),
        (T4, "'Tesla T4'"),
        (gpu_host(gpu(0, "NVIDIA GeForce RTX 4090 Laptop GPU", 15.9, 8.9)), "no figures are known"),
        (gpu_host(*H200.gpus, *RTX_4090.gpus), "several kinds"),
    ],
)
def test_here_is_refused_where_nothing_is_known_of_it(host: Hardware, said: str) -> None:
    with pytest.raises(ServingError, match=said):
        parse_gpu_set("here", host)


@pytest.mark.slow
def test_the_same_plan_gives_the_same_figures_twice() -> None:
    plan = asked(on("h200", kv_tokens=40_000), cases(2), options=WhodunitOptions(rounds=1))
    assert forecast_capacity(plan) == forecast_capacity(plan)


@pytest.mark.slow
def test_a_whole_simulation_is_reported_as_it_was() -> None:
    told = forecast_capacity(asked(on("h200"), cases(2), matches=5))
    assert not told.extrapolated
    assert (told.matches, told.sample_matches) == (10, 10)
    assert told.matches_per_h * told.hours == pytest.approx(10)
    assert told.turns_per_s * told.hours * 3600 == pytest.approx(told.sample_turns)
    assert 0 < told.live_matches <= told.live_most == 10
    assert 0.3 < told.hit_rate < 1
    assert told.turns_per_match == 20


def test_what_a_match_shares_is_its_private_scripts_and_rules() -> None:
    [script] = cases(1)
    told = forecast_capacity(asked(on("h200"), [script]))
    scripts = sum(len(role.script) for role in script.roles) / 4
    assert scripts < told.shared_tokens < scripts + 4 * 900
    assert told.own_tokens < 4 * told.longest_prompt < told.shared_tokens + 2 * told.own_tokens


@pytest.mark.slow
def test_longer_texts_make_matches_larger_and_slower() -> None:
    short, long = (forecast_capacity(asked(on("h200"), reply=reply)) for reply in (40, 160))
    assert long.own_tokens > 2 * short.own_tokens
    assert long.hours > 2 * short.hours
    assert long.shared_tokens == short.shared_tokens


def test_swapped_sides_are_as_many_matches_again() -> None:
    told = forecast_capacity(asked(on("h200"), matches=3, swap=True))
    assert told.matches == told.sample_matches == 6


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [1, 6])
def test_a_sample_foretells_what_all_matches_take(scripts: int) -> None:
    whole = asked(on("h200"), cases(scripts), matches=120 // scripts, concurrency=8)
    part = replace(whole, most_turns=900)
    full, guess = forecast_capacity(whole), forecast_capacity(part)
    assert guess.extrapolated
    assert not full.extrapolated
    assert guess.sample_matches < full.sample_matches / 2
    assert guess.hours == pytest.approx(full.hours, rel=0.1)
    assert guess.live_matches == pytest.approx(full.live_matches, rel=0.1)
    assert guess.hit_rate == pytest.approx(full.hit_rate, abs=0.03)
    assert "of the matches were simulated;" in said(part, guess)


@pytest.mark.slow
def test_only_a_sample_is_extrapolated() -> None:
    told = forecast_capacity(asked(on("h200"), matches=8, most_turns=8 * 20))
    assert (told.extrapolated, told.sample_matches) == (False, 8)
    told = forecast_capacity(asked(on("h200"), matches=9, most_turns=8 * 20))
    assert (told.extrapolated, told.sample_matches) == (True, 8)


@pytest.mark.slow
@pytest.mark.parametrize("live", [1, 3, 12])
def test_exactly_as_many_matches_are_live_as_the_user_says(live: int) -> None:
    """Whatever the cache holds: 20,000 tokens are fewer than three matches take."""
    told = forecast_capacity(asked(on("h200", kv_tokens=20_000), concurrency=live, matches=12))
    assert told.live_most == live
    assert told.live_matches == pytest.approx(live, rel=0.25)


@pytest.mark.slow
def test_the_users_limit_holds_over_all_engines_together() -> None:
    plan = asked(on("2xh200"), cases(4), concurrency=4, matches=6)
    assert forecast_capacity(plan).live_most == 4
    assert forecast_capacity(replace(plan, most_turns=200)).live_most == 4


@pytest.mark.slow
def test_more_memory_lets_more_matches_be_live_and_never_fewer_than_one() -> None:
    told = [
        forecast_capacity(asked(on("h200", kv_tokens=kv), matches=24))
        for kv in (10_000, 60_000, 640_000)
    ]
    most = [one.live_most for one in told]
    assert most == sorted(most)
    assert most[0] >= 1
    assert told[0].hours > 2 * told[-1].hours


@pytest.mark.slow
def test_engines_share_the_matches_and_too_few_matches_leave_some_idle() -> None:
    plan = asked(on("h200", kv_tokens=60_000), cases(6), matches=8)
    one, two = (
        forecast_capacity(plan),
        forecast_capacity(replace(plan, where=on("2xh200", kv_tokens=60_000))),
    )
    assert two.busy_replicas == two.sample_replicas == 2
    assert 0.4 < two.hours / one.hours < 0.85
    alone = asked(on("4xh200"), matches=1)
    told = forecast_capacity(alone)
    assert told.busy_replicas == 1
    assert "3 of 4 play none" in said(alone, told)


@pytest.mark.slow
def test_of_many_matches_one_engine_stands_for_all() -> None:
    plan = asked(on("4xh200"), cases(2), matches=400, most_turns=600, concurrency=32)
    told = forecast_capacity(plan)
    assert (told.sample_replicas, told.busy_replicas, told.live_most) == (1, 4, 32)
    assert "on one of 4 engines" in said(plan, told)
    half = forecast_capacity(replace(plan, where=on("2xh200"), concurrency=16))
    assert told.hours == pytest.approx(half.hours / 2, rel=0.1)


def test_a_script_that_can_never_fit_is_refused_before_anything_is_played() -> None:
    with pytest.raises(
        ConfigError, match=r"'sized-0' cannot be played by .* exceed the context by"
    ):
        forecast_capacity(asked(on("h200", context_tokens=600)))


@pytest.mark.slow
def test_prompts_that_do_not_fit_are_left_without_the_oldest_talk() -> None:
    short = cases(1, words=40)
    plan = asked(on("h200", context_tokens=2_600), short, matches=2, reply=200)
    told = forecast_capacity(plan)
    assert told.longest_prompt <= 2_600
    assert 0 < told.cut_turns_per_match < told.turns_per_match
    assert "do not fit 2,600 tokens and are left without the oldest talk" in said(plan, told)
    roomy = asked(on("h200"), short, matches=2, reply=200)
    told = forecast_capacity(roomy)
    assert told.cut_turns_per_match == 0
    assert "do not fit" not in said(roomy, told)


def test_matches_in_which_seats_cannot_answer_are_named() -> None:
    plan = asked(on("h200"), matches=2)
    told = forecast_capacity(plan)
    lost = replace(told, unfinished_matches=1)
    assert "1 of 2 simulated matches end as a forfeit" in said(plan, lost)
    assert "forfeit" not in said(plan, told)


@pytest.mark.slow
def test_a_model_of_a_small_context_reads_pictures_apart_and_summarises() -> None:
    plan = asked(
        on("h200", model="yi-vl-6b"),
        cases(1, words=2_000, pictures=3),
        model=find_profile("yi-vl-6b"),
        reply=200,
        matches=2,
    )
    told = forecast_capacity(plan)
    assert told.longest_prompt <= 4096
    assert told.readings_per_match == 3 * 4
    assert "12 readings per match" in said(plan, told)
    assert "do not fit 4,096 tokens and are summarised" in said(plan, told)
    large = asked(on("h200"), cases(1, pictures=3), matches=2)
    assert "readings" not in said(large, forecast_capacity(large))


@pytest.mark.slow
def test_the_order_of_the_rules_has_its_price_told_where_an_option_changes_it() -> None:
    plan = asked(
        on("h200", kv_tokens=60_000),
        cases(1, pictures=6),
        options=WhodunitOptions(rounds=1),
        matches=12,
        concurrency=6,
    )
    told = forecast_capacity(plan)
    [one] = told.reordered
    assert (one.option, one.value) == ("clues", "at_deal")
    other = replace(plan, options=AT_DEAL)
    dealt = forecast_capacity(other)
    assert one.speedup == pytest.approx(told.hours / dealt.hours)
    assert one.speedup > 1.02
    assert (
        f"`-o clues=at_deal`, which changes the rules, prompts of a script's matches "
        f"share longer prefixes: {one.speedup:.2f} times" in said(plan, told)
    )
    assert dealt.reordered == ()
    assert "times as many" not in said(other, dealt)


def test_a_game_without_such_an_option_is_simulated_once() -> None:
    reading = find_game("reading")
    plan = replace(asked(on("h200")), game=reading, options=reading.options())
    assert forecast_capacity(plan).reordered == ()


@pytest.mark.parametrize("name", sorted(all_games()))
def test_the_values_that_games_name_for_sharing_are_legal(name: str) -> None:
    game = find_game(name)
    values = sharing_values(game.options)
    options = read_options(game, "default", values)
    assert {one: getattr(options, one) for one in values} == values
    assert bool(values) == (name == "whodunit")


@given(
    turns=st.lists(st.integers(5, 200), min_size=1, max_size=40),
    each=st.integers(1, 5000),
    replicas=st.integers(1, 8),
    most=st.integers(1, 50_000),
)
def test_a_sample_is_whole_or_a_bounded_part_of_one_engines_share(
    turns: list[int], each: int, replicas: int, most: int
) -> None:
    sample = choose_sample(turns, each, replicas, most)
    matches = len(sample.scripts) * sample.each
    assert 1 <= sample.each <= each
    assert list(sample.scripts) == sorted(set(sample.scripts))
    assert sample.repeats >= 1
    if sum(turns) * each <= most:
        assert (matches, sample.replicas, sample.repeats) == (len(turns) * each, replicas, 1)
    else:
        assert sample.replicas == 1
        assert matches <= max(8 * max(4, 8), most * len(turns) / sum(turns))


def test_the_rate_is_that_of_full_swing() -> None:
    spans = [(0.0, 10.0), (0.0, 20.0), (10.0, 30.0), (20.0, 40.0)]
    times = [5.0, *(10.0 + n for n in range(1, 11)), 35.0]
    rate = measure_steady_state(spans, times)
    assert (rate.calls_per_s, rate.live) == (1.0, 2.0)
    together = measure_steady_state([(0.0, 10.0), (0.0, 40.0)], times)
    assert (together.calls_per_s, together.live) == (len(times) / 40, 50 / 40)


def wanted(**more: Any) -> PlanArgs:
    values: dict[str, Any] = {
        "model": "qwen2.5-vl-7b",
        "gpus": "h200",
        "scripts": ("first-night",),
        "options": AT_DEAL,
        "matches": 2,
    }
    return PlanArgs(**{**values, **more})


@pytest.mark.slow
def test_the_object_holds_what_fits_what_it_costs_and_how_far_to_trust_it() -> None:
    plan = make_plan_request(wanted(gpus="2xh200", options=WhodunitOptions(rounds=1)), CPU)
    found = as_object(plan, forecast_capacity(plan))
    assert (found["model"], found["gpu"], found["gpus"], found["replicas"]) == (
        "qwen2.5-vl-7b",
        "h200",
        2,
        2,
    )
    assert found["scripts"] == ["first-night"]
    assert found["basis"] == "roofline, not measured"
    assert "measure with" in str(found["remarks"])
    assert found["matches"] == 2
    assert "'option': 'clues', 'value': 'at_deal'" in str(found["reordered"])


@pytest.mark.slow
def test_pictures_cost_what_the_models_family_makes_of_them() -> None:
    def own(model: str) -> int:
        plan = make_plan_request(wanted(model=model), CPU)
        return forecast_capacity(plan).own_tokens

    # 32 pixels a side and token, not 28, up to about the same number of pixels.
    assert own("qwen3-vl-2b") < 0.95 * own("qwen2-vl-2b")


@pytest.mark.slow
def test_a_chinese_script_is_as_long_as_its_bytes_and_not_its_characters() -> None:
    english, chinese = (
        forecast_capacity(make_plan_request(wanted(language=one), CPU)).shared_tokens
        for one in ("en", "zh")
    )
    assert 0.6 < chinese / english < 1.6


@pytest.mark.parametrize(
    "more",
    [
        {"matches": 0},
        {"reply": 0},
        {"concurrency": 0},
        {"scripts": ()},
        {"scripts": ("first-night", "first-night")},
    ],
)
def test_a_plan_of_nothing_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        make_plan_request(wanted(**more), CPU)
