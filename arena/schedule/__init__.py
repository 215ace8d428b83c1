"""The batching core: which matches are alive, in what order, and what the server's cache holds."""
