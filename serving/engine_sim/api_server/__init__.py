"""The HTTP side of the simulated server: vLLM's requests, responses, errors and metrics."""
