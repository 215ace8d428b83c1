"""Plans: what fits, what a match takes, and a simulated sample that stands for all matches."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bench.cases import sized_case
from arena.bench.content import PICTURE_FRAME
from arena.bench.needed import Asked, needs_of
from arena.bench.plan import forecast
from arena.bench.planning import Wanted, as_object, prepared, remarks
from arena.bench.replay import Replayed, Sent
from arena.bench.sampling import sampled, steady
from arena.bench.scripted import ScriptWorkload, scripted_trace
from arena.bench.trace import TraceMatch
from arena.bench.wires import Answer
from arena.core.dummies import Dummies
from arena.core.play import MatchSetup
from arena.core.playout import play_out
from arena.errors import ConfigError
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import Picture, Script
from serving.engine_sim.gpus import GPU_KINDS, Gpus, read_gpus
from serving.engine_sim.planned import Planned, planned, planned_engine
from serving.engine_sim.profile import load_engine_profile
from serving.errors import ServingError
from serving.hardware import Hardware
from serving.profile import find_profile
from tests.serving.hosts import CPU, H200, RTX_4090, T4, TWO_A100, gpu, gpu_host
from tests.table import case

SEEN = 300
MODEL = find_profile("qwen2.5-vl-7b")


def seen(picture: Picture) -> int:
    return SEEN


def workload(*, matches: int = 4, swap: bool = False, **options: Any) -> ScriptWorkload:
    return ScriptWorkload(
        game=WHODUNIT,
        options=replace(WhodunitOptions(rounds=1), **options),
        matches=matches,
        swap=swap,
        reply=60,
        picture_tokens=seen,
    )


def cases(count: int, words: int = 600) -> dict[str, Script]:
    return {f"s{n}": sized_case(seats=4, words=words, number=n) for n in range(count)}


def on(gpus: str, *, kv_tokens: int | None = None) -> Planned:
    """Return engines for the model, perhaps with less cache than fits."""
    where = planned(MODEL, read_gpus(gpus, CPU))
    cut = kv_tokens or where.engine.kv_tokens
    return replace(where, engine=replace(where.engine, kv_tokens=cut))


def asked(where: Planned, scripts: Mapping[str, Script] | None = None, **more: Any) -> Asked:
    extra = {key: more.pop(key) for key in ("concurrency", "most_turns") if key in more}
    return Asked(
        model=MODEL, where=where, scripts=scripts or cases(1), workload=workload(**more), **extra
    )


@pytest.mark.parametrize("size", ["3b", "7b", "32b"])
def test_an_engine_by_a_models_sums_is_that_by_its_shape(size: str) -> None:
    known = load_engine_profile(f"h200-qwen2.5-vl-{size}")
    made = planned(find_profile(f"qwen2.5-vl-{size}"), read_gpus("h200", CPU))
    assert (made.tensor_parallel, made.replicas, made.idle) == (1, 1, 0)
    assert made.engine.basis == "roofline, not measured"
    assert made.engine.kv_tokens == pytest.approx(known.kv_tokens, rel=0.16)
    for name, cost in asdict(known.terms).items():
        assert asdict(made.engine.terms)[name] == pytest.approx(cost, rel=0.17), name


def test_a_model_too_large_for_one_gpu_is_split_and_pays_for_the_exchange() -> None:
    large = find_profile("qwen2.5-vl-72b")
    made = planned(large, read_gpus("5xh200", CPU))
    assert (made.tensor_parallel, made.replicas, made.idle) == (2, 2, 1)
    alone = planned_engine(large, GPU_KINDS["h200"], 1, 100_000).terms
    terms = made.engine.terms
    assert terms.weights == pytest.approx(alone.weights / 2)
    assert terms.context == pytest.approx(alone.context / 2)
    assert alone.token / 2 < terms.token < alone.token
    assert alone.step < terms.step < 4 * alone.step
    slow = planned_engine(large, replace(GPU_KINDS["h200"], link=32e9), 2, 100_000).terms
    assert (slow.token, slow.step) > (terms.token, terms.step)
    assert slow.sequence > terms.sequence > 0


def test_keys_and_values_are_repeated_where_their_heads_are_fewer_than_the_gpus() -> None:
    four, eight = (
        planned_engine(find_profile("qwen2.5-vl-7b"), GPU_KINDS["l40s"], split, 100_000).terms
        for split in (4, 8)
    )
    assert MODEL.kv_heads == 4
    assert eight.context == four.context
    assert eight.weights < four.weights


def test_a_mixture_of_experts_works_with_the_experts_that_it_names() -> None:
    mixed = planned(find_profile("qwen3-vl-30b-a3b"), read_gpus("h200", CPU)).engine.terms
    dense = planned(find_profile("qwen3-vl-32b"), read_gpus("h200", CPU)).engine.terms
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
        planned(find_profile(model), read_gpus(gpus, CPU))


@given(count=st.integers(1, 4096), kind=st.sampled_from(sorted(GPU_KINDS)))
def test_gpus_are_read_as_they_are_written(count: int, kind: str) -> None:
    expected = Gpus(kind=GPU_KINDS[kind], count=count)
    assert read_gpus(f"{count}x{kind}", CPU) == read_gpus(f" {count}X{kind.upper()} ", H200)
    assert read_gpus(f"{count}x{kind}", CPU) == expected
    assert read_gpus(kind, CPU) == Gpus(kind=GPU_KINDS[kind], count=1)


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
    found = read_gpus(words, host)
    assert (found.kind.name, found.count) == (kind, count)
    assert bool(found.remark) == (host in {CPU, T4})


def test_here_plans_with_the_least_memory_that_the_driver_reports() -> None:
    host = gpu_host(gpu(0, "NVIDIA H200", 141.0, 9.0), gpu(1, "NVIDIA H200", 139.0, 9.0))
    assert read_gpus("here", host).kind.memory_gib == 139.0


@pytest.mark.parametrize(
    "words", ["", "x", "0", "0xh200", "-1", "4x", "4h200", "h300", "5000", "1.5"]
)
def test_other_words_for_gpus_are_refused(words: str) -> None:
    with pytest.raises(ServingError, match=r"wanted"):
        read_gpus(words, H200)


@pytest.mark.parametrize(
    ("host", "said"),
    [
        (CPU, "no GPU to plan for"),
        (T4, "'Tesla T4'"),
        (gpu_host(gpu(0, "NVIDIA GeForce RTX 4090 Laptop GPU", 15.9, 8.9)), "none are known"),
        (gpu_host(*H200.gpus, *RTX_4090.gpus), "several kinds"),
    ],
)
def test_here_is_refused_where_nothing_is_known_of_it(host: Hardware, said: str) -> None:
    with pytest.raises(ServingError, match=said):
        read_gpus("here", host)


@settings(max_examples=40, deadline=None)
@given(
    duties=st.sampled_from(["one_ask", "two_asks"]),
    answers=st.sampled_from(["immediate", "batched"]),
    reasoning=st.sampled_from(["heard", "secret", "together"]),
    clues=st.sampled_from(["all", "civilians", "at_deal", "owner"]),
    electorate=st.sampled_from(["all", "civilians"]),
    rounds=st.integers(1, 3),
)
def test_seats_are_asked_what_the_game_asks_them(**options: Any) -> None:
    [match] = scripted_trace({"s": case()}, workload(matches=1, **options)).matches
    dummies = Dummies()
    setup = MatchSetup(script=case(), options=WhodunitOptions(**options), seed=0)
    play_out(WHODUNIT, setup, dummies.decide)
    wanted = Counter((one.request.seat, one.request.kind) for one in dummies.decisions)
    assert Counter((turn.seat, kind_of(turn.ask)) for turn in match.turns) == wanted
    for turn in match.turns:
        assert turn.choice == (turn.output == 1) == (kind_of(turn.ask) == "vote")


def kind_of(ask: str) -> str:
    return "answer" if ask.endswith("/answer") else ask.split("/")[1]


def logs(match: TraceMatch, seat: str) -> list[str]:
    return [p.picture for turn in match.turns if turn.seat == seat for p in turn.added if p.picture]


@pytest.mark.parametrize("clues", ["all", "at_deal"])
def test_every_seat_is_shown_all_common_pictures_at_their_size(clues: str) -> None:
    trace = scripted_trace({"s": case()}, workload(clues=clues))
    match = trace.matches[0]
    hashes = [picture.sha256 for picture in case().pictures]
    for name in case().names:
        assert logs(match, name) == hashes
    pieces = [p for turn in match.turns for p in turn.added if p.picture]
    assert {piece.tokens for piece in pieces} == {SEEN + PICTURE_FRAME}
    assert set(trace.pictures) == set(hashes)
    first = match.turns[0]
    assert bool([p for p in first.added if p.picture]) == (clues == "at_deal")


def test_words_instead_of_pictures_are_no_pictures() -> None:
    trace = scripted_trace({"s": case()}, workload(pictures="ocr"))
    assert all(logs(trace.matches[0], name) == [] for name in case().names)


def test_only_the_owner_of_a_clue_has_it_and_dealt_clues_go_to_one_seat_each() -> None:
    def first(seat: str, **options: Any) -> int:
        told = workload(matches=1, introductions="together", **options)
        [match] = scripted_trace({"s": case()}, told).matches
        return len(next(turn for turn in match.turns if turn.seat == seat).added)

    plain = {name: first(name) for name in case().names}
    # Rules, role, the line that starts the phase, the instruction; one seat owns a clue.
    assert plain == {name: 4 + (name == "Bram Stone") for name in case().names}
    dealt = {name: first(name, clues="owner") for name in case().names}
    assert sum(dealt.values()) - sum(plain.values()) == 2 + len(case().pictures)


def test_matches_of_a_script_share_rules_and_private_scripts_and_other_scripts_the_rules() -> None:
    trace = scripted_trace(cases(2), workload(matches=2))
    one, same, other, _ = trace.matches
    heads = [[piece.key for piece in match.turns[0].added] for match in (one, same, other)]
    assert heads[0] == heads[1]
    assert heads[0][0] == heads[2][0]
    assert heads[0][1] != heads[2][1]
    need = needs_of(asked(on("h200"), cases(1)))["s0"]
    scripts = sum(len(role.script) for role in cases(1)["s0"].roles) / 4
    assert need.demand.prefix_tokens > scripts
    assert need.demand.prefix_tokens < scripts + 4 * 900


def test_swapped_sides_are_as_many_matches_again() -> None:
    trace = scripted_trace(cases(1), workload(matches=3, swap=True))
    assert len(trace.matches) == 6
    assert [match.pair for match in trace.matches[:2]] == [
        ("the model", "the model again"),
        ("the model again", "the model"),
    ]
    assert forecast(asked(on("h200"), matches=3, swap=True)).matches == 6


def test_a_whole_simulation_is_told_as_it_was() -> None:
    told = forecast(asked(on("h200"), cases(2), matches=5))
    assert not told.extrapolated
    assert (told.matches, told.sample_matches) == (10, 10)
    assert told.matches_per_h * told.hours == pytest.approx(10)
    assert told.turns_per_s * told.hours * 3600 == pytest.approx(told.sample_turns)
    assert 0 < told.live_matches <= told.live_most == 10
    assert 0.3 < told.hit_rate < 1


@pytest.mark.parametrize("scripts", [1, 6])
def test_a_sample_foretells_what_all_matches_take(scripts: int) -> None:
    whole = asked(on("h200", kv_tokens=120_000), cases(scripts), matches=240 // scripts)
    part = replace(whole, most_turns=1_600)
    full, guess = forecast(whole), forecast(part)
    assert guess.extrapolated
    assert not full.extrapolated
    assert guess.sample_matches < full.sample_matches / 2
    assert guess.hours == pytest.approx(full.hours, rel=0.1)
    assert guess.live_matches == pytest.approx(full.live_matches, rel=0.2)
    assert guess.hit_rate == pytest.approx(full.hit_rate, abs=0.03)


def test_more_memory_lets_more_matches_live_and_never_fewer_than_one() -> None:
    told = [
        forecast(asked(on("h200", kv_tokens=kv), matches=24))
        for kv in (10_000, 40_000, 100_000, 640_000)
    ]
    most = [one.live_most for one in told]
    assert most == sorted(set(most))
    assert told[0].live_most >= 1
    assert told[0].hours > 2 * told[-1].hours


def test_the_users_limit_holds_over_all_engines_together() -> None:
    assert forecast(asked(on("h200"), concurrency=3, matches=12)).live_most == 3
    two = forecast(asked(on("2xh200"), cases(8), concurrency=4, matches=4))
    assert two.busy_replicas == 2
    assert two.live_most < 4


def test_engines_share_scripts_and_one_script_keeps_one_engine() -> None:
    scripts = cases(12)
    one = forecast(asked(on("h200", kv_tokens=60_000), scripts, matches=8))
    two = forecast(asked(on("2xh200", kv_tokens=60_000), scripts, matches=8))
    assert two.busy_replicas == 2
    assert 0.4 < two.hours / one.hours < 0.85
    alone = asked(on("4xh200"), cases(1))
    told = forecast(alone)
    assert told.busy_replicas == 1
    assert any("3 of 4 engines have nothing to do" in line for line in remarks(alone, told))


def test_a_prompt_that_grows_beyond_the_model_is_said() -> None:
    where = on("h200")
    short = replace(where, engine=replace(where.engine, context_tokens=1_500))
    with pytest.raises(ConfigError, match=r"'sized-0' grow to [\d,]+ tokens, but .* 1,500"):
        forecast(asked(short))
    room = needs_of(asked(where))["s0"].longest
    exact = replace(where, engine=replace(where.engine, context_tokens=room))
    assert forecast(asked(exact, matches=1)).longest_prompt == room


@given(
    turns=st.lists(st.integers(5, 200), min_size=1, max_size=40),
    each=st.integers(1, 5000),
    most=st.integers(1, 50_000),
)
def test_a_sample_is_whole_or_bounded(turns: list[int], each: int, most: int) -> None:
    by_script = {f"s{n}": count for n, count in enumerate(turns)}
    sample = sampled(by_script, each, most)
    mean = sum(turns) / len(turns)
    matches = len(sample.scripts) * sample.each
    assert 1 <= sample.each <= each
    assert list(sample.scripts) == [name for name in by_script if name in sample.scripts]
    if len(turns) * each * mean <= most:
        assert matches == len(turns) * each
    assert matches <= max(8 * max(4, 8), most / mean)


def test_the_rate_is_that_of_full_swing() -> None:
    def sent(at: float) -> Sent:
        return Sent(
            "m", "r", (), 0.0, at, Answer(prompt_tokens=1, output_tokens=1, cached_tokens=0)
        )

    spans = {"a": (0.0, 10.0), "b": (0.0, 20.0), "c": (10.0, 30.0), "d": (20.0, 40.0)}
    times = [5.0, *(10 + n for n in range(1, 11)), 35.0]
    told = Replayed(
        seconds=40.0, sent=tuple(map(sent, times)), matches=spans, live_most=2, alpha=None
    )
    rate = steady(told)
    assert (rate.turns_per_s, rate.live) == (1.0, 2.0)
    together = replace(told, matches={"a": (0.0, 10.0), "b": (0.0, 40.0)})
    assert steady(together).turns_per_s == len(times) / 40
    assert steady(together).live == 50 / 40


def wanted(**more: Any) -> Wanted:
    values: dict[str, Any] = {
        "model": "qwen2.5-vl-7b",
        "gpus": "h200",
        "scripts": ("first-night",),
        "options": WhodunitOptions(rounds=1),
        "matches": 2,
    }
    return Wanted(**{**values, **more})


def test_the_object_tells_what_fits_what_it_costs_and_how_far_to_trust_it() -> None:
    plan = prepared(wanted(gpus="2xh200"), CPU)
    told = forecast(plan)
    found = as_object(plan, told)
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


def test_pictures_cost_what_the_models_family_makes_of_them() -> None:
    def own(model: str) -> int:
        plan = prepared(wanted(model=model), CPU)
        return forecast(plan).own_tokens

    # 32 pixels a side and token, not 28, up to about the same number of pixels.
    assert own("qwen3-vl-2b") < 0.95 * own("qwen2-vl-2b")


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
        prepared(wanted(**more), CPU)
