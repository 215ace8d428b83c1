"""The games: one package each, rules and texts together."""
