"""Clients of served models: messages in, completions out."""
