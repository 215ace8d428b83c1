"""The simulated engine: vLLM's scheduler with a real or a virtual clock."""
