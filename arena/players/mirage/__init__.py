"""The player of MIRAGE: one thought and one reply a turn; summaries instead of a search."""
