"""Streams of the process: their capabilities, and their output during a run."""
