"""The steps of the GPU check on a simulated server, which stands in for the engine."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from arena.bench.gpu import gpu_engine, gpu_steps, token_id_steps
from arena.bench.gpu.step_runner import CheckStep, StepContext, StepSkipped
from arena.bench.servers.bench_engines import StartedEngine, standin_tokenizer
from arena.bench.servers.engine_rates import find_roofline_costs, rates_between
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from arena.models.http.server_metrics import Counters
from serving.engine_sim.calibrate import loads
from serving.engine_sim.sim_server import run_simulator_process
from serving.errors import ServingError
from serving.host.hardware import Gpu, Hardware, detect
from serving.model_files.dummy_weights import find_dummy_weights
from tests.arena.bench.gpu.test_gpu_check import CPU

H200 = Gpu(index=0, name="NVIDIA H200", total_gib=140.4, free_gib=140, driver="1", compute=9.0)


def work(folder: Path, seconds: float = 60.0, **changes: Any) -> StepContext:
    return StepContext(
        hardware=replace(detect(), **changes),
        rehearsal=True,
        say=lambda _: None,
        deadline=time.monotonic() + seconds,
        path=folder / "step.json",
        document={"began": time.time(), "results": {}},
    )


@asynccontextmanager
async def simulated(*_: object, **__: object) -> AsyncGenerator[StartedEngine]:
    folder = standin_tokenizer()
    words = ["--model", "m", *(["--tokenizer", str(folder)] if folder else [])]
    async with run_simulator_process("instant", ["--kv-tokens", "60000", *words]) as url:
        yield StartedEngine(
            address=parse_address(f"{url}#m"),
            argv=("python", "--model", str(folder or "")),
            version="0.32.0",
            seconds=1.0,
        )


def fits(name: str, hardware: Hardware) -> str:
    del name, hardware
    return ""


@pytest.fixture
def on_a_simulated_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_engine, "serve_dummy_engine", simulated)
    monkeypatch.setattr(gpu_engine, "find_fit_problem", fits)


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_simulated_server")
def test_arms_have_figures_of_the_client_and_of_the_engine(tmp_path: Path) -> None:
    one = work(tmp_path, engine="cpu")
    asyncio.run(gpu_steps.run_arms_step(8, one))
    written = json.loads((tmp_path / "step.json").read_text("utf-8"))["results"]
    assert written["instead_of"] == "qwen2.5-vl-7b"
    arms = written["arms"]
    assert list(arms) == ["ours", "open_bound", "gather_32", "gather_128", "sequential"]
    assert not any(arm["cut"] for arm in arms.values())
    turns = arms["ours"]["engine"]["requests"]
    assert arms["open_bound"]["engine"]["requests"] == arms["open_bound"]["requests"] == turns > 0
    assert arms["open_bound"]["seconds_over_ours"] > 0
    output = arms["ours"]["engine"]["output_tokens"]
    assert output / 2 < arms["open_bound"]["engine"]["output_tokens"] <= output
    assert 0 < arms["ours"]["engine"]["hit_rate"] < 1
    assert arms["ours"]["client"]["finished"] == 2
    assert arms["ours"]["engine"]["tokens_a_step"] > 0
    assert arms["ours"]["roofline"] is None
    assert "turns/s: ours" in one.document["headline"]


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_simulated_server")
def test_an_arm_without_time_is_cut_and_has_the_figures_of_the_engine(tmp_path: Path) -> None:
    one = work(tmp_path, seconds=0.0)
    asyncio.run(gpu_steps.run_sweep_step(16, one))
    sweep = one.document["results"]["sweep"]
    assert list(sweep) == ["1", "2", "4"]
    assert all("engine" in level for level in sweep.values())


@pytest.mark.usefixtures("on_a_simulated_server")
def test_what_makes_no_sense_in_a_rehearsal_is_skipped_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(StepSkipped, match="no stand-in for yi-vl-34b"):
        asyncio.run(gpu_steps.run_yi_step("yi-vl-34b", work(tmp_path)))
    with pytest.raises(
        StepSkipped, match=r"trace replay requires vLLM 0\.29 or newer, got 0\.26\.0"
    ):
        asyncio.run(token_id_steps.run_replay_step(work(tmp_path, engine_version="0.26.0")))


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_simulated_server")
def test_closed_loops_are_timed_before_the_fit_and_kept_if_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> dict[str, Any]:
        raise ServingError("cannot fit")

    needs_token_ids()
    monkeypatch.setattr(token_id_steps, "loads", lambda: loads()[:2])
    monkeypatch.setattr(token_id_steps, "fit_half", fail)
    one = work(tmp_path)
    with pytest.raises(ServingError, match="cannot fit"):
        asyncio.run(token_id_steps.run_simulator_step(one))
    timed = one.document["results"]["loops"]
    assert [loop["prompt"] for loop in timed] == [1_024, 2_048]
    assert all(loop["turns_per_s"] > 0 for loop in timed)


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_simulated_server")
def test_a_rehearsal_of_offloading_compares_two_engines_without_the_flag(tmp_path: Path) -> None:
    needs_token_ids()
    one = work(tmp_path, engine="cpu")
    asyncio.run(token_id_steps.run_offload_step(one))
    results = one.document["results"]
    assert "both engines run without the flag" in results["note"]
    assert list(results["arms"]) == ["plain", "offload"]
    equality = results["equality"]
    assert equality["prompts"] == equality["plain_repeated"] == equality["offload_reloaded"] == 8


def needs_token_ids() -> None:
    if standin_tokenizer() is None:
        pytest.skip("the stand-in's tokenizer cannot be made without the libraries of a server")


@asynccontextmanager
async def replaying(*, forgets: bool) -> AsyncGenerator[str]:
    """Yield the URL of a server that replies with the ids that it is told, or forgets one."""

    async def generate(request: web.Request) -> web.Response:
        body = await request.json()
        ids = body["sampling_params"]["trace_decode_token_ids"]
        return web.json_response({"choices": [{"token_ids": ids[1:] if forgets else ids}]})

    app = web.Application()
    app.router.add_post("/inference/v1/generate", generate)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(("forgets", "equal"), [(False, 3), (True, 0)])
def test_a_replayed_reply_counts_only_if_every_token_came_back(forgets: bool, equal: int) -> None:
    async def send() -> int:
        async with (
            replaying(forgets=forgets) as url,
            open_endpoint(parse_address(url), max_requests=4) as endpoint,
        ):
            chains = [[([1, 2], (5, 6)), ([1, 2, 5, 6], (7,))], [([9], (8, 8))]]
            return await token_id_steps.send_chains(endpoint, chains, "m")

    assert asyncio.run(send()) == equal


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_simulated_server")
def test_recorded_calls_become_prompts_that_grow_token_for_token(tmp_path: Path) -> None:
    needs_token_ids()

    async def record() -> list[list[tuple[list[int], tuple[int, ...]]]]:
        one, recorder = work(tmp_path), gpu_engine.CallRecorder()
        async with gpu_engine.serve_step_engine(one, gpu_engine.QWEN, 1) as serving:
            await serving.served.play(serving.load, gpu_engine.OURS_CAPPED, recorder)
            return token_id_steps.encode_calls(serving, recorder)

    chains = asyncio.run(record())
    assert len(chains) == 4
    for chain in chains:
        (first, reply), (second, _) = chain[:2]
        assert second[: len(first) + len(reply)] == [*first, *reply]


def test_offloading_is_judged_by_what_repeats_without_it() -> None:
    plain = [[(1,), (2,), (3,)], [(1,), (2,), (4,)]]
    found = token_id_steps.compare_passes(plain, [[(1,), (2,), (3,)], [(1,), (9,), (9,)]])
    assert found == {
        "prompts": 3,
        "plain_repeated": 2,
        "offload_cold": 3,
        "offload_reloaded": 1,
        "other_prompts": 0,
    }


def test_a_decode_that_reads_all_weights_each_step_is_on_the_roofline() -> None:
    peak = find_roofline_costs("h200-qwen2.5-vl-7b", replace(CPU, gpus=(H200,)))
    assert peak is not None
    assert "h200" in peak.basis
    after = Counters(steps=100, step_tokens=100, output_tokens=100, finished=1)
    rates = rates_between(Counters(), after, 100 * peak.weights)
    assert peak.roofline_fraction(rates) == pytest.approx(1.0, abs=0.02)
    assert peak.roofline_fraction(
        rates_between(Counters(), after, 200 * peak.weights)
    ) == pytest.approx(0.5, abs=0.01)
    assert find_roofline_costs("h200-qwen2.5-vl-7b", CPU) is None


def test_random_weights_need_no_file_of_the_published_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_token_ids()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("ARENA_MODELS", raising=False)
    weights, remark = find_dummy_weights("qwen2.5-vl-7b")
    config = json.loads((Path(weights.path) / "config.json").read_text("utf-8"))
    assert config["text_config"]["num_hidden_layers"] == 28
    assert config["vision_config"]["out_hidden_size"] == config["text_config"]["hidden_size"]
    assert weights.dummy
    assert str(config["text_config"]["vocab_size"]) in remark
    assert not list(Path(weights.path).glob("*.safetensors"))
    with pytest.raises(ServingError, match=r"no configuration of 'qwen2\.5-vl-32b'"):
        find_dummy_weights("qwen2.5-vl-32b")


def test_every_step_has_a_name_that_can_be_a_file() -> None:
    names = [step.name for step in gpu_steps.STEPS]
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalnum() for name in names)
    assert all(isinstance(step, CheckStep) for step in gpu_steps.STEPS)
