"""The scores: read from stored records, never from a running match."""
