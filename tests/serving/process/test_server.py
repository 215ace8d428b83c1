"""The supervisor, with real processes that only pretend to be engines."""

import asyncio
import contextlib
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from serving.errors import EngineError
from serving.process.engine_log import (
    failure_cause,
    last_message,
    new_log,
    read_failed_starts,
    startup_stage,
)
from serving.process.model_server import attach_shared
from serving.process.server_registry import list_servers, read_key, register
from serving.process.supervisor import command_digest, engine_environment
from tests.serving.supervising import (
    QUICK,
    Bench,
    is_running,
    owner,
    post,
    wait_for,
)


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@pytest.mark.slow
def test_a_server_comes_up_is_used_and_leaves_no_process_behind(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order("slow")) as server:
            assert server.served.url.startswith("http://127.0.0.1:")
            assert server.served.start_seconds >= 1
            assert server.served.pid == bench.pids()[0]
            assert len(bench.left_over()) == 2
            await server.wait_until_up()
            assert [entry.url for entry in list_servers()] == [server.served.url]

    asyncio.run(use())
    assert len(bench.pids()) == 2
    assert bench.left_over() == []
    assert list_servers() == []


@pytest.mark.slow
def test_what_an_engine_leaves_in_the_temporary_folder_goes_with_it(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()):
            scratch = Path((bench.folder / "scratch").read_text(encoding="utf-8"))
            assert scratch.name.startswith("arena-")
            (scratch / "socket").touch()

    asyncio.run(use())
    assert not Path((bench.folder / "scratch").read_text(encoding="utf-8")).exists()


@pytest.mark.slow
def test_progress_is_told_with_seconds_and_in_our_own_words(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order("slow")):
            pass

    asyncio.run(use())
    assert any(line.endswith("s: loading the weights") for line in bench.said)
    assert all(line.startswith("tiny is starting, ") for line in bench.said)
    assert not any("model.py" in line for line in bench.said)


@pytest.mark.slow
def test_an_engine_that_dies_while_it_starts_is_one_line_with_its_cause(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order("die")):
            pytest.fail("it cannot have come up")

    with pytest.raises(EngineError) as caught:
        asyncio.run(use())
    told = str(caught.value)
    assert told.startswith("the engine of 'tiny' died while it started (exit status 3): ")
    assert "ValueError: the weights are torn" in told
    assert str(bench.folder / "engine.log") in told
    assert "\n" not in told
    assert bench.starts() == 1
    assert bench.left_over() == []


@pytest.mark.slow
def test_the_last_start_of_a_profile_is_remembered_until_one_goes_well(bench: Bench) -> None:
    def start(life: str, moment: str) -> None:
        order = bench.order(life)
        log = new_log("yi-vl-6b", order.port)
        order = replace(order, log=log.with_stem(f"yi-vl-6b-{moment}-{order.port}"))

        async def use() -> None:
            async with bench.up(order):
                pass

        with contextlib.suppress(EngineError):
            asyncio.run(use())

    assert read_failed_starts() == {}
    start("die", "20261121-100000")
    (told,) = read_failed_starts().values()
    assert "died while it started (exit status 3): ValueError: the weights are torn; see " in told
    assert list(read_failed_starts()) == ["yi-vl-6b"]
    (bench.folder / "starts").unlink()
    start("well", "20261121-100001")
    assert read_failed_starts() == {}


@pytest.mark.slow
@pytest.mark.parametrize("life", ["mute", "bind"])
def test_an_engine_that_is_not_up_in_time_is_given_up(bench: Bench, life: str) -> None:
    async def use() -> None:
        async with bench.up(bench.order(life, patience=replace(QUICK, start=3))):
            pytest.fail("it cannot have come up")

    with pytest.raises(EngineError, match="was not up after 3 s; last message: 'Loading the"):
        asyncio.run(use())
    assert bench.left_over() == []


