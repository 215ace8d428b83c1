"""Turns in a murder mystery: analysis, table, the 14 situations and their rules."""
