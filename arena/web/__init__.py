"""Matches in a browser: pages that follow a run, replay a record, and seat a person."""
