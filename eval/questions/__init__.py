"""Questions: the chain-of-evaluation runner, which puts the questions of scripts to a model."""
