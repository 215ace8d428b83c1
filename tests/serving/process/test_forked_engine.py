"""The server whose engine is a fork of it, with a vLLM that only says what it finds."""

import json
import os
import subprocess

import pytest

from serving.process.engine_args import FORKED_ENGINE
from serving.standin.standin_cache import SHIM

TORCH = """
THREADS = []
set_num_threads = THREADS.append
"""
UTILS = """
import multiprocessing

def get_mp_context():
    return multiprocessing.get_context("spawn")
"""
ENTRY = """
import asyncio, gc, importlib.util, json, os, signal, socket, sys
import torch
from vllm.v1.engine import utils

COLLECTED_ON_IMPORT = gc.isenabled()

def setup_server(args, *, reuse_port):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    return args, listener

def say(who):
    print(json.dumps({
        "who": who,
        "argv": sys.argv[1:],
        "found": [name for name in ("scipy", "sklearn") if importlib.util.find_spec(name)],
        "collects": gc.isenabled(),
        "collected_on_import": COLLECTED_ON_IMPORT,
        "frozen": gc.get_freeze_count() > 0,
        "threads": torch.THREADS,
        "openmp": os.environ["OMP_NUM_THREADS"],
        "multiprocessing": os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"],
        "imports": IMPORTS,
        "listens": LISTENER.fileno() >= 0,
        "wakes": WAKING != -1 and signal.set_wakeup_fd(WAKING) == WAKING,
    }), flush=True)

IMPORTS = 0

def engine():
    say("engine")

async def serve():
    global LISTENER, WAKING, IMPORTS
    IMPORTS += 1
    address, LISTENER = setup_server("address", reuse_port=False)
    assert address == "address"
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, print)
    WAKING = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(WAKING)
    process = utils.get_mp_context().Process(target=engine)
    process.start()
    process.join()
    assert process.exitcode == 0
    say("server")

def main():
    asyncio.run(serve())
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """Start the server; return what it and its engine say of themselves."""
    folder = tmp_path_factory.mktemp("site")
    files = {
        "torch.py": TORCH,
        "vllm/entrypoints/launchers/api_server/entry.py": ENTRY,
        "vllm/v1/engine/utils.py": UTILS,
        "vllm/v1/engine/async_llm.py": "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    # Without it the folder would be no package, and the installed one be found instead.
    (folder / "vllm" / "__init__.py").touch()
    path = os.pathsep.join([str(SHIM), str(folder)])
    done = subprocess.run(
        [*FORKED_ENGINE, "--model", "m"],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "7"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return {line["who"]: line for line in map(json.loads, done.stdout.splitlines())}


def test_the_libraries_are_imported_once(told: dict[str, dict[str, object]]) -> None:
    assert told["server"]["imports"] == told["engine"]["imports"] == 1
    assert told["server"]["argv"] == told["engine"]["argv"] == ["--model", "m"]


def test_the_engine_does_the_work_of_its_worker(told: dict[str, dict[str, object]]) -> None:
    assert told["engine"]["multiprocessing"] == "0"


def test_no_thread_of_openmp_is_lost_in_the_fork(told: dict[str, dict[str, object]]) -> None:
    assert told["server"]["openmp"] == "1"
    assert told["server"]["threads"] == []
    assert told["engine"]["threads"] == [max(1, len(os.sched_getaffinity(0)) - 1)]


def test_the_socket_and_the_signals_of_the_server_are_its_own(
    told: dict[str, dict[str, object]],
) -> None:
    assert told["server"]["listens"]
    assert told["server"]["wakes"]
    assert not told["engine"]["listens"]
    assert not told["engine"]["wakes"]


@pytest.mark.parametrize("who", ["server", "engine"])
def test_garbage_is_collected_but_not_while_modules_are_imported(
    told: dict[str, dict[str, object]], who: str
) -> None:
    assert told[who]["collects"]
    assert told[who]["frozen"]
    assert not told[who]["collected_on_import"]


@pytest.mark.parametrize("who", ["server", "engine"])
def test_packages_that_serving_never_needs_are_not_found(
    told: dict[str, dict[str, object]], who: str
) -> None:
    assert told[who]["found"] == []
