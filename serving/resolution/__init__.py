"""Resolve a model's name: to an endpoint, a profile on this host, or a substitute."""
