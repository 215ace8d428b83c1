"""Werewolf for five: secret roles, talk, votes, and nights with attacks of a werewolf."""
