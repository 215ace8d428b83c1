"""Servers of a benchmark: start, cache reset, proxies, routers and measurements."""
