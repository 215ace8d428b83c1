"""Metrics with vLLM 0.32's names, in Prometheus' text format."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_PREFILL: Final = tuple(base * 10**power for power in range(5) for base in (1, 2, 5))


class Histogram:
    """A Prometheus histogram: counts of values by upper bound."""

    def __init__(self, bounds: Sequence[int]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0

    def add(self, value: int, times: int = 1) -> None:
        """Count `value`."""
        self._counts[bisect_left(self._bounds, value)] += times
        self._sum += value * times

    def set(self, *, number: int, total: int) -> None:
        """Set the count and the sum of values whose distribution is unknown."""
        self._counts = [0] * len(self._bounds) + [number]
        self._sum = total

    def lines(self, name: str, labels: str) -> Iterator[str]:
        """Yield the histogram's lines."""
        total = 0
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            total += count
            le = bound if isinstance(bound, str) else f"{float(bound)}"
            yield f'{name}_bucket{{{labels},le="{le}"}} {float(total)}'
        yield f"{name}_sum{{{labels}}} {float(self._sum)}"
        yield f"{name}_count{{{labels}}} {float(total)}"


@dataclass(slots=True, kw_only=True)
class RequestStats:
    """Totals over finished requests."""

    answered: int = 0
    prompt: int = 0
    output: int = 0
    computed: Histogram = field(default_factory=lambda: Histogram(_PREFILL))
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
