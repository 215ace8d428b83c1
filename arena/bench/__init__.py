"""Benchmarks: loads of real matches, played in arms against servers and against cache bounds."""
