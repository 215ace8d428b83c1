"""CPU cost of a turn: real matches against a server that answers at once, beside a bare client.

Rules, players, prompts, records, the wire: all that `arena match` does, in this process; the
server is another process, so that its work is not counted here. Milliseconds differ between
machines, so a bare client posts the same bodies to the same server in turn with the arena, and the
ratio of the two is what a change is judged by.
"""

import asyncio
import gc
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from arena.bench.filler_script import make_filler_script
from arena.bench.servers.bare_client import ProxiedRequest, open_recording_proxy, replay_requests
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary
from arena.records.run_config import RunConfig, Transport, make_pairs
from arena.run.launch import RunResult, script_ref, start_run
from arena.run.observer import BaseObserver, PlannedMatch
from scripts_mm.script_folder import LoadedScript, load_script, save_script
from serving.engine_sim.sim_server import run_simulator_process

_MANY = 1000
_TICK = 0.02
"""Seconds between two looks at whether the event loop is free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverheadWorkload:
    """What is played: how many matches, of what size, asked in which way."""

    matches: int
    words: int
    """Of each private script; the tokens of prompts are measured."""
    seats: int = 4
    scripts: int = 4
    transport: Transport = "auto"
    concurrency: int = 8
    """Matches that are live at once. A server that answers at once is kept busy by few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overhead:
    """What was measured. CPU is this process's, all its threads together.

    Other figures than CPU are those of the first repetition.
    """

    transport: str
    matches: int
    finished: int
    turns: int
    prompt_tokens: float
    """Of a turn, on average."""
    cpu_ms_per_turn: float
    """Median of the repetitions, as the next two."""
    bare_cpu_ms_per_turn: float = 0.0
    """Of a client that posts the same bodies and parses the replies."""
    cpu_ratio: float = 0.0
    """CPU of the arena by that of the bare client, of two runs next to each other."""
    cpu_ratio_low: float = 0.0
    cpu_ratio_high: float = 0.0
    turns_per_s: float
    loop_lag_p99_ms: float
    bytes_per_parked_match: float | None
    """Resident memory that the plan took, by match; None where they are too few to tell."""
    peak_rss_mb: float
    seconds: float


@dataclass(slots=True)
class _OverheadObserver(BaseObserver):
    """Counts turns and matches, and keeps nothing else."""

    turns: int = 0
    tokens: int = 0
    ended_well: int = 0
    began: float = 0.0
    cpu: float = 0.0
    before: int = 0
    parked: int = 0
    lags: list[float] = field(default_factory=list[float])

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Start to count: everything is planned, and nothing has started."""
        gc.collect()
        self.parked = _rss() - self.before
        self.lags.clear()
        self.began, self.cpu = time.perf_counter(), time.process_time()

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Count a turn."""
        self.turns += 1
        self.tokens += completion.prompt_tokens

    def on_match_end(self, summary: MatchSummary) -> None:
        """Count a match."""
        self.ended_well += summary.outcome not in {"error", "forfeit"}


SIZES = ((100, "chat"), (100, "tokens"), (9_000, "chat"), (9_000, "tokens"))
"""Words of a private script, and how the model is asked; prompts have about 1,500 tokens more."""
_GAME = find_game(DEFAULT)
_PRESET = "short"
"""With it a match has one round, as in all measurements so far."""
_OPTIONS = {"speech_words": "150", "option_order": "script"}
"""The values before game options could draw the order of choices: figures stay comparable."""
_MODEL = "simulated"
_REPLY_TOKENS = 60
_CONTEXT = 65_536
_KV_TOKENS = 32_000_000


async def measure_simulated(
    load: OverheadWorkload, tokenizer: Path | None, *, repeat: int
) -> Overhead:
    """Play `load` and post its requests again, `repeat` times each in turn, to a simulated server.

    `tokenizer`: the model's folder, without which it cannot be asked with token ids. Raises
    `EngineError` where the server does not start, `ConfigError` for token ids without tokenizer.
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
    """Return what the arena posts when it plays `load`; replies do not depend on the run."""
    async with open_recording_proxy(url) as (proxy, posts):
        await _measure(load, proxy, folder)
        return posts


async def _measure(load: OverheadWorkload, url: str, folder: Path) -> Overhead:
    """Play `load` against the server at `url` and return what it cost; `folder` gets the record."""
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
    async with asyncio.TaskGroup() as group:
        ticking = group.create_task(_record_lag(counter.lags))
        result = await start_run(
            config, loaded, folder / "run", concurrency=load.concurrency, observer=counter
        )
        ticking.cancel()
    return _summarise(load, counter, result)


def _summarise(load: OverheadWorkload, counter: _OverheadObserver, result: RunResult) -> Overhead:
    seconds = time.perf_counter() - counter.began
    cpu = time.process_time() - counter.cpu
    lags = sorted(counter.lags)
    matches = len(result.results)
    return Overhead(
        transport=load.transport,
        matches=matches,
        finished=counter.ended_well,
        turns=counter.turns,
        prompt_tokens=counter.tokens / max(counter.turns, 1),
        cpu_ms_per_turn=1000 * cpu / max(counter.turns, 1),
        turns_per_s=counter.turns / seconds,
        loop_lag_p99_ms=1000 * lags[int(0.99 * (len(lags) - 1))] if lags else 0.0,
        bytes_per_parked_match=counter.parked / matches if matches >= _MANY else None,
        peak_rss_mb=_rss() / 1e6,
        seconds=seconds,
    )


def _make_scripts(load: OverheadWorkload, folder: Path) -> Sequence[LoadedScript]:
    loaded: list[LoadedScript] = []
    for number in range(min(load.scripts, load.matches)):
        script = make_filler_script(seats=load.seats, words=load.words, number=number)
        save_script(script, {}, folder / script.id)
        loaded.append(load_script(folder / script.id))
    return loaded


async def _record_lag(lags: list[float]) -> None:
    """Note how much later than wanted the event loop comes round."""
    loop = asyncio.get_running_loop()
    while True:
        wanted = loop.time() + _TICK
        await asyncio.sleep(_TICK)
        lags.append(loop.time() - wanted)


def _rss() -> int:
    return psutil.Process(os.getpid()).memory_info().rss
