"""Tournaments: who meets whom in which matches, planned, played and extended."""
