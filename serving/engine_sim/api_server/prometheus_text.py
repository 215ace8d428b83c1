"""Metrics with vLLM 0.32's names, in Prometheus' text format."""

from collections.abc import Mapping
from typing import NamedTuple


class HistogramTotals(NamedTuple):
    """A histogram of which only the count and the sum are known: its one bucket has no bound."""

    values: int
    total: int


def render_metrics(
    *,
    model: str,
    gauges: Mapping[str, float],
    counters: Mapping[str, float],
    histograms: Mapping[str, HistogramTotals],
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
    for name, (values, total) in histograms.items():
        full = f"vllm:{name}"
        lines += [
            f"# TYPE {full} histogram",
            f'{full}_bucket{{{labels},le="+Inf"}} {float(values)}',
            f"{full}_sum{{{labels}}} {float(total)}",
            f"{full}_count{{{labels}}} {float(values)}",
        ]
    told = ",".join(f'{name}="{_escape_label(value)}"' for name, value in cache.items())
    lines += ["# TYPE vllm:cache_config_info gauge", f"vllm:cache_config_info{{{told}}} 1.0"]
    return "\n".join(lines) + "\n"


def _escape_label(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