def test_a_program_that_is_not_there_is_named(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(replace(bench.order(), argv=("no-such-engine",))):
            pytest.fail("it cannot have come up")

    with pytest.raises(EngineError, match="cannot be run: 'no-such-engine'"):
        asyncio.run(use())


@pytest.mark.slow
def test_an_engine_that_dies_is_started_once_more_at_the_same_port(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()) as server:
            before = server.served
            await post(server, "/die")
            await server.wait_until_up()
            assert server.restarts == 1
            assert server.served.url == before.url
            assert server.served.pid != before.pid
            assert [entry.pid for entry in list_servers()] == [server.served.pid]

    asyncio.run(use())
    assert bench.starts() == 2
    assert any(
        "died while it ran (exit status 9): torch.OutOfMemoryError: no room for 3 GiB" in line
        and line.endswith("restarting it once")
        for line in bench.said
    )
    assert bench.left_over() == []


@pytest.mark.slow
def test_a_second_death_is_for_good_and_its_cause_is_told_to_all_who_wait(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()) as server:
            await post(server, "/die")
            await server.wait_until_up()
            os.kill(server.served.pid, signal.SIGKILL)
            with pytest.raises(EngineError, match=r"signal 9\): Loading.*already restarted once"):
                await server.wait()
            with pytest.raises(EngineError, match="signal 9"):
                await server.wait_until_up()

    asyncio.run(use())
    assert bench.starts() == 2
    assert bench.left_over() == []


@pytest.mark.slow
def test_a_restart_that_fails_is_for_good(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order("well,die")) as server:
            await post(server, "/die")
            await server.wait_until_up()

    with pytest.raises(EngineError, match=r"while it started \(exit status 3\)"):
        asyncio.run(use())
    assert bench.left_over() == []


@pytest.mark.slow
def test_an_engine_that_falls_silent_is_ended_and_started_again(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()) as server:
            await post(server, "/silence")
            await server.wait_until_up()
            assert server.restarts == 1

    asyncio.run(use())
    assert any("did not answer" in line for line in bench.said)
    assert bench.left_over() == []


@pytest.mark.slow
def test_an_engine_that_ignores_the_request_to_end_is_killed(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order("well", "--stubborn")):
            pass

    asyncio.run(use())
    assert bench.left_over() == []


@pytest.mark.slow
@pytest.mark.parametrize("life", ["mute", "well"])
def test_cancelling_the_owner_ends_the_engine(bench: Bench, life: str) -> None:
    async def use() -> None:
        async with bench.up(bench.order(life)) as server:
            await server.wait()

    async def cancel_in_the_middle() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.5):
                await use()

    asyncio.run(cancel_in_the_middle())
    assert len(bench.pids()) == 2
    assert bench.left_over() == []


@pytest.mark.slow
def test_what_the_block_raises_comes_out_as_it_is(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        asyncio.run(use())
    assert bench.left_over() == []


@pytest.mark.slow
@pytest.mark.parametrize("life", ["well", "mute"])
def test_an_owner_that_is_killed_leaves_no_engine_behind(bench: Bench, life: str) -> None:
    with owner(bench, life) as process:
        wait_for(lambda: len(bench.pids()) == 2)
        assert bench.left_over() == bench.pids()
        process.send_signal(signal.SIGKILL)
        wait_for(lambda: not bench.left_over())


@pytest.mark.slow
def test_an_owner_that_is_interrupted_stops_its_engine_first(bench: Bench) -> None:
    with owner(bench, "well") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGINT)
        process.wait(10)
        assert bench.left_over() == []


@pytest.mark.slow
def test_nothing_is_left_of_an_engine_whose_keeper_is_killed(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()) as server:
            engine = psutil.Process(server.served.pid)
            keeper = engine.parent()
            assert keeper is not None
            keeper.kill()
            await asyncio.to_thread(wait_for, lambda: not is_running(engine.pid))
            await server.wait_until_up()
            assert server.restarts == 1

    asyncio.run(use())
    assert bench.left_over() == []


@pytest.mark.slow
def test_an_engine_is_asked_to_end_when_its_keeper_is_killed_with_the_owner(
    bench: Bench,
) -> None:
    with owner(bench, "well") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        engine, child = bench.pids()
        keeper = psutil.Process(engine).parent()
        assert keeper is not None
        process.send_signal(signal.SIGSTOP)
        keeper.kill()
        process.kill()
        wait_for(lambda: not is_running(engine))
        os.kill(child, signal.SIGKILL)


