"""The fact table of a case, and the proof that it leaves exactly one culprit."""
