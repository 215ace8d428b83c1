"""Replies of the simulated model: drawn from a seed."""
