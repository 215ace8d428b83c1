"""A small load, and a router, for the comparison with routers."""

import sys
from dataclasses import replace
from pathlib import Path

from arena.bench.simulation.virtual_run import VirtualRun
from arena.bench.workload_shapes import WorkloadShape
from serving.engine_sim.cost_model.engine_profile import load_engine_profile

FAKE = Path(__file__).parents[2] / "fakes" / "router.py"
MATCHES = 4


def small_load() -> VirtualRun:
    """Return a load of seconds: two servers that take no time."""
    run = WorkloadShape(
        name="tiny",
        kv_tokens=60_000,
        scripts=2,
        words=(60,),
        seats=3,
        reply=20,
        matches=MATCHES,
        replicas=2,
        preset="short",
    ).make_run(0)
    return replace(run, profile=replace(load_engine_profile("instant"), kv_tokens=60_000))


def install_router(folder: Path) -> str:
    """Return a program in `folder` that is called as vllm-router is."""
    place = folder / "router"
    place.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n', encoding="utf-8")
    place.chmod(0o755)
    return str(place)
