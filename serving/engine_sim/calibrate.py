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
from typing import Any

import aiohttp

from serving.engine_sim.cost_model.closed_loop import TURNS, ClosedLoopLoad
from serving.engine_sim.cost_model.engine_profile import EngineProfile, load_engine_profile
from serving.engine_sim.cost_model.term_fit import MeasuredLoad, fit_terms, relative_errors
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
            numbers = range(load.concurrency)
            callers = [_LoopCaller(http, url, model, load, number) for number in numbers]
            await _run_callers(callers, 1)
            began = time.perf_counter()
            await _run_callers(callers, TURNS)
            rate = load.concurrency * TURNS / (time.perf_counter() - began)
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


class _LoopCaller:
    def __init__(
        self, http: aiohttp.ClientSession, url: str, model: str, load: ClosedLoopLoad, number: int
    ) -> None:
        self._http, self._url, self._model, self._load = http, url, model, load
        self._chance = random.Random(f"{time.time_ns()}/{number}")
        self._kept = self._ids(load.cached)

    async def take_turns(self, count: int) -> None:
        """Take `count` turns in sequence."""
        for _ in range(count):
            output = max(1, round(self._load.output * self._chance.uniform(0.8, 1.2)))
            ids = self._kept + self._ids(self._load.prompt - self._load.cached)
            body = {
                "model": self._model,
                "token_ids": ids,
                "sampling_params": _fixed_length_params(output),
            }
            await self._generate(body)

    async def _generate(self, body: dict[str, Any]) -> None:
        try:
            async with self._http.post(f"{self._url}/inference/v1/generate", json=body) as answer:
                said = await answer.text()
                if not answer.ok:
                    raise EngineError(f"{self._url} answered {answer.status}: {said[:200]}")
        except (aiohttp.ClientError, OSError) as error:
            known = error.strerror if isinstance(error, OSError) else ""
            reason = known or str(error) or type(error).__name__
            raise EngineError(
                f"wanted a vLLM server at {self._url}, but it does not answer ({reason}); "
                "start it with --enable-scale-out, or fix the URL"
            ) from error

    def _ids(self, count: int) -> list[int]:
        return [self._chance.randrange(_LOWEST, _HIGHEST) for _ in range(count)]


async def _run_callers(callers: Sequence[_LoopCaller], turns: int) -> None:
    async with asyncio.TaskGroup() as group:
        for caller in callers:
            group.create_task(caller.take_turns(turns))


def _fixed_length_params(tokens: int) -> dict[str, Any]:
    return {"max_tokens": tokens, "min_tokens": tokens, "ignore_eos": True, "temperature": 0}


def format_report(profile: EngineProfile, seen: Sequence[MeasuredLoad], free: Sequence[str]) -> str:
    """Return the report: errors of every load, of the held-out loads, and the fitted terms."""
    fitted = fit_terms(profile, seen[::2], free).profile
    errors = relative_errors(fitted, seen)
    checks = errors[1::2]
    lines = ["callers prompt cached output  turns/s  simulated"]
    for place, (one, error) in enumerate(zip(seen, errors, strict=True)):
        load = one.load
        lines.append(
            f"{load.concurrency:7} {load.prompt:6} {load.cached:6} {load.output:6} "
            f"{one.turns_per_second:8.2f} {error:+9.1%}{'  held out' if place % 2 else ''}"
        )
    mean = sum(map(abs, checks)) / len(checks)
    lines.append(f"held out: mean error {mean:.1%}, largest {max(map(abs, checks)):.1%}")
    terms = asdict(fitted.terms)
    lines += ["[terms]", *(f"{name} = {value:.4g}" for name, value in terms.items() if value)]
    return "\n".join(lines)


def main() -> int:
    """Measure, fit, print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m serving.engine_sim.calibrate")
    parser.add_argument("url", help="a vLLM server started with --enable-scale-out")
    parser.add_argument("--model", required=True, help="the served model name")
    parser.add_argument("--profile", default="cpu-stand-in", help="a profile, for its limits")
    words = parser.parse_args()
    try:
        sys.stdout.write(f"{_calibrate(words.url, words.model, words.profile)}\n")
    except (ServingError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _calibrate(url: str, model: str, name: str) -> str:
    profile = load_engine_profile(name)
    bare = url.rstrip("/").removesuffix("/v1")
    with unwrap_group():
        seen = asyncio.run(measure(bare, model, loads()))
    return format_report(profile, seen, FREE_TERMS)


if __name__ == "__main__":
    sys.exit(main())
