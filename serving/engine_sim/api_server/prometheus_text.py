"""Metrics with vLLM 0.32's names, in Prometheus' text format."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

_PREFILL: Final = tuple(base * 10**power for power in range(5) for base in (1, 2, 5))


@dataclass(slots=True, kw_only=True)
class Histogram:
    """A Prometheus histogram: counts of values by upper bound, the last one without a bound."""

    bounds: Sequence[int] = ()
    counts: list[int]
    total: int = 0

    def add(self, value: int) -> None:
        """Count `value`."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str, labels: str) -> Iterator[str]:
        """Yield the histogram's lines."""
        bounds = (*(str(float(bound)) for bound in self.bounds), "+Inf")
        for bound, count in zip(bounds, accumulate(self.counts), strict=True):
            yield f'{name}_bucket{{{labels},le="{bound}"}} {float(count)}'
        yield f"{name}_sum{{{labels}}} {float(self.total)}"
        yield f"{name}_count{{{labels}}} {float(sum(self.counts))}"


@dataclass(slots=True, kw_only=True)
class RequestStats:
    """Totals over finished requests."""

    answered: int = 0
    prompt: int = 0
    output: int = 0
    computed: Histogram = field(
        default_factory=lambda: Histogram(bounds=_PREFILL, counts=[0] * (len(_PREFILL) + 1))
    )
    """Tokens of a prompt that were not cached."""

    def count(self, *, prompt: int, cached: int, output: int) -> None:
        """Count a reply."""
        self.answered += 1
        self.prompt += prompt
        self.output += output
        self.computed.add(prompt - cached)


def render_metrics(
    *,
    model: str,
    gauges: Mapping[str, float],
    counters: Mapping[str, float],
    histograms: Mapping[str, Histogram],
    cache: Mapping[str, str],
) -> str:
    """Return the page of /metrics; pass names without `vllm:` and without `_total`.

    `cache` are the labels of `vllm:cache_config_info`.
    """
    labels = f'engine="0",model_name="{_escape_label(model)}"'
    lines = list[str]()
    for name, value in gauges.items():
        lines += [f"# TYPE vllm:{name} gauge", f"vllm:{name}{{{labels}}} {float(value)}"]
    for name, value in counters.items():
        full = f"vllm:{name}_total"
        lines += [f"# TYPE {full} counter", f"{full}{{{labels}}} {float(value)}"]
    for name, histogram in histograms.items():
        lines += [f"# TYPE vllm:{name} histogram", *histogram.lines(f"vllm:{name}", labels)]
    told = ",".join(f'{name}="{_escape_label(value)}"' for name, value in cache.items())
    lines += ["# TYPE vllm:cache_config_info gauge", f"vllm:cache_config_info{{{told}}} 1.0"]
    return "\n".join(lines) + "\n"


def _escape_label(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
