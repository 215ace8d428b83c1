"""The metrics: pure formulas, and thin adapters that read a played match."""
