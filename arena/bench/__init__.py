"""The benchmark: traces of matches, replayed in arms against one server and against the ideal."""
