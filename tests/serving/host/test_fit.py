"""What fits a host, and how two models share one."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.errors import ServingError
from serving.host.hardware import Hardware, HostShare
from serving.host.memory_plan import check_fit, match_tokens, plan_host, plan_one, reserve_gib
from serving.model_files.profile import Profile, find_profile, load_profiles
from tests.serving.hosts import (
    BARE,
    CPU,
    EIGHT_H200,
    H200,
    RTX_4090,
    T4,
    TWO_A100,
    cpu_host,
    gpu,
    gpu_host,
)

PROFILES = tuple(load_profiles().values())
profiles = st.sampled_from(PROFILES)


@st.composite
def hosts(draw: st.DrawFn) -> Hardware:
    if draw(st.booleans()):
        return cpu_host(draw(st.floats(0.5, 400.0)))
    sizes = draw(st.lists(st.floats(6.0, 192.0), min_size=1, max_size=8))
    used = draw(st.floats(0.0, 1.0))
    return gpu_host(
        *(gpu(index, "GPU", size, 9.0, used_gib=size * used) for index, size in enumerate(sizes))
    )


@pytest.mark.parametrize(
    ("name", "host", "where", "gpus"),
    [
        ("qwen2.5-vl-7b", H200, "cuda", 1),
        ("qwen2.5-vl-32b", H200, "cuda", 1),
        ("qwen2.5-vl-72b-fp8", H200, "cuda", 1),
        ("qwen2.5-vl-72b", H200, None, 0),
        ("qwen2.5-vl-72b", EIGHT_H200, "cuda", 2),
        ("qwen3-vl-235b-a22b", EIGHT_H200, "cuda", 4),
        ("qwen2.5-vl-7b", RTX_4090, "cuda", 1),
        ("qwen3-vl-8b", RTX_4090, None, 0),
        ("qwen2.5-vl-32b", TWO_A100, "cuda", 2),
        ("qwen2.5-vl-72b", TWO_A100, None, 0),
        ("qwen2.5-vl-3b", T4, "cuda", 1),
        ("qwen2.5-vl-7b", T4, None, 0),
        ("qwen2.5-vl-3b", CPU, "cpu", 1),
        ("qwen2.5-vl-7b", CPU, None, 0),
        ("qwen3-vl-32b-fp8", cpu_host(400.0), None, 0),
        ("stand-in", CPU, "cpu", 1),
        ("stand-in", H200, "cuda", 1),
        ("stand-in", BARE, None, 0),
    ],
)
def test_what_fits_where(name: str, host: Hardware, where: str | None, gpus: int) -> None:
    found = check_fit(find_profile(name), host)
    assert found.ok == (where is not None)
    assert found.tensor_parallel == gpus
    if found.ok:
        assert found.where == where


def test_room_on_an_h200_is_near_the_roofline_figures() -> None:
    # PERFORMANCE, section 4: 92 and 10.7 contexts of 20k on 141 GB; nvidia-smi counts 150 GB.
    assert check_fit(find_profile("qwen2.5-vl-7b"), H200).contexts == pytest.approx(92, rel=0.12)
    assert check_fit(find_profile("qwen2.5-vl-32b"), H200).contexts == pytest.approx(10.7, rel=0.2)


def test_a_misfit_says_how_much_is_wanted_how_much_is_usable_and_how_much_is_short() -> None:
    misfit = check_fit(find_profile("qwen2.5-vl-72b"), H200).why
    assert misfit == "needs 165.9 GiB, 129.2 usable, 36.7 short"
    on_two = check_fit(find_profile("qwen2.5-vl-72b"), TWO_A100).why
    assert on_two == "needs 172.9 GiB on 2 GPUs, 145.8 usable, 27.1 short", "the numbers add up"


@pytest.mark.parametrize(
    ("host", "said"),
    [
        (BARE, "no vLLM is installed"),
        (
            replace(BARE, engine="cuda"),
            "CUDA build of vLLM is installed, but nvidia-smi is not installed",
        ),
        (
            replace(CPU, missing_library="libnuma.so.1"),
            "no engine starts without libnuma.so.1; install it (Debian and Ubuntu: the",
        ),
    ],
)
def test_without_an_engine_that_can_run_nothing_fits(host: Hardware, said: str) -> None:
    for profile in PROFILES:
        found = check_fit(profile, host)
        assert not found.ok
        assert said in found.why
        with pytest.raises(ServingError, match="cannot be served on"):
            plan_one(profile, host)


def test_a_gpu_that_others_use_has_room_only_for_what_is_free() -> None:
    crowded = gpu_host(gpu(0, "NVIDIA H200", 140.4, 9.0, used_gib=110.0))
    assert not check_fit(find_profile("qwen2.5-vl-32b"), crowded).ok
    share = plan_one(find_profile("qwen2.5-vl-3b"), crowded)
    assert share.fraction * 140.4 <= 30.4


def test_the_reserve_is_seven_gib_on_large_gpus_and_less_on_small_ones() -> None:
    profile = find_profile("qwen2.5-vl-7b")
    reserves = [reserve_gib(profile, gpu(0, "GPU", size, 9.0)) for size in (8, 16, 24, 48, 80, 192)]
    assert reserves == [2.0, 2.0, pytest.approx(2.4), pytest.approx(4.8), 7.0, 7.0]
    assert reserves == sorted(reserves)


@pytest.mark.slow
@given(profile=profiles, host=hosts())
def test_what_fits_has_room_for_a_full_match_and_its_weights(
    profile: Profile, host: Hardware
) -> None:
    found = check_fit(profile, host)
    if not found.ok:
        assert (found.kv_tokens, found.contexts, found.tensor_parallel) == (0, 0.0, 0)
        return
    share = plan_one(profile, host)
    assert share.kv_tokens == found.kv_tokens >= match_tokens(profile) >= profile.serve_tokens
    assert found.contexts == found.kv_tokens / min(20_000, profile.serve_tokens)
    assert max(1, len(share.gpus)) == found.tensor_parallel
    assert profile.heads % found.tensor_parallel == 0
    if share.where == "cpu":
        assert share.kv_gib == int(share.kv_gib) >= 1
        held = profile.weights_gib.value + share.kv_gib
        assert held <= host.free_memory_gib
    else:
        held = sum(share.fraction * one.total_gib for one in host.gpus if one.index in share.gpus)
        assert held >= profile.weights_gib.value + share.kv_gib - 1e-6


@given(profile=profiles, host=hosts(), more=st.floats(0.0, 100.0))
def test_more_memory_never_makes_a_fitting_profile_not_fit(
    profile: Profile, host: Hardware, more: float
) -> None:
    larger = replace(
        host,
        memory_gib=host.memory_gib + more,
        free_memory_gib=host.free_memory_gib + more,
        gpus=tuple(
            replace(one, total_gib=one.total_gib + more, free_gib=one.free_gib + more)
            for one in host.gpus
        ),
    )
    before, after = check_fit(profile, host), check_fit(profile, larger)
    assert after.ok >= before.ok


@given(profile=profiles, host=hosts(), share=st.floats(0.05, 1.0))
def test_a_smaller_share_never_holds_more(profile: Profile, host: Hardware, share: float) -> None:
    part, whole = check_fit(profile, host, share), check_fit(profile, host)
    assert part.ok <= whole.ok
    if part.ok and part.tensor_parallel == whole.tensor_parallel:
        assert part.kv_tokens <= whole.kv_tokens


@pytest.mark.slow
@settings(max_examples=300)
@given(pair=st.tuples(profiles, profiles), host=hosts())
def test_a_plan_never_gives_more_than_the_host_has(
    pair: tuple[Profile, Profile], host: Hardware
) -> None:
    try:
        shares = plan_host(pair, host)
    except ServingError:
        return
    assert len(shares) == 2
    for profile, share in zip(pair, shares, strict=True):
        assert share.kv_tokens >= match_tokens(profile)
        assert share.where == host.engine
    if host.engine == "cpu":
        weights = sum(profile.weights_gib.value for profile in pair)
        assert weights + sum(share.kv_gib for share in shares) <= host.free_memory_gib
    for one in host.gpus:
        given_away = sum(share.fraction for share in shares if one.index in share.gpus)
        assert given_away <= 0.92 + 1e-9
        assert given_away * one.total_gib <= one.free_gib + 1e-9


def test_two_models_on_one_gpu_get_room_for_the_same_dialogue() -> None:
    shares = plan_host([find_profile("qwen2.5-vl-7b"), find_profile("qwen3-vl-8b")], H200)
    assert [share.gpus for share in shares] == [(0,), (0,)]
    assert math.isclose(shares[0].kv_tokens, shares[1].kv_tokens, rel_tol=0.01)
    assert shares[0].kv_gib < shares[1].kv_gib


def test_two_models_on_two_gpus_get_one_each() -> None:
    shares = plan_host([find_profile("qwen2.5-vl-7b"), find_profile("qwen3-vl-8b")], TWO_A100)
    assert sorted(share.gpus for share in shares) == [(0,), (1,)]
    assert all(share.fraction > 0.9 for share in shares)


def test_the_larger_of_two_models_takes_more_gpus_where_it_must() -> None:
    small, large = find_profile("qwen2.5-vl-3b"), find_profile("qwen2.5-vl-72b")
    alone: tuple[HostShare, ...] = plan_host([small, large], EIGHT_H200)
    assert [len(share.gpus) for share in alone] == [1, 2]
    assert not set(alone[0].gpus) & set(alone[1].gpus)


def test_models_that_must_both_be_split_share_the_same_gpus() -> None:
    shares = plan_host(
        [find_profile("qwen2.5-vl-72b-fp8"), find_profile("qwen2.5-vl-3b")], TWO_A100
    )
    assert [share.gpus for share in shares] == [(0, 1), (0, 1)]


def test_two_stand_ins_share_a_small_cpu_host() -> None:
    for names in (
        ("stand-in", "stand-in"),
        ("stand-in-yi", "stand-in"),
        ("stand-in", "stand-in-yi"),
    ):
        shares = plan_host([find_profile(name) for name in names], cpu_host(10.0))
        assert [share.kv_gib for share in shares] == [1, 1]


@pytest.mark.parametrize(
    ("names", "host", "said"),
    [
        (
            ("qwen2.5-vl-7b", "qwen3-vl-8b"),
            RTX_4090,
            "'qwen3-vl-8b' cannot be served on 1 x NVIDIA",
        ),
        (
            ("qwen2.5-vl-32b", "qwen3-vl-32b"),
            H200,
            "separately but not together: 44.7 GiB short",
        ),
        ((), H200, "wanted one or two models for this host, got 0"),
        (("stand-in",) * 3, H200, "got 3"),
    ],
)
def test_what_cannot_be_planned_says_why(names: tuple[str, ...], host: Hardware, said: str) -> None:
    with pytest.raises(ServingError) as caught:
        plan_host([find_profile(name) for name in names], host)
    assert said in str(caught.value)


def test_a_share_of_a_cpu_is_a_share_of_its_memory() -> None:
    profile = find_profile("qwen2.5-vl-3b")
    assert check_fit(profile, CPU).ok
    assert check_fit(profile, CPU, share=0.5).why == "needs 13.0 GiB, 9.0 usable, 4.0 short"
    assert plan_one(profile, CPU, share=0.8).kv_gib < plan_one(profile, CPU).kv_gib


def test_more_gpus_than_kv_heads_repeat_them() -> None:
    two_heads = replace(find_profile("qwen2.5-vl-3b"), tensor_parallel=4)
    share = plan_one(two_heads, EIGHT_H200)
    assert len(share.gpus) == 4
    per_gpu = share.kv_gib / 4
    assert share.kv_tokens == pytest.approx(per_gpu * 2**30 / (36_864 / 2), rel=1e-4)


def test_a_model_is_not_split_where_its_heads_cannot_be_shared_out() -> None:
    seven_times_four = replace(find_profile("qwen2.5-vl-7b"), tensor_parallel=8)
    found = check_fit(seven_times_four, EIGHT_H200)
    assert (found.ok, found.why) == (False, "it must be split over 8 GPUs or more")