@pytest.mark.slow
def test_a_shared_server_is_used_by_others_and_left_running(bench: Bench) -> None:
    async def use() -> None:
        order = replace(bench.order(), shared=True)
        async with bench.up(order) as first:
            async with attach_shared(bench.order(), bench.said.append) as second:
                assert second is not None
                assert second.served == replace(first.served, reused=True)
                await second.wait_until_up()
            await first.wait_until_up()
            assert first.restarts == 0

    asyncio.run(use())
    assert bench.starts() == 1
    assert any("already" in line for line in bench.said)


@pytest.mark.slow
def test_a_server_of_a_match_or_with_another_command_is_not_used(bench: Bench) -> None:
    async def use() -> None:
        order = bench.order()
        other = replace(order, argv=(*order.argv, "--stubborn"))
        async with bench.up(order), attach_shared(bench.order(), bench.said.append) as none:
            assert none is None
        shared = replace(order, shared=True)
        async with bench.up(shared), attach_shared(other, bench.said.append) as none:
            assert none is None

    asyncio.run(use())


@pytest.mark.slow
def test_a_shared_server_that_answers_no_more_is_not_used(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(replace(bench.order("well,mute"), shared=True)) as first:
            await post(first, "/die")
            async with attach_shared(bench.order(), bench.said.append) as none:
                assert none is None

    asyncio.run(use())


@pytest.mark.slow
@pytest.mark.parametrize("untrue", [{"model": "other"}, {"owner_since": 1}])
def test_an_entry_that_is_not_true_of_the_server_is_not_used(
    bench: Bench, untrue: dict[str, Any]
) -> None:
    async def use() -> None:
        async with bench.up(replace(bench.order(), shared=True)):
            [entry] = list_servers()
            register(replace(entry, **untrue), read_key(entry.port))
            async with attach_shared(bench.order(), bench.said.append) as none:
                assert none is None

    asyncio.run(use())


@pytest.mark.slow
def test_users_of_a_shared_server_learn_that_its_owner_stopped_it(bench: Bench) -> None:
    async def use() -> None:
        order = replace(bench.order(), shared=True)
        async with contextlib.AsyncExitStack() as owning:
            await owning.enter_async_context(bench.up(order))
            async with attach_shared(bench.order(), bench.said.append) as second:
                assert second is not None
                await owning.aclose()
                with pytest.raises(EngineError, match="stopped by its owner"):
                    await second.wait_until_up()

    asyncio.run(use())


@pytest.mark.slow
def test_what_a_killed_owner_left_in_the_list_is_removed(bench: Bench) -> None:
    with owner(bench, "well") as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert [entry.owner for entry in list_servers()] == [process.pid]
    assert list_servers() == []
    folder = bench.folder / "state" / "murder-arena" / "servers"
    (folder / "1.json").write_text("{", encoding="utf-8")
    assert list_servers() == []
    assert list(folder.iterdir()) == []


def test_the_port_and_the_part_of_the_memory_are_no_difference_between_commands(
    bench: Bench,
) -> None:
    order = bench.order()
    memory = replace(order, argv=(*order.argv, "--gpu-memory-utilization", "0.5"))
    less = replace(order, argv=(*order.argv, "--gpu-memory-utilization", "0.4"))
    other = replace(order, argv=(*order.argv, "--max-num-seqs", "0.4"))
    assert command_digest(order) == command_digest(bench.order())
    assert command_digest(memory) == command_digest(less)
    assert len({command_digest(each) for each in (order, memory, other)}) == 3


def test_an_engine_asks_nobody_and_finds_the_shim_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "mine")
    monkeypatch.setenv("VLLM_API_KEY", "of something else")
    env = engine_environment((("HF_HUB_OFFLINE", "1"), ("PYTHONPATH", "not this")), "secret")
    assert env["HF_HUB_OFFLINE"] == env["DO_NOT_TRACK"] == env["VLLM_NO_USAGE_STATS"] == "1"
    assert env["VLLM_HOST_IP"] == "127.0.0.1"
    assert env["ARENA_ENGINE_KEY"] == "secret"
    assert "VLLM_API_KEY" not in env
    shim, mine = env["PYTHONPATH"].split(os.pathsep)
    assert (Path(shim) / "sitecustomize.py").is_file()
    assert (Path(shim) / "engine_guard.py").is_file()
    assert mine == "mine"


