"""Servers of a benchmark: started, emptied, reached through a proxy or a router, and measured."""
