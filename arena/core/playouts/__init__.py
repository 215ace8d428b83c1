"""Playouts: whole matches with answers from a function instead of players."""
