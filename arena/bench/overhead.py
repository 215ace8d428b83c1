"""CPU cost of a turn: real matches against an instant server, compared with a bare client.

The measurement covers rules, players, prompts, records and HTTP: all that `arena match` does in
this process; the server is another process, so its work is not counted. Milliseconds differ between
machines, so a bare client posts the same bodies to the same server, alternating with the arena, and
changes are judged by the ratio of the two.
"""

import gc
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from arena.bench.arm_comparison import percentile
from arena.bench.filler_script import make_filler_script
from arena.bench.loop_lag import measure_loop_lag
from arena.bench.servers.bare_client import replay_requests
from arena.bench.servers.proxy import ProxiedRequest, open_proxy
from arena.bench.workload import is_finished
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.models.chat import Completion, Request
from arena.records.run_config import RunConfig, Transport, make_pairs
from arena.run.launch import RunResult, script_ref, start_run
from arena.run.observer import BaseObserver, PlannedMatch
from scripts_mm.script_folder import LoadedScript, load_script, save_script
from serving.engine_sim.sim_server import run_simulator_process

_MANY = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class OverheadWorkload:
    """Load: number and size of matches, and the transport."""

    matches: int
    words: int
    """Words of each private script; the tokens of prompts are measured."""
    seats: int = 4
    scripts: int = 4
    transport: Transport = "auto"
    concurrency: int = 8
    """Number of live matches. A few suffice to keep an instant server busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overhead:
    """Measured costs. CPU is that of this process, over all its threads.

    Figures other than CPU are those of the first repetition.
    """

    transport: str
    matches: int
    finished: int
    turns: int
    prompt_tokens: float
    """Mean tokens of a prompt."""
    cpu_ms_per_turn: float
    """Median of the repetitions, like the next two."""
    bare_cpu_ms_per_turn: float = 0.0
    """CPU of a client that posts the same bodies and parses the replies."""
    cpu_ratio: float = 0.0
    """CPU of the arena over that of the bare client, from consecutive runs."""
    cpu_ratio_low: float = 0.0
    cpu_ratio_high: float = 0.0
    turns_per_s: float
    loop_lag_p99_ms: float
    bytes_per_planned_match: float | None
    """Resident memory of the plan per match; None if there are too few matches to measure it."""
    rss_mb: float
    seconds: float


@dataclass(slots=True)
class _OverheadObserver(BaseObserver):
    """Observer that counts turns only."""

    turns: int = 0
    tokens: int = 0
    began: float = 0.0
    cpu: float = 0.0
    before: int = 0
    parked: int = 0
    lags: list[float] = field(default_factory=list[float])

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Start counting: everything is planned, and nothing has started."""
        gc.collect()
        self.planned = _rss() - self.before
        self.lags.clear()
        self.began, self.cpu = time.perf_counter(), time.process_time()

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Count a turn."""
        self.turns += 1
        self.tokens += completion.prompt_tokens


SIZES = ((100, "chat"), (100, "tokens"), (9_000, "chat"), (9_000, "tokens"))
"""Words of a private script, and the transport; prompts have about 1,500 tokens more."""
_GAME = find_game(DEFAULT)
_PRESET = "short"
"""With it a match has one round, as in all earlier measurements."""
_OPTIONS = {"speech_words": "150", "option_order": "script"}
"""The values from before game options could shuffle choices: figures stay comparable."""
_MODEL = "simulated"
_REPLY_TOKENS = 60
_CONTEXT = 65_536
_KV_TOKENS = 32_000_000


async def measure_simulated(
    load: OverheadWorkload, tokenizer: Path | None, *, repeat: int
) -> Overhead:
    """Play `load` and post its requests again, alternating `repeat` times, on a simulated server.

    `tokenizer`: the model's folder, required for token ids. Raises `EngineError` if the server does
    not start, `ConfigError` for token ids without tokenizer.
    """
    words = ["--reply-tokens", _REPLY_TOKENS, "--context", _CONTEXT, "--kv-tokens", _KV_TOKENS]
    if tokenizer is not None and load.transport != "chat":
        words += ["--tokenizer", tokenizer]
    async with run_simulator_process("instant", [str(word) for word in words]) as url:
        with TemporaryDirectory() as folder:
            return await _compare(load, url, Path(folder), repeat)


async def _compare(load: OverheadWorkload, url: str, folder: Path, repeat: int) -> Overhead:
    arena, bare = list[Overhead](), list[float]()
    posts: Sequence[ProxiedRequest] = ()
    for number in range(repeat):
        arena.append(await _measure(load, url, folder / str(number)))
        posts = posts or await record_requests(load, url, folder / "recorded")
        gc.collect()
        seconds = await replay_requests(url, posts, in_flight=load.concurrency)
        bare.append(1000 * seconds / len(posts))
    ratios = [one.cpu_ms_per_turn / other for one, other in zip(arena, bare, strict=True)]
    return replace(
        arena[0],
        cpu_ms_per_turn=median(one.cpu_ms_per_turn for one in arena),
        bare_cpu_ms_per_turn=median(bare),
        cpu_ratio=median(ratios),
        cpu_ratio_low=min(ratios),
        cpu_ratio_high=max(ratios),
    )


async def record_requests(
    load: OverheadWorkload, url: str, folder: Path
) -> Sequence[ProxiedRequest]:
    """Return the requests that the arena posts for `load`; replies do not depend on the run."""
    posts: list[ProxiedRequest] = []

    def record(post: ProxiedRequest) -> ProxiedRequest:
        posts.append(post)
        return post

    async with open_proxy(url, record) as proxy:
        await _measure(load, proxy, folder)
    return posts


async def _measure(load: OverheadWorkload, url: str, folder: Path) -> Overhead:
    """Play `load` against the server at `url` and return its costs; `folder` gets the record."""
    loaded = _make_scripts(load, folder / "scripts")
    each = -(-load.matches // len(loaded))
    model = f"{url}/v1#{_MODEL}"
    config = RunConfig(
        pairs=make_pairs(model, model),
        scripts=tuple(script_ref(one) for one in loaded),
        game=_GAME.name,
        options=read_options(_GAME, _PRESET, _OPTIONS),
        matches=each,
        transport=load.transport,
    )
    counter = _OverheadObserver()
    gc.collect()
    counter.before = _rss()
    async with measure_loop_lag() as counter.lags:
        result = await start_run(
            config, loaded, folder / "run", concurrency=load.concurrency, observer=counter
        )
    return _summarise(load, counter, result)


def _summarise(load: OverheadWorkload, counter: _OverheadObserver, result: RunResult) -> Overhead:
    seconds = time.perf_counter() - counter.began
    cpu = time.process_time() - counter.cpu
    matches = len(result.results)
    return Overhead(
        transport=load.transport,
        matches=matches,
        finished=sum(map(is_finished, result.results)),
        turns=counter.turns,
        prompt_tokens=counter.tokens / max(counter.turns, 1),
        cpu_ms_per_turn=1000 * cpu / max(counter.turns, 1),
        turns_per_s=counter.turns / seconds,
        loop_lag_p99_ms=1000 * percentile(sorted(counter.lags), 0.99),
        bytes_per_planned_match=counter.planned / matches if matches >= _MANY else None,
        rss_mb=_rss() / 1e6,
        seconds=seconds,
    )


def _make_scripts(load: OverheadWorkload, folder: Path) -> Sequence[LoadedScript]:
    loaded: list[LoadedScript] = []
    for number in range(min(load.scripts, load.matches)):
        script = make_filler_script(seats=load.seats, words=load.words, number=number)
        save_script(script, {}, folder / script.id)
        loaded.append(load_script(folder / script.id))
    return loaded


def _rss() -> int:
    return psutil.Process(os.getpid()).memory_info().rss
