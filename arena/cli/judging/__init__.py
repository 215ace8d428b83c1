"""Execution of `arena judge` after its arguments are checked."""
