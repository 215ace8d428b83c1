"""Strategies that answer asks; each sees a view and nothing else."""
