"""Turns in a talk of secret roles: scene, table, the 14 situations and their rules."""
