"""Werewolf for five: secret roles, talk, votes, and nights in which a werewolf attacks."""
