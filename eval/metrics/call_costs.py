"""Cost and throughput: tokens, calls by purpose, seconds and prices.

A count that no server reports is None, never 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import Field

from arena.core.requests import DecisionRequest
from arena.errors import ConfigError, RecordError
from arena.models.recording import RecordedCall
from arena.records.match_summary import MatchSummary
from arena.records.record_schema import JsonCodec
from arena.records.run_config import HUMAN

CostStage = Literal["gameplay", "evaluation"]
OFF_PATH: Final = "off the path"
"""Group of all calls that no match depends on: probes and ratings."""
UNKEPT: Final = "play and silent calls"
"""Group of the tokens of a match without recorded calls: the two cannot be separated."""
_MILLION: Final = 1_000_000
_HOUR: Final = 3600.0
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Currency = Annotated[str, Field(pattern=r"^[^\s\pC]{1,8}$")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCost:
    """The cost of one answered model call."""

    label: str
    """The purpose of its request, and its kind unless it is a reply."""
    off_path: bool
    model: str
    prompt_tokens: int
    cached_tokens: int | None
    output_tokens: int
    pictures: int
    seconds: float
    """From the first byte sent to the complete response, including queueing in the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The total cost of several calls."""

    calls: int | None
    """None: calls were not recorded."""
    prompt_tokens: int
    cached_tokens: int | None
    """Total over the calls whose server reports them; None: none does."""
    reporting_prompt_tokens: int
    """Prompt tokens of these calls."""
    output_tokens: int
    pictures: int | None
    p50: float | None
    """Median seconds of a call."""
    p95: float | None

    @property
    def cache_hit(self) -> float | None:
        """Cached / prompt tokens, 0..1, over the calls that report both."""
        return share_cached(self.cached_tokens, self.reporting_prompt_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Throughput of matches over an interval of wall time."""

    turns_per_s: float | None
    matches_per_h: float | None
    output_tokens_per_s: float | None
    cache_hit: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Prices of a model per million tokens."""

    prompt: _Amount
    cached: _Amount
    output: _Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """Prices by served model name, all in one currency."""

    currency: _Currency
    models: dict[str, Price] = field(default_factory=dict[str, Price])


def call_costs(
    calls: Iterable[RecordedCall], requests: Mapping[str, DecisionRequest]
) -> tuple[CallCost, ...]:
    """Return the cost of every answered call; `requests` are the match's, by id."""
    return tuple(
        CallCost(
            label=_label(call, requests),
            off_path=_is_off_path(call, requests),
            model=call.completion.model,
            prompt_tokens=call.completion.prompt_tokens,
            cached_tokens=call.completion.cached_tokens,
            output_tokens=call.completion.output_tokens,
            pictures=sum(one.picture is not None for one in call.request.messages),
            seconds=call.completion.seconds,
        )
        for call in calls
        if call.completion is not None
    )


def total_usage(costs: Sequence[CallCost]) -> Usage:
    """Return the sum of the calls and the percentiles of their seconds."""
    reporting = [one for one in costs if one.cached_tokens is not None]
    seconds = [one.seconds for one in costs]
    return Usage(
        calls=len(costs),
        prompt_tokens=sum(one.prompt_tokens for one in costs),
        cached_tokens=sum(one.cached_tokens or 0 for one in reporting) if reporting else None,
        reporting_prompt_tokens=sum(one.prompt_tokens for one in reporting),
        output_tokens=sum(one.output_tokens for one in costs),
        pictures=sum(one.pictures for one in costs),
        p50=percentile(seconds, 50),
        p95=percentile(seconds, 95),
    )


def usage_by_label(costs: Iterable[CallCost]) -> Mapping[str, Usage]:
    """Return the usage per purpose, and of all calls off the path."""
    found: dict[str, list[CallCost]] = {}
    for one in costs:
        found.setdefault(OFF_PATH if one.off_path else one.label, []).append(one)
    return {label: total_usage(some) for label, some in found.items()}


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Return a percentile with linear interpolation; None: no values."""
    return float(np.percentile(np.array(values, dtype=float), percent)) if values else None


def throughput(
    *,
    turns: int,
    matches: int,
    seconds: float,
    prompt_tokens: int,
    cached_tokens: int | None,
    output_tokens: int,
) -> Throughput:
    """Return the rates over `seconds` of wall time, from the first request to the last answer."""
    return Throughput(
        turns_per_s=_rate(turns, seconds),
        matches_per_h=_rate(matches * _HOUR, seconds),
        output_tokens_per_s=_rate(output_tokens, seconds),
        cache_hit=share_cached(cached_tokens, prompt_tokens),
    )


def run_throughput(summaries: Iterable[MatchSummary]) -> Throughput:
    """Return the throughput over the sum of the matches' seconds, without matches of people.

    Records do not hold the wall time of a run: if matches ran concurrently, its rates were higher.
    The hit rate covers the matches whose servers report cached tokens.
    """
    counted = [one for one in summaries if HUMAN not in one.flags]
    reporting = [one for one in counted if one.cached_tokens is not None]
    return throughput(
        turns=sum(one.turns for one in counted),
        matches=len(counted),
        seconds=sum(one.seconds for one in counted),
        prompt_tokens=sum(one.prompt_tokens for one in reporting),
        cached_tokens=sum(one.cached_tokens or 0 for one in reporting) if reporting else None,
        output_tokens=sum(one.output_tokens for one in counted),
    )


def share_cached(cached: int | None, prompt: int) -> float | None:
    """Return cached / prompt tokens, 0..1; None: not reported, or no prompt."""
    return None if cached is None or not prompt else cached / prompt


def token_cost(costs: Iterable[CallCost], prices: PriceTable) -> float | None:
    """Return the price of the calls: uncached, cached and output tokens at their prices.

    If a server does not report cached tokens, the whole prompt has the full price. None: the price
    of a model is unknown.
    """
    total = 0.0
    for one in costs:
        price = prices.models.get(one.model)
        if price is None:
            return None
        cached = one.cached_tokens or 0
        total += (one.prompt_tokens - cached) * price.prompt / _MILLION
        total += (cached * price.cached + one.output_tokens * price.output) / _MILLION
    return total


def cost_by_stage(
    costs: Iterable[CallCost], prices: PriceTable
) -> Mapping[CostStage, float | None]:
    """Return the price of play, and of probes and ratings."""
    found = list(costs)
    return {
        "gameplay": token_cost([one for one in found if not one.off_path], prices),
        "evaluation": token_cost([one for one in found if one.off_path], prices),
    }


def read_prices(path: Path) -> PriceTable:
    """Read a price table from a JSON file: `currency`, and `models` with three prices each.

    Raises `ConfigError` if a price is missing or not a number.
    """
    name = f"the price table {str(path)!r}"
    try:
        return JsonCodec[PriceTable](PriceTable, name).load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"{name} cannot be read: {reason}") from error
    except RecordError as error:
        raise ConfigError(str(error)) from error


def _label(call: RecordedCall, requests: Mapping[str, DecisionRequest]) -> str:
    asked = requests.get(call.request.call_id.request)
    kind = call.request.call_id.kind
    purpose = "probe" if asked is None else str(asked.purpose)
    return purpose if kind == "reply" else f"{purpose} {kind}"


def _is_off_path(call: RecordedCall, requests: Mapping[str, DecisionRequest]) -> bool:
    asked = requests.get(call.request.call_id.request)
    return call.request.call_id.off_path or (asked is not None and asked.off_path)


def _rate(amount: float, per: float) -> float | None:
    return amount / per if per else None
