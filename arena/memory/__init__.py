"""Retrieval over a seat's observations: chunking, embedding, exact search."""
