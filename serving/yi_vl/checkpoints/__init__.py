"""Tiny random checkpoints in both layouts of Yi-VL, for tests and for hosts without weights."""
