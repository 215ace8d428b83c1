"""Comparison that a command line requests: the load, the engine, the arms."""

import asyncio
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Final

from PIL import Image

from arena.bench.arm_comparison import (
    ArmFigures,
    ComparisonResult,
    PlayArm,
    compare,
    compute_figures,
    live_levels,
)
from arena.bench.arms import ARMS, Arm, choose_arms
from arena.bench.number_checks import check_count
from arena.bench.servers.bench_servers import (
    SERVED_MODEL,
    LogLine,
    find_servers,
    open_servers,
    start_servers,
)
from arena.bench.simulation.simulated_chat import ReplyStyle
from arena.bench.simulation.virtual_run import VirtualRun, play_virtual
from arena.bench.workload_shapes import SHAPES, WorkloadShape
from arena.errors import ConfigError, ModelError
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.run.run_scripts import load_scripts
from arena.run.servers.model_pool import PictureStore
from scripts_mm.script import Picture
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.errors import unwrap_group
from serving.host.hardware import detect
from serving.resolution.endpoints import NamedEndpoint

VIRTUAL: Final = "virtual"
ENGINES: Final = (VIRTUAL, "sim", "cpu", "cuda")
QUICK_SHAPE: Final = WorkloadShape(
    name="quick", kv_tokens=60_000, scripts=2, words=(800,), seats=4, reply=60, matches=12,
    preset="short",
)  # fmt: skip
"""Also the load of real servers if none is named."""
_DEFAULT_SHAPE: Final = "7b, 100k"
_ENGINE_PROFILE: Final = "h200-qwen2.5-vl-7b"
_MODELS: Final = {"cpu": "stand-in", "cuda": "qwen"}
_REPLY_TOKENS: Final = 120
"""Mean tokens of a reply to a written script, in virtual time and on a simulated server."""
_PICTURE_TOKENS: Final = 1_000
"""Tokens of its pictures there."""
_MIN_BLOCKS: Final = 8
_MAX_BLOCKS: Final = 10**8
_MAX_REPEATS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughputArgs:
    """Arguments of the command line; empty: not given."""

    quick: bool = False
    shape: str = ""
    scripts: tuple[str, ...] = ()
    game: str = ""
    preset: str = ""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    matches: int | None = None
    """Matches of each script."""
    url: str = ""
    engine: str = ""
    """One of `ENGINES`, optionally with a name as in `sim:h200-qwen2.5-vl-32b` or `cuda:qwen`."""
    kv_blocks: int | None = None
    repeat: int = 5
    arms: tuple[str, ...] = ()
    static: int | None = None
    """Live matches of `static_best`; None: the best of a sweep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughputPlan:
    """Validated plan of a comparison."""

    name: str
    """Name of the load."""
    run: VirtualRun
    arms: tuple[Arm, ...]
    args: ThroughputArgs
    engine: str
    model: str
    servers: NamedEndpoint | None
    """Servers that are already running."""
    pictures: PictureStore

    @property
    def matches(self) -> int:
        """Return the number of matches of a play."""
        return self.run.matches * len(self.run.scripts)


def prepare(wanted: ThroughputArgs) -> ThroughputPlan:
    """Return the validated plan, or raise `ConfigError`, `ScriptError` or `ServingError`."""
    kind, _, model = (wanted.engine or VIRTUAL).partition(":")
    _check_args(wanted, kind)
    name, run, pictures = (
        _script_workload(wanted) if wanted.scripts or wanted.game else _shape_workload(wanted, kind)
    )
    if model and kind in {VIRTUAL, "sim"}:
        run = replace(run, profile=load_engine_profile(model))
    if wanted.kv_blocks is not None:
        cut = replace(run.profile, kv_tokens=wanted.kv_blocks * run.profile.block)
        run = replace(run, profile=cut)
    if wanted.matches is not None:
        run = replace(run, matches=check_count("--matches", wanted.matches))
    return ThroughputPlan(
        name=name,
        run=run,
        arms=choose_arms(wanted.arms),
        args=wanted,
        engine="" if wanted.url else kind,
        model=model or _MODELS.get(kind, ""),
        servers=find_servers(wanted.url) if wanted.url else None,
        pictures=pictures,
    )


def run_comparison(bench: ThroughputPlan, say: LogLine) -> ComparisonResult:
    """Play all arms. Raises `ArenaError` or `ServingError` if the servers fail."""
    with unwrap_group():
        played = _run_virtual(bench, say) if bench.engine == VIRTUAL else _run_http(bench, say)
        compared = asyncio.run(played)
    figures = [one for run in compared.runs.values() for one in run]
    if figures and not any(one.finished for one in figures):
        raise ModelError(f"no match was played to a verdict: {figures[0].fault}")
    return compared


def find_shape(name: str) -> WorkloadShape:
    """Return the shape called `name`, or raise `ConfigError`."""
    found = {one.name: one for one in (*SHAPES, QUICK_SHAPE)}
    if name not in found:
        raise ConfigError(f"no shape {name!r}; there are: {'; '.join(found)}")
    return found[name]


def play_arm(run: VirtualRun, arm: Arm, seed: int) -> ArmFigures:
    """Play `run` in `arm` in virtual time; seeds vary the roles, the replies and their lengths."""
    seeded = replace(run, seed=seed, style=replace(run.style, seed=seed))
    return compute_figures(play_virtual(seeded, arm.policy, client=arm.client))


async def _run_virtual(bench: ThroughputPlan, say: LogLine) -> ComparisonResult:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor() as pool:

        async def play(arm: Arm, seed: int) -> ArmFigures:
            say(f"{arm.name}, repetition {seed + 1}")
            return await loop.run_in_executor(pool, play_arm, bench.run, arm, seed)

        lacking = {
            arm.name: "in virtual time nothing is sent"
            for arm in bench.arms
            if arm.transport == "chat"
        }
        compared = await _compare(bench, play, lacking, at_once=os.cpu_count() or 1)
    profile = bench.run.profile
    server = {"engine": profile.name, "virtual_time": True, "kv_tokens": profile.kv_tokens}
    return replace(compared, server={**server, "block": profile.block})


async def _run_http(bench: ThroughputPlan, say: LogLine) -> ComparisonResult:
    hardware, run = detect(), bench.run
    load = run.make_workload(SERVED_MODEL)
    async with AsyncExitStack() as stack:
        endpoint = bench.servers or await stack.enter_async_context(
            start_servers(
                bench.engine,
                bench.model,
                run,
                blocks=bench.args.kv_blocks,
                hardware=hardware,
                say=say,
            )
        )
        served = await stack.enter_async_context(
            open_servers(endpoint, load, hardware, bench.pictures)
        )
        lacking = {arm.name: why for arm in bench.arms if (why := served.find_missing_feature(arm))}

        async def play(arm: Arm, seed: int) -> ArmFigures:
            say(f"{arm.name}, repetition {seed + 1}")
            return await served.play(replace(run, seed=seed).make_workload(SERVED_MODEL), arm)

        say("warming up")
        await play(ARMS["gather_32"], bench.args.repeat)
        compared = await _compare(bench, play, lacking)
    cold = "reset caches" if served.has_reset else "salts"
    return replace(compared, server={**served.details, "cold_by": cold})


async def _compare(
    bench: ThroughputPlan, play: PlayArm, lacking: Mapping[str, str], *, at_once: int = 1
) -> ComparisonResult:
    compared = await compare(
        [arm for arm in bench.arms if arm.name not in lacking],
        play,
        repeat=bench.args.repeat,
        levels=tuple(live_levels(bench.matches, bench.run.replicas)),
        static=bench.args.static,
        at_once=at_once,
    )
    return replace(compared, skipped=lacking)


def _check_args(wanted: ThroughputArgs, kind: str) -> None:
    if kind not in ENGINES or wanted.engine.endswith(":"):
        raise ConfigError(
            f"an engine must be one of {', '.join(ENGINES)}, or for example sim:PROFILE or "
            f"cuda:MODEL; got {wanted.engine!r}"
        )
    if wanted.url and (wanted.engine or wanted.kv_blocks is not None):
        raise ConfigError("--url measures a running server; leave out --engine and --kv-blocks")
    is_written = bool(wanted.scripts or wanted.game)
    if is_written + bool(wanted.shape) + wanted.quick > 1:
        raise ConfigError("only one load fits; give --quick, --shape, or --script with --game")
    if not is_written and (wanted.preset or wanted.options):
        raise ConfigError("--preset and --option need --script or --game; a shape has its own")
    if wanted.kv_blocks is not None:
        check_count("--kv-blocks", wanted.kv_blocks, _MIN_BLOCKS, _MAX_BLOCKS)
    if wanted.static is not None:
        check_count("--static", wanted.static)
    check_count("--repeat", wanted.repeat, most=_MAX_REPEATS)


def _shape_workload(wanted: ThroughputArgs, kind: str) -> tuple[str, VirtualRun, PictureStore]:
    """Return a shape, with rendered pictures if a server needs them."""
    is_small = wanted.quick or kind != VIRTUAL or wanted.url
    shape = find_shape(wanted.shape or (QUICK_SHAPE.name if is_small else _DEFAULT_SHAPE))
    return (
        shape.name,
        shape.make_run(0),
        PictureStore(read=_render_picture, save=lambda _sha, _data: None),
    )


def _script_workload(wanted: ThroughputArgs) -> tuple[str, VirtualRun, PictureStore]:
    rules = find_game(wanted.game or DEFAULT)
    loaded = load_scripts(rules, wanted.scripts, None)
    saved: dict[str, bytes] = {}
    files = {one.sha256: (script, one) for script in loaded for one in script.script.pictures}

    def read(picture: Picture) -> bytes:
        if picture.sha256 in saved:
            return saved[picture.sha256]
        script, there = files[picture.sha256]
        return script.read_picture(there)

    run = VirtualRun(
        game=rules.name,
        options=read_options(rules, wanted.preset or "default", wanted.options),
        scripts=tuple(one.script for one in loaded),
        matches=1,
        profile=load_engine_profile(_ENGINE_PROFILE),
        style=ReplyStyle(tokens=_REPLY_TOKENS),
        picture_tokens=_PICTURE_TOKENS,
    )
    return (
        ", ".join(script.id for script in run.scripts),
        run,
        PictureStore(read=read, save=saved.__setitem__),
    )


def _render_picture(picture: Picture) -> bytes:
    """Return a PNG of the picture's size in a colour derived from it."""
    colour = tuple(bytes.fromhex(picture.sha256)[:3])
    out = BytesIO()
    Image.new("RGB", (picture.width, picture.height), colour).save(out, "PNG")
    return out.getvalue()