DEATH = """\
(EngineCore pid=63) INFO 11-21 10:05:07 [default_loader.py:501] Loading weights took 0.01 seconds
(EngineCore pid=63) ERROR 11-21 10:05:08 [core.py:9] Traceback (most recent call last):
(EngineCore pid=63) ERROR 11-21 10:05:08 [core.py:9]   File "core.py", line 1, in run
(EngineCore pid=63) ERROR 11-21 10:05:08 [core.py:9] ValueError: no room for the KV cache
(APIServer pid=6) Traceback (most recent call last):
(APIServer pid=6)   File "api_server.py", line 1, in <module>
(APIServer pid=6) RuntimeError: Engine core initialization failed. See root cause above.
nanobind: leaked 64 types!
 - leaked type "triton._C.libtriton.ir.location"
See https://nanobind.readthedocs.io
"""


def test_the_cause_of_a_death_is_the_error_that_names_it() -> None:
    assert failure_cause(DEATH) == "ValueError: no room for the KV cache"
    assert failure_cause("api_server.py: error: unrecognized arguments: --fast") == (
        "api_server.py: error: unrecognized arguments: --fast"
    )
    assert failure_cause("INFO: one\n\nsecond\n") == "one | second"
    assert failure_cause("") == "the log is empty"


WRAPPED = """(APIServer pid=7) Traceback (most recent call last):
(APIServer pid=7)   File "dataclasses.py", line 121, in __init__
(APIServer pid=7) pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig
(APIServer pid=7)   Value error, '/m/y' was to hold Yi-VL, but lacks its vision tower [type=value_e
(APIServer pid=7)     For further information visit https://errors.pydantic.dev/2.14/v/value_error
"""


WORKER = """(Worker pid=49) ERROR 11-21 16:24:10 [multiproc_executor.py:953] ValueError: no tower
(EngineCore pid=48) ERROR 11-21 16:24:13 [core.py:15] Exception: WorkerProc initialization failed \
due to an exception in a background process. See stack trace for root cause.
(APIServer pid=47)     wait_for_engine_startup(
(APIServer pid=47) RuntimeError: Engine core initialization failed. See root cause above.
"""


def test_what_a_worker_died_of_is_the_cause_of_the_engines_death() -> None:
    assert failure_cause(WORKER) == "ValueError: no tower"
    assert startup_stage(WORKER) == "loading its libraries"


def test_an_error_that_only_counts_others_gives_way_to_the_one_it_wraps() -> None:
    assert failure_cause(WRAPPED) == "'/m/y' was to hold Yi-VL, but lacks its vision tower"
    later = f"{WRAPPED}torch.OutOfMemoryError: no room"
    assert failure_cause(later) == "torch.OutOfMemoryError: no room"
    alone = "ValidationError: 1 validation error for ModelConfig"
    assert failure_cause(alone) == alone


def test_each_stage_of_a_start_has_its_words() -> None:
    said = [
        "INFO 11-21 10:00:00 [config.py:1] Using max model len 32768",
        "INFO 11-21 10:00:01 [gpu.py:2] Starting to load model tiny",
        "INFO 11-21 10:00:02 [kv.py:3] CPU KV cache size: 1,048,576 tokens",
        "INFO:     Waiting for application startup.",
    ]
    told = [startup_stage("\n".join(said[:count])) for count in range(len(said) + 1)]
    assert told == [
        "loading its libraries",
        "reading the model's configuration",
        "loading the weights",
        "warming up",
        "opening its port",
    ]


def test_the_last_word_is_no_noise_and_has_no_prefix() -> None:
    loading, *rest = DEATH.splitlines()
    assert last_message(f"{loading}\n{rest[-1]}\n\n") == "Loading weights took 0.01 seconds"
    assert last_message('INFO:     127.0.0.1:465 - "GET /health HTTP/1.1" 200 OK') == ""


def test_only_the_newest_logs_are_kept() -> None:
    logs = [new_log("tiny", 0)]
    for port in range(1, 25):
        logs[-1].write_text("x", encoding="utf-8")
        os.utime(logs[-1], (port, port))
        logs.append(new_log("tiny", port))
    assert sorted(logs[0].parent.glob("*.log")) == sorted(logs[5:-1])
