"""How much of a cache to promise: `ours` at fixed alphas, adapting, and with wrong projections.

In virtual time on the simulated engine, beside the best fixed number of live matches.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from arena.bench.arms import ARMS, OURS, STATIC
from arena.bench.bounds import check_count
from arena.bench.compare import fine_levels
from arena.bench.faults import one_fault
from arena.bench.in_process import InProcess
from arena.bench.measure import metered
from arena.bench.offers import Stage, staged
from arena.bench.replay import Replayed, Setting, replay
from arena.bench.sources import QUICK, QUICK_KV_TOKENS, trace_from
from arena.bench.synthetic import synthetic_trace
from arena.bench.trace import Trace
from arena.schedule.admission import AdmissionPolicy
from arena.schedule.overcommit import OvercommitController
from serving.engine_sim.profile import EngineProfile, load_engine_profile
from serving.engine_sim.virtual import run_virtual

ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5)
PEAKS = (0.5, 1.0, 1.5)
"""By what projections are multiplied: too low by half, right, too high by half."""
EVERYTHING = "ours_without_admission"
_MOST_KV_TOKENS = 10**9
"""More than all memory of a rack of GPUs holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One replay of the sweep."""

    arm: str
    alpha: float | None
    """Where it stayed, or began where it adapts; None without admission."""
    adapts: bool
    peaks: float
    live: int
    """The most matches at once."""
    alpha_at_end: float | None
    matches_per_h: float
    hit_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What to try: a trace on a simulated engine."""

    trace: Trace
    profile: EngineProfile
    seed: int = 0


def swept(
    *, trace: str, profile: str, kv_tokens: int | None, say: Callable[[str], None]
) -> tuple[Tried, ...]:
    """Play the sweep that a command line names, in virtual time.

    `trace`: empty for that of `arena bench throughput --quick`, whose cache is small unless
    `kv_tokens` says otherwise. Raises `ConfigError` and `ServingError` for words that are wrong.
    """
    engine = load_engine_profile(profile)
    if kv_tokens is None and not trace:
        kv_tokens = QUICK_KV_TOKENS
    if kv_tokens is not None:
        check_count("--kv-tokens", kv_tokens, 2 * engine.block, _MOST_KV_TOKENS)
        engine = replace(engine, kv_tokens=kv_tokens)
    played = trace_from(trace) if trace else synthetic_trace(QUICK)
    with one_fault():
        return run_virtual(tried(Sweep(trace=played, profile=engine), say))


async def tried(sweep: Sweep, say: Callable[[str], None]) -> tuple[Tried, ...]:
    """Play all of the sweep, in the time of the loop that it runs on."""
    play = _Play(sweep, say)
    everything = await play(EVERYTHING, None, peaks=1.0)
    statics: list[Tried] = []
    for level in fine_levels(len(sweep.trace.matches)):
        statics.append(await play(STATIC, None, peaks=1.0, static=level))
        best = max(statics, key=lambda one: one.matches_per_h)
        if level >= 3 * best.live:
            break
    found = [everything, *statics]
    adapting = [
        await play(OURS, OvercommitController(), peaks=peaks, adapts=True) for peaks in PEAKS
    ]
    fixed = [
        await play(OURS, _fixed(alpha), peaks=peaks, adapts=False)
        for alpha in ALPHAS
        for peaks in PEAKS
    ]
    return (*found, *adapting, *fixed)


def _fixed(value: float) -> OvercommitController:
    usual = OvercommitController()
    return OvercommitController(value=value, low=min(value, usual.low), high=max(value, usual.high))


class _Play:
    def __init__(self, sweep: Sweep, say: Callable[[str], None]) -> None:
        self._sweep, self._say = sweep, say
        self._wire = InProcess(sweep.trace, sweep.profile)
        self._stages: Mapping[float, Stage] = {
            peaks: staged(sweep.trace, peaks=peaks, exact=True) for peaks in PEAKS
        }

    async def __call__(
        self,
        arm: str,
        alpha: OvercommitController | None,
        *,
        peaks: float,
        adapts: bool = False,
        static: int = 1,
    ) -> Tried:
        self._say(f"{arm}, alpha {alpha.value if alpha else '-'}, projections x {peaks:g}")
        policy = AdmissionPolicy(overcommit=alpha or OvercommitController(), adapt=adapts)
        setting = Setting(seed=self._sweep.seed, static=static, policy=policy, keep_prompts=False)
        await self._wire.begin()
        async with metered(self._wire) as meter:
            came = await replay(
                self._stages[peaks], ARMS[arm], self._wire, setting, ended=meter.ended
            )
        return Tried(
            arm=arm,
            alpha=alpha.value if alpha else None,
            adapts=adapts,
            peaks=peaks,
            live=came.live_most,
            alpha_at_end=came.alpha if adapts else None,
            matches_per_h=3600 * len(came.matches) / came.seconds,
            hit_rate=_hit_rate(came),
        )


def _hit_rate(came: Replayed) -> float:
    cached = sum(sent.answer.cached_tokens or 0 for sent in came.sent)
    return cached / max(1, sum(sent.answer.prompt_tokens for sent in came.sent))
