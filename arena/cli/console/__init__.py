"""Streams of the process: what they can show, and what is written to them during a run."""
