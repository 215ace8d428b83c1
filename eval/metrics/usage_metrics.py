"""Tokens, calls and seconds of recorded matches as scores."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from arena.records.run_config import HUMAN
from eval.metrics.call_costs import (
    UNKEPT,
    CallCost,
    CostStage,
    PriceTable,
    Usage,
    call_costs,
    cost_by_stage,
    total_usage,
    usage_by_label,
)
from eval.metrics.match_cache import cache_last_match
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score


@cache_last_match
def match_call_costs(match: PlayedMatch) -> tuple[CallCost, ...]:
    """Return the costs of the calls of a match; empty for a match without a record."""
    return call_costs(match.calls().values(), match.requests)


def match_usage(match: PlayedMatch) -> Mapping[str, Usage]:
    """Return the usage of a match by purpose; the empty label is all of play.

    Silent calls are `OFF_PATH`. Without recorded calls, the summary's usage is `UNKEPT`: play and
    silent calls together.
    """
    costs, summary = match_call_costs(match), match.summary
    if costs or not (summary.prompt_tokens or summary.output_tokens):
        play = total_usage([one for one in costs if not one.off_path])
        return {"": play, **usage_by_label(costs)}
    told = replace(
        total_usage(()),
        calls=None,
        prompt_tokens=summary.prompt_tokens,
        cached_tokens=summary.cached_tokens,
        reporting_prompt_tokens=summary.prompt_tokens,
        output_tokens=summary.output_tokens,
        pictures=None,
    )
    return {UNKEPT: told}


def measure_turns(match: PlayedMatch) -> Iterator[Score]:
    """Yield turns per second of wall time, except for matches of people or without a model."""
    if match.summary.turns and HUMAN not in match.summary.flags:
        yield make_score(
            match,
            "turns_per_s",
            numerator=match.summary.turns,
            denominator=match.summary.seconds,
        )


def measure_cache_hit(match: PlayedMatch) -> Iterator[Score]:
    """Yield cached / prompt tokens; undefined if no server reports them."""
    for label, usage in match_usage(match).items():
        yield make_score(
            match,
            "cache_hit",
            numerator=usage.cached_tokens,
            denominator=usage.reporting_prompt_tokens,
            group=label,
        )


def match_cost(match: PlayedMatch, prices: PriceTable) -> Mapping[CostStage, float | None]:
    """Return the price of play, and of probes and ratings; None: unknown.

    It is also unknown if tokens were counted but no calls recorded.
    """
    summary = match.summary
    if not match_call_costs(match) and (summary.prompt_tokens or summary.output_tokens):
        return {"gameplay": None, "evaluation": None}
    return cost_by_stage(match_call_costs(match), prices)


def _measure(
    name: str, value: Callable[[Usage], float | None]
) -> Callable[[PlayedMatch], Iterator[Score]]:
    def measure(match: PlayedMatch) -> Iterator[Score]:
        for label, usage in match_usage(match).items():
            yield make_score(match, name, value=value(usage), group=label)

    return measure


_SOURCE = "own"

METRICS = (
    Metric(
        name="prompt_tokens",
        source=_SOURCE,
        meaning={
            "en": "Prompt tokens of play in a match, and by purpose; silent calls are a group.",
            "zh": "一局中对局调用的提示词元数，并按用途划分；静默调用单列一组。",
        },
        high=None,
        better="lower",
        measure=_measure("prompt_tokens", lambda usage: usage.prompt_tokens),
    ),
    Metric(
        name="cached_tokens",
        source=_SOURCE,
        meaning={
            "en": "Prompt tokens that the server had in its cache.",
            "zh": "服务器缓存命中的提示词元数。",
        },
        high=None,
        measure=_measure("cached_tokens", lambda usage: usage.cached_tokens),
    ),
    Metric(
        name="output_tokens",
        source=_SOURCE,
        meaning={
            "en": "Tokens that the models wrote.",
            "zh": "模型输出的词元数。",
        },
        high=None,
        better="lower",
        measure=_measure("output_tokens", lambda usage: usage.output_tokens),
    ),
    Metric(
        name="calls",
        source=_SOURCE,
        meaning={
            "en": "Answered model calls of play; silent calls are a group.",
            "zh": "对局中得到回答的模型调用次数；静默调用单列一组。",
        },
        high=None,
        better="lower",
        measure=_measure("calls", lambda usage: usage.calls),
    ),
    Metric(
        name="pictures_sent",
        source=_SOURCE,
        meaning={
            "en": "Pictures in the messages of all calls.",
            "zh": "所有调用的消息中的图片数。",
        },
        high=None,
        better="none",
        measure=_measure("pictures_sent", lambda usage: usage.pictures),
    ),
    Metric(
        name="call_seconds_p50",
        source=_SOURCE,
        meaning={"en": "Median seconds of a call.", "zh": "单次调用耗时的中位数（秒）。"},
        high=None,
        better="lower",
        measure=_measure("call_seconds_p50", lambda usage: usage.p50),
    ),
    Metric(
        name="call_seconds_p95",
        source=_SOURCE,
        meaning={
            "en": "95th percentile of the seconds of a call.",
            "zh": "单次调用耗时的第 95 百分位（秒）。",
        },
        high=None,
        better="lower",
        measure=_measure("call_seconds_p95", lambda usage: usage.p95),
    ),
    Metric(
        name="cache_hit",
        source=_SOURCE,
        meaning={
            "en": "Share of the prompt tokens that the server had in its cache.",
            "zh": "提示词元中命中服务器缓存的比例。",
        },
        scale=100,
        measure=measure_cache_hit,
    ),
    Metric(
        name="turns_per_s",
        source=_SOURCE,
        meaning={
            "en": "Turns answered by a model, per second of the match's wall time.",
            "zh": "每秒（对局实际时间）由模型回答的轮次数。",
        },
        high=None,
        measure=measure_turns,
    ),
)
"""The metrics of this file."""
