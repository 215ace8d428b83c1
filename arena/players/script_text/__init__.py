"""Sentences of a seat's script: search, first person, and filtering of the murder."""
