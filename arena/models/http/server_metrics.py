"""Counters of a vLLM server, parsed from the text of GET /metrics.

Names are those of vLLM 0.32 (v1/metrics/loggers.py). A server without them yields zeros.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

# Possessive quantifiers: a text that is not a metric takes no longer than one that is.
_LINE = re.compile(r"^(vllm:\w++)(?:\{(.*)\})?[ \t]++(\S++)", re.MULTILINE)
_LABEL = re.compile(r'(?<!\w)(\w++)="((?:[^"\\]|\\.)*+)"')
_MAX_VALUE = 2.0**53
_MAX_DIGITS = 9
"""Digits of a size; an engine has fewer tokens than a billion."""
_CACHE = "vllm:cache_config_info"


@dataclass(frozen=True, slots=True, kw_only=True)
class KvCache:
    """Size of an engine's KV cache."""

    tokens: int
    """As the engine reports. One block less is usable: see `usable`."""
    block_tokens: int
    """Tokens per block; only whole blocks are shared."""
    blocks: int

    @property
    def usable(self) -> int:
        """Tokens that fit simultaneously: vLLM reserves the first block as a null block."""
        return max(0, self.tokens - self.block_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """Counts since the engine started; `running`, `waiting` and `kv_usage` are current values.

    Counts of several engines behind one URL are added; `kv_usage` is their maximum.
    """

    prefix_queries: int = 0
    """Prompt tokens that the engine looked up in the prefix cache."""
    prefix_hits: int = 0
    """Prompt tokens that it found there."""
    prompt_tokens: int = 0
    output_tokens: int = 0
    computed_tokens: int = 0
    """Prompt tokens of finished requests that the engine computed."""
    finished: int = 0
    """Requests."""
    preemptions: int = 0
    running: int = 0
    waiting: int = 0
    kv_usage: float = 0.0
    """Fraction of the blocks that running requests hold; cached free blocks do not count."""
    mm_queries: int = 0
    """Pictures that the engine looked up in the cache of processed pictures."""
    mm_hits: int = 0
    steps: int = 0
    """Steps of the engine."""
    step_tokens: int = 0
    """Prompt and reply tokens that these steps processed."""


def parse_capacity(text: str) -> KvCache | None:
    """Parse the KV cache size of the (first) engine; None if the server does not report it."""
    for name, labels, _ in _samples(text):
        if name != _CACHE:
            continue
        found = dict(_LABEL.findall(labels))
        block, blocks = _count(found.get("block_size")), _count(found.get("num_gpu_blocks"))
        tokens = _count(found.get("kv_cache_size_tokens")) or block * blocks
        if block and tokens:
            return KvCache(tokens=tokens, block_tokens=block, blocks=blocks or tokens // block)
    return None


def parse_counters(text: str) -> Counters:
    """Parse the counters of the server."""
    sums: dict[str, float] = defaultdict(float)
    usage = 0.0
    for name, _, value in _samples(text):
        sums[name] += value
        if name == "vllm:kv_cache_usage_perc":
            usage = max(usage, value)
    return Counters(
        prefix_queries=_total(sums, "prefix_cache_queries"),
        prefix_hits=_total(sums, "prefix_cache_hits"),
        prompt_tokens=_total(sums, "prompt_tokens"),
        output_tokens=_total(sums, "generation_tokens"),
        computed_tokens=_total(sums, "request_prefill_kv_computed_tokens_sum"),
        finished=_total(sums, "request_success"),
        preemptions=_total(sums, "num_preemptions"),
        running=_total(sums, "num_requests_running"),
        waiting=_total(sums, "num_requests_waiting"),
        kv_usage=usage,
        mm_queries=_total(sums, "mm_cache_queries"),
        mm_hits=_total(sums, "mm_cache_hits"),
        steps=_total(sums, "iteration_tokens_total_count"),
        step_tokens=_total(sums, "iteration_tokens_total_sum"),
    )


def _samples(text: str) -> Iterator[tuple[str, str, float]]:
    for name, labels, value in _LINE.findall(text):
        with suppress(ValueError):
            # Beyond this a float is not an exact count, and NaN is not a count.
            if abs(found := float(value)) < _MAX_VALUE:
                yield name, labels, found


def _total(sums: Mapping[str, float], name: str) -> int:
    # The Prometheus library appends `_total` to counter names; vLLM's own names lack it.
    return int(sums.get(f"vllm:{name}_total", sums.get(f"vllm:{name}", 0.0)))


def _count(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) <= _MAX_DIGITS else 0
