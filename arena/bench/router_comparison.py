"""Routers between a plain client and simulated servers, compared with admission.

Every arm sends chat completions, so that arms differ only in scheduling.
"""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.bench.arm_comparison import ArmFigures, ComparisonResult, compare
from arena.bench.arms import ARMS, OURS, Arm, choose_arms
from arena.bench.servers.bench_servers import (
    SERVED_MODEL,
    LogLine,
    open_servers,
    reset_caches,
    start_servers,
)
from arena.bench.servers.router_process import (
    ProgramUnit,
    calibrate_scheduling,
    open_program_proxy,
    open_router,
)
from arena.bench.simulation.virtual_run import VirtualRun
from arena.bench.workload_shapes import WorkloadShape
from arena.errors import ConfigError
from arena.run.servers.connected_model import NO_PICTURES
from serving.errors import unwrap_group
from serving.host.hardware import detect
from serving.resolution.endpoints import NamedEndpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterArm:
    """An arm, and the router for its requests."""

    arm: Arm
    policy: str = ""
    """Policy of the router; empty: no router, the client knows all servers."""
    program: ProgramUnit | None = None
    """Unit that the router schedules; None: it forwards every request immediately."""


def _make_direct_arm(name: str) -> RouterArm:
    return RouterArm(arm=replace(ARMS[name], transport="chat"))


def _make_router_arm(name: str, policy: str, program: ProgramUnit | None = None) -> RouterArm:
    about = f"all matches live, behind a router with the policy {policy}"
    about += f", which schedules programs: each a {program}" if program else ""
    arm = replace(ARMS["all_at_once"], name=name, about=about, transport="chat")
    return RouterArm(arm=arm, policy=policy, program=program)


_ALL: Final = (
    _make_direct_arm(OURS),
    _make_direct_arm("all_at_once"),
    _make_router_arm("router_cache_aware", "cache_aware"),
    _make_router_arm("router_sticky", "sticky_least_loaded"),
    _make_router_arm("router_program", "cache_aware", "match"),
    _make_router_arm("router_program_seat", "cache_aware", "seat"),
)
ROUTER_ARMS: Final[Mapping[str, RouterArm]] = {one.arm.name: one for one in _ALL}
"""All arms by name."""


def make_router_run(replicas: int, matches: int) -> VirtualRun:
    """Return the load of the comparison on `replicas` servers, `matches` for each of them."""
    return WorkloadShape(
        name="routers",
        kv_tokens=120_000,
        scripts=6,
        words=(5_000,),
        seats=4,
        reply=60,
        matches=matches * replicas,
        replicas=replicas,
        preset="short",
    ).make_run(0)


def compare_routers(
    run: VirtualRun, arms: Sequence[str], router: str, *, repeat: int, say: LogLine
) -> ComparisonResult:
    """Play `run` in each of `arms` `repeat` times, alternating; empty: in all arms.

    `router`: vllm-router or a program with its flags, restarted for each play; the servers' caches
    are emptied. Raises `ConfigError` if there is no such program or arm, `EngineError` if it or a
    server does not start.
    """
    chosen = choose_arms(arms, ROUTER_ARMS)
    program = shutil.which(router)
    if program is None and any(one.policy for one in chosen):
        raise ConfigError(
            f"the router {router!r} is not a program on PATH; install it (pip install "
            "vllm-router, in a separate environment) and give its path with --router"
        )
    with unwrap_group():
        return asyncio.run(_compare(run, chosen, program or "", repeat, say))


async def _compare(
    run: VirtualRun, chosen: Sequence[RouterArm], program: str, repeat: int, say: LogLine
) -> ComparisonResult:
    hardware, scheduling = detect(), calibrate_scheduling(run.profile)
    async with (
        start_servers("sim", "", run, blocks=None, hardware=hardware, say=say) as servers,
        open_servers(servers, run.make_workload(SERVED_MODEL), hardware, NO_PICTURES) as direct,
    ):

        async def play(arm: Arm, seed: int) -> ArmFigures:
            say(f"{arm.name}, repetition {seed + 1}")
            load = replace(run, seed=seed * run.matches).make_workload(SERVED_MODEL)
            routed = ROUTER_ARMS[arm.name]
            if not routed.policy:
                return await direct.play(load, arm)
            await reset_caches(servers)
            async with (
                open_router(
                    program,
                    servers.urls,
                    policy=routed.policy,
                    scheduling=scheduling if routed.program else None,
                ) as url,
                open_program_proxy(url, routed.program) as named,
                open_servers(
                    NamedEndpoint(name=SERVED_MODEL, url=named), load, hardware, NO_PICTURES
                ) as served,
            ):
                # The metrics of a router are those of only one of its servers.
                return replace(await served.play(load, arm), preemptions=None)

        compared = await compare([one.arm for one in chosen], play, repeat=repeat, levels=())
    server = {"engine": run.profile.name, "kv_tokens": run.profile.kv_tokens, "router": program}
    return replace(
        compared,
        server={**server, "replicas": run.replicas, "matches": run.matches * len(run.scripts)},
    )
