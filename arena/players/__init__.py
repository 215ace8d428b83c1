"""Players: strategies that answer decision requests. Each sees the observation of its seat only."""
