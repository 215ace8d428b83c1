"""Parity check of the plugin on vLLM against a reference: same tokens, same log-probabilities."""
