"""Checkpoints of tiny random models in both layouts, for tests and hosts without weights."""
