"""Capacity planner: matches per hour and GPU hours, from a simulated sample of a plan."""
