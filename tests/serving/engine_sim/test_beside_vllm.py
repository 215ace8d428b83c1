"""The stand-in decides as vLLM's own scheduler does: same steps, same hits, same evictions."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from serving.standin.standin_cache import SHIM, standin_folder

ROOT = Path(__file__).parents[3]

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("vllm") is None, reason="vLLM is not installed here"),
]


def test_every_step_is_that_of_vllms_scheduler_on_random_requests() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.serving.engine_sim.beside_vllm", standin_folder(), "0", "40"],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(SHIM)]),
            "VLLM_LOGGING_LEVEL": "ERROR",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr[-2_000:]
    seen = json.loads(told.stdout.splitlines()[-1])
    assert seen["steps"] == 40 * 150
    assert min(seen["hits"], seen["evicted"], seen["encoded"], seen["preempted"]) > 20
