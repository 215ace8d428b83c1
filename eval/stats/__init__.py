"""Statistics: intervals, tests and agreement."""
