"""The batching core: admission, admission order, replica placement and cache-hit prediction."""
