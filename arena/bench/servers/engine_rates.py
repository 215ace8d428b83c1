"""Rates of an engine between two reads of its metrics, and their fraction of the GPU's roofline."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from arena.models.http.address import EndpointAddress
from arena.models.http.endpoint import open_endpoint
from arena.models.http.server_metrics import Counters, parse_counters
from serving.engine_sim.cost_model.engine_profile import load_roofline
from serving.engine_sim.cost_model.gpu_kinds import find_gpu_kind
from serving.engine_sim.cost_model.roofline import estimate_roofline
from serving.host.hardware import Hardware

T = TypeVar("T")
PLACES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineCosts:
    """A model's costs in seconds at the published rates of a GPU."""

    token: float
    """Seconds to compute one token."""
    weights: float
    """Seconds to read all weights, once per step."""
    context: float
    """Seconds to read one token of context."""
    basis: str

    def roofline_fraction(self, rates: Mapping[str, Any]) -> float | None:
        """Return the time of the same steps at these rates as a fraction of the measured time.

        A step takes the longer of reading the weights and computing its tokens, and each decoded
        token reads its context; all steps are assumed to be equal, which makes the fraction rather
        too low.
        """
        steps, seconds = rates["steps"], rates["seconds"]
        if not steps or not rates["requests"] or not seconds:
            return None
        each = max(self.weights, self.token * rates["tokens_a_step"])
        length = (rates["prompt_tokens"] + rates["output_tokens"] / 2) / rates["requests"]
        return round(
            (steps * each + self.context * length * rates["output_tokens"]) / seconds, PLACES
        )


def find_roofline_costs(
    profile: str, hardware: Hardware, vocabulary: int | None = None
) -> RooflineCosts | None:
    """Return the costs of the engine profile's model on the first GPU; None: unknown.

    `vocabulary`: size of the served vocabulary, if it differs from the published one.
    """
    kind = find_gpu_kind(hardware.gpus[0]) if hardware.gpus else None
    figures = load_roofline(profile)
    if kind is None or figures is None:
        return None
    whole = {"flops": kind.flops, "bandwidth": kind.bandwidth}
    shares = {"flops_share": 1.0, "bandwidth_share": 1.0}
    size = {} if vocabulary is None else {"vocabulary": vocabulary}
    terms = estimate_roofline(figures.model_copy(update=whole | shares | size)).terms
    return RooflineCosts(
        token=terms["token"],
        weights=terms["weights"],
        context=terms["context"],
        basis=f"{kind.flops / 1e12:.0f} TFLOP/s and {kind.bandwidth / 1e12:.2f} TB/s as published "
        f"for {kind.name}",
    )


async def read_counters(address: EndpointAddress) -> Counters:
    """Return the metrics of the server; zeros if it has none."""
    async with open_endpoint(address, max_requests=1) as endpoint:
        return parse_counters(await endpoint.metrics() or "")


def rates_between(before: Counters, after: Counters, seconds: float) -> dict[str, Any]:
    """Return counts and rates of the interval; a hit rate of None: nothing was looked up."""
    spent = {name: value - getattr(before, name) for name, value in asdict(after).items()}
    steps, looked_up = spent["steps"], spent["prefix_queries"]
    return {
        "seconds": round(seconds, 2),
        "requests": spent["finished"],
        "prompt_tokens": spent["prompt_tokens"],
        "output_tokens": spent["output_tokens"],
        "requests_per_s": _over(spent["finished"], seconds),
        "output_tokens_per_s": _over(spent["output_tokens"], seconds),
        "hit_rate": _over(spent["prefix_hits"], looked_up),
        "steps": steps,
        "tokens_a_step": _over(spent["step_tokens"], steps),
        "replies_a_step": _over(spent["output_tokens"], steps),
        "preemptions": spent["preemptions"],
    }


async def measure_engine(
    address: EndpointAddress,
    work: Coroutine[Any, Any, T],
    *,
    limit: float,
    seconds_of: Callable[[T], float],
) -> tuple[T | None, dict[str, Any]]:
    """Return the result of `work` and the engine's rates meanwhile.

    `seconds_of` returns the seconds that a result took. After `limit` seconds the result is None,
    and the rates are those up to that time.
    """
    before, began = await read_counters(address), time.monotonic()
    timeout, result = asyncio.timeout(limit), None
    try:
        async with timeout:
            result = await work
    except TimeoutError:
        if not timeout.expired():
            raise
    seconds = time.monotonic() - began if result is None else seconds_of(result)
    return result, rates_between(before, await read_counters(address), seconds)


def _over(part: float, whole: float) -> float | None:
    return round(part / whole, PLACES) if whole else None
