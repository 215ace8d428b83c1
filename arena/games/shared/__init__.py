"""Shared parts of the project's games: factions, speech, votes and their texts."""
