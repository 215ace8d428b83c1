"""Written, typed and printed documents, one kind per file."""
