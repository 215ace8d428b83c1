"""Rendering of matches, runs and benchmarks. Pure: values in, renderables out."""
