"""Arms through a router and past it, on simulated servers."""

import json
from collections import Counter
from pathlib import Path

import pytest

from arena.bench.router_comparison import ROUTER_ARMS, compare_routers, make_router_run
from arena.bench.servers.proxy import ProxiedRequest
from arena.bench.servers.router_process import ProgramUnit, add_program, calibrate_scheduling
from arena.errors import ConfigError
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.errors import EngineError
from tests.arena.bench.routers import MATCHES, install_router, small_load


@pytest.fixture
def router(tmp_path: Path) -> str:
    """Return a program that is called as vllm-router is."""
    return install_router(tmp_path)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the router writes what it is given."""
    place = tmp_path / "log"
    monkeypatch.setenv("ROUTER_LOG", str(place))
    return place


@pytest.mark.slow
def test_every_arm_is_played_as_often_as_wanted_and_each_through_a_fresh_router(
    router: str, log: Path
) -> None:
    said: list[str] = []
    names = ["ours", "router_sticky", "router_program_seat"]
    found = compare_routers(small_load(), names, router, repeat=2, say=said.append)
    assert [line.partition(",")[0] for line in said] == [*names, *reversed(names)]
    assert list(found.runs) == names
    for runs in found.runs.values():
        assert [(one.finished, one.unfinished) for one in runs] == [(MATCHES, 0)] * 2
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    starts = [line for line in lines if "policy" in line]
    assert [(one["policy"], bool(one["scheduling"])) for one in starts] == [
        ("sticky_least_loaded", False),
        ("cache_aware", True),
        ("cache_aware", True),
        ("sticky_least_loaded", False),
    ]
    assert {one["workers"] for one in starts} == {2}
    assert all(one["scheduling"]["token_capacity_per_dp_rank"] == 60_000 for one in starts[1:3])
    calls = [line for line in lines if "worker" in line]
    by_worker = Counter(one["worker"] for one in calls)
    assert abs(by_worker[0] - by_worker[1]) < len(calls) / 2
    named = [one for one in calls if one["xargs"]]
    assert len(named) == len(calls) / 2
    programs = {one["xargs"]["agentic_context"]["program_id"] for one in named}
    assert {one["session"] for one in named} == programs
    assert len(programs) == MATCHES * 3 * 2
    assert len({program.partition(":")[0] for program in programs}) == MATCHES * 2


def test_a_program_is_the_match_or_the_seat_that_the_id_of_a_request_names() -> None:
    post = ProxiedRequest(
        path="/v1", body=b'{"model":"x"}', request_id="hall-s3:seat-2:vote:1:reply:0:~ab"
    )
    names: dict[ProgramUnit, str] = {"match": "hall-s3", "seat": "hall-s3:seat-2"}
    for program, name in names.items():
        named = add_program(post, program)
        context = {"program_id": name, "session_id": name}
        body = {"vllm_xargs": {"agentic_context": context}, "model": "x"}
        assert json.loads(named.body) == body
        assert named.headers == {"X-Session-ID": name}
        assert named.request_id == post.request_id


def test_the_router_is_told_what_the_servers_can_do() -> None:
    profile = load_engine_profile("h200-qwen2.5-vl-7b")
    told = json.loads(json.dumps(calibrate_scheduling(profile)))
    assert told["token_capacity_per_dp_rank"] == profile.kv_tokens
    prefill = told["prefill_cost_model"]
    assert prefill["linear_seconds_per_1k_tokens"] == pytest.approx(1000 * profile.terms.token)


def test_a_router_that_is_not_installed_is_an_error_that_says_what_to_install() -> None:
    with pytest.raises(ConfigError, match=r"'no-such-router' is not a program.*pip install"):
        compare_routers(small_load(), [], "no-such-router", repeat=1, say=print)


def test_an_arm_that_does_not_exist_is_an_error_with_all_that_do() -> None:
    with pytest.raises(ConfigError, match=f"no arm 'psychic'.*{', '.join(ROUTER_ARMS)}"):
        compare_routers(small_load(), ["psychic"], "", repeat=1, say=print)


@pytest.mark.slow
def test_a_router_that_does_not_start_is_an_error_with_its_reason(
    router: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUTER_FAULT", "no port for me")
    with pytest.raises(EngineError, match="does not start: no port for me"):
        compare_routers(small_load(), ["router_cache_aware"], router, repeat=1, say=print)


@pytest.mark.slow
def test_arms_without_a_router_are_played_where_there_is_none() -> None:
    found = compare_routers(small_load(), ["all_at_once"], "no-such-router", repeat=1, say=print)
    assert [one.finished for one in found.runs["all_at_once"]] == [MATCHES]


def test_every_server_of_the_comparison_has_the_same_small_load() -> None:
    for replicas in (1, 2, 4):
        run = make_router_run(replicas, 24)
        assert run.matches * len(run.scripts) == 24 * replicas
        assert run.replicas == replicas
