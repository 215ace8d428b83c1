"""Caches of the simulated engine: prefixes, encoder outputs and pictures."""
