"""Tournaments: plan, play and extend matches of every contestant against every other."""
