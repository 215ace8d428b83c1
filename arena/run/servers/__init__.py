"""Servers of a run: engines, connections, handles of models, and monitors."""
