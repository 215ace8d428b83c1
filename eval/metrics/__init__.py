"""The metrics: pure formulas, and thin adapters that apply them to a played match."""
