"""Replies of models: their constraints, and the actions that their texts name."""
