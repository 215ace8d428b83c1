"""What a vLLM server counts: the text of its GET /metrics.

Names are those of vLLM 0.32 (v1/metrics/loggers.py). A server that knows none of them gives zeros.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LINE = re.compile(r"^(vllm:\w+)(?:\{(.*)\})?\s+(\S+)", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_CACHE = "vllm:cache_config_info"


@dataclass(frozen=True, slots=True, kw_only=True)
class KvCache:
    """How much an engine can remember of prompts and replies."""

    tokens: int
    """As the engine says. It can use one block less: see `usable`."""
    block: int
    """Tokens per block; only whole blocks are shared."""
    blocks: int

    @property
    def usable(self) -> int:
        """Tokens that can be held at once: vLLM's first block stands for nothing."""
        return max(0, self.tokens - self.block)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """Counts since the engine started, except `running`, `waiting` and `kv_usage`, which are now.

    Of several engines behind one URL all are added; of `kv_usage` the greatest counts.
    """

    prefix_queries: int = 0
    """Tokens of prompts that were looked up in the prefix cache."""
    prefix_hits: int = 0
    """Tokens that were found there."""
    prompt_tokens: int = 0
    output_tokens: int = 0
    computed_tokens: int = 0
    """Prompt tokens that were really computed, of finished requests."""
    finished: int = 0
    """Requests."""
    preemptions: int = 0
    running: int = 0
    waiting: int = 0
    kv_usage: float = 0.0
    """Part of the blocks that running requests hold; what is only cached does not count."""
    mm_queries: int = 0
    """Pictures that were looked up in the cache of processed pictures."""
    mm_hits: int = 0
    steps: int = 0
    """Of the engine."""
    step_tokens: int = 0
    """Tokens that went through all these steps, of prompts and of replies."""


def read_capacity(text: str) -> KvCache | None:
    """Return the cache of the (first) engine; None where the server does not tell."""
    for name, labels, _ in _samples(text):
        if name != _CACHE:
            continue
        found = dict(_LABEL.findall(labels))
        block, blocks = _count(found.get("block_size")), _count(found.get("num_gpu_blocks"))
        tokens = _count(found.get("kv_cache_size_tokens")) or block * blocks
        if block and tokens:
            return KvCache(tokens=tokens, block=block, blocks=blocks or tokens // block)
    return None


def read_counters(text: str) -> Counters:
    """Return what the server has counted so far."""
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
        try:
            yield name, labels, float(value)
        except ValueError:
            continue


def _total(sums: Mapping[str, float], name: str) -> int:
    # Prometheus' library writes counters with this ending, vLLM's own name is without.
    return int(sums.get(f"vllm:{name}_total", sums.get(f"vllm:{name}", 0.0)))


def _count(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
