"""Evaluation: scores of stored records, never of a running match."""
