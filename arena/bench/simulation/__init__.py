"""Runs in virtual time on simulated engines, and the best hit rate of their caches."""
