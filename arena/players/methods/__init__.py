"""Shared parts of players with a method: steps before a reply, memory units, turn costs."""
