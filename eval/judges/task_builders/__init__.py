"""Builders of a judge's tasks from a match, by metric."""
