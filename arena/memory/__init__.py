"""Retrieval over what a seat has seen: chunking, embedding, exact search."""
