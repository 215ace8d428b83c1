"""Metrics of the papers, a module a paper or a family of its scores."""
