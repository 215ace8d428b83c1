"""The answers of GET /v1/models and GET /metrics."""

from typing import Any, Final

from serving.engine_sim.api_server.prometheus_text import HistogramTotals, render_metrics
from serving.engine_sim.simulator import Simulator

VERSION: Final = "0.32.0"
"""The version of vLLM whose API is simulated."""


def model_list(simulator: Simulator) -> dict[str, Any]:
    """Return the answer to GET /v1/models; the card's root is the tokenizer's folder, if any."""
    card = {
        "id": simulator.options.model,
        "object": "model",
        "owned_by": "vllm",
        "root": simulator.tokens.root or simulator.options.model,
        "max_model_len": simulator.profile.context_tokens,
    }
    return {"object": "list", "data": [card]}


def metrics_page(simulator: Simulator) -> str:
    """Return the answer to GET /metrics."""
    core, counters = simulator.core, simulator.core.counters
    tally, profile, media = simulator.tally, simulator.profile, simulator.media
    return render_metrics(
        model=simulator.options.model,
        gauges={
            "num_requests_running": core.running,
            "num_requests_waiting": core.waiting,
            "kv_cache_usage_perc": core.usage,
        },
        counters={
            "prefix_cache_queries": counters.queries,
            "prefix_cache_hits": counters.hits,
            "num_preemptions": counters.preemptions,
            "mm_cache_queries": media.queries,
            "mm_cache_hits": media.hits,
            "prompt_tokens": tally.prompt,
            "generation_tokens": tally.output,
            "request_success": tally.answered,
        },
        histograms={
            "iteration_tokens_total": HistogramTotals(
                counters.steps, counters.computed + counters.outputs
            ),
            "request_prefill_kv_computed_tokens": HistogramTotals(tally.answered, tally.computed),
        },
        cache={
            "block_size": str(profile.block),
            "num_gpu_blocks": str(profile.blocks),
            "kv_cache_size_tokens": str(profile.blocks * profile.block),
            "enable_prefix_caching": "True",
            "engine": "0",
        },
    )
