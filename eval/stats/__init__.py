"""Intervals, tests and agreement: the statistics under every printed number."""
