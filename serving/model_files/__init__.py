"""What a model needs from a host, and where its profile and its weights are."""
