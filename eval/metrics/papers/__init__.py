"""Metrics of the papers: one module per paper or family of its scores."""
