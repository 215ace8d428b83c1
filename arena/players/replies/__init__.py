"""Replies of models: their constraints, and parsing of their texts to actions."""
