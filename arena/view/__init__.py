"""Views of a match for an observer, in words: the same for terminal, web and export."""
