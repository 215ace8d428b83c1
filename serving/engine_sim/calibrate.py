"""`python -m serving.engine_sim.calibrate URL`: fit a profile's terms to a running server.

It times the same closed loops on the server and in simulation, fits the terms to one half of them
and checks them on the other half.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product

import aiohttp

from serving.engine_sim.cost_model.closed_loop import ClosedLoopLoad, SendTurn, measure_rate
from serving.engine_sim.cost_model.engine_profile import EngineProfile, load_engine_profile
from serving.engine_sim.cost_model.term_fit import MeasuredLoad, fit_half
from serving.errors import EngineError, ServingError, unwrap_group
from serving.process.health_check import bearer_header
from serving.process.server_registry import find_shared_key

SHAPES = ((1_024, 768, 16), (2_048, 1_536, 24), (3_072, 768, 8), (4_096, 3_072, 24), (6_144, 0, 4))
"""(prompt tokens, cached prompt tokens, reply tokens)."""
CONCURRENCIES = (1, 4, 12)
FREE_TERMS = ("step", "token", "pair", "sequence", "context", "request")
"""The terms that token-in requests without pictures can measure."""
_LOWEST, _HIGHEST = 300, 9_000
"""Token ids that every vocabulary has; none is special."""


async def measure(
    url: str, model: str, loads: Sequence[ClosedLoopLoad], *, key: str = ""
) -> tuple[MeasuredLoad, ...]:
    """Return the turns per second of each load; raises `EngineError` if a turn is refused.

    `key` is the server's; empty: the key of this user's shared server at `url`, if there is one.
    """
    found: list[MeasuredLoad] = []
    limit, shown = aiohttp.ClientTimeout(total=None), bearer_header(key or find_shared_key(url))
    async with aiohttp.ClientSession(timeout=limit, headers=shown) as http:
        for load in loads:
            rate = await measure_rate(load, _make_sender(http, url, model, load))
            found.append(MeasuredLoad(load=load, turns_per_second=rate))
    return tuple(found)


def loads() -> tuple[ClosedLoopLoad, ...]:
    """Return the loads; every second one covers all shapes and numbers of callers."""
    return tuple(
        ClosedLoopLoad(
            concurrency=callers, prompt=prompt, cached=cached, output=output, text_in=False
        )
        for callers, (prompt, cached, output) in product(CONCURRENCIES, SHAPES)
    )


def _make_sender(
    http: aiohttp.ClientSession, url: str, model: str, load: ClosedLoopLoad
) -> SendTurn:
    """Return a function that sends random token ids, other ones than any earlier measurement."""
    chance = random.Random(time.time_ns())

    def draw_ids(count: int) -> list[int]:
        return [chance.randrange(_LOWEST, _HIGHEST) for _ in range(count)]

    cached = [draw_ids(load.cached) for _ in range(load.concurrency)]

    async def send(caller: int, output: int) -> None:
        params = {"max_tokens": output, "min_tokens": output, "ignore_eos": True, "temperature": 0}
        ids = cached[caller] + draw_ids(load.prompt - load.cached)
        body = {"model": model, "token_ids": ids, "sampling_params": params}
        try:
            async with http.post(f"{url}/inference/v1/generate", json=body) as answer:
                said = await answer.text()
                if not answer.ok:
                    raise EngineError(f"{url} answered {answer.status}: {said[:200]}")
        except (aiohttp.ClientError, OSError) as error:
            known = error.strerror if isinstance(error, OSError) else ""
            reason = known or str(error) or type(error).__name__
            raise EngineError(
                f"wanted a vLLM server at {url}, but it does not answer ({reason}); "
                "start it with --enable-scale-out, or fix the URL"
            ) from error

    return send


def format_report(profile: EngineProfile, seen: Sequence[MeasuredLoad], free: Sequence[str]) -> str:
    """Return the report: errors of every load, of the held-out loads, and the fitted terms."""
    fit = fit_half(profile, seen, free)
    lines = ["callers prompt cached output  turns/s  simulated"]
    for place, one in enumerate(seen):
        errors, mark = (fit.held_out_errors, "  held out") if place % 2 else (fit.fitted_errors, "")
        load = one.load
        lines.append(
            f"{load.concurrency:7} {load.prompt:6} {load.cached:6} {load.output:6} "
            f"{one.turns_per_second:8.2f} {errors[place // 2]:+9.1%}{mark}"
        )
    lines.append(f"held out: mean error {fit.held_out_mean:.1%}, largest {fit.held_out_worst:.1%}")
    terms = asdict(fit.profile.terms)
    lines += ["[terms]", *(f"{name} = {value:.4g}" for name, value in terms.items() if value)]
    return "\n".join(lines)


def main() -> int:
    """Measure, fit, print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m serving.engine_sim.calibrate")
    parser.add_argument("url", help="a vLLM server started with --enable-scale-out")
    parser.add_argument("--model", required=True, help="the served model name")
    parser.add_argument("--profile", default="cpu-stand-in", help="a profile, for its limits")
    words = parser.parse_args()
    url = words.url.rstrip("/").removesuffix("/v1")
    try:
        profile = load_engine_profile(words.profile)
        with unwrap_group():
            seen = asyncio.run(measure(url, words.model, loads()))
        sys.stdout.write(f"{format_report(profile, seen, FREE_TERMS)}\n")
    except (ServingError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
