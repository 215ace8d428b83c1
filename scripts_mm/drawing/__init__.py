"""Clue pictures, drawn by code."""
