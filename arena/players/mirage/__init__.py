"""The player of MIRAGE: one thought and one reply per turn; summaries instead of a search."""
