"""A simulated engine: vLLM's scheduler, prefix cache and timing without a model."""
