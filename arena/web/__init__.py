"""Matches in a browser: pages that follow a run, show a record again, and seat a person."""
