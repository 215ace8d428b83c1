"""The plugin on vLLM beside a reference in plain torch: same tokens, same log-probabilities."""
