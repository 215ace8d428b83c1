"""From a model's name to what is served: an endpoint, a profile on this host, or a substitute."""
