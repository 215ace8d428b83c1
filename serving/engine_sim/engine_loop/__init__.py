"""The simulated engine: vLLM's scheduler against a clock, real or virtual."""
