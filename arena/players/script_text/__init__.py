"""Sentences of a seat's own script: found, said in the first person, and kept clear of the deed."""
