"""Builders of the tasks that a judge gets from a match, by metric."""
