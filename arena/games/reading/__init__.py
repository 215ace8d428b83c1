"""Runs without play: what seats would vote if nobody had said a word. A reference, no match."""
