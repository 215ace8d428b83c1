"""What an observer sees of a match, in words: the same for the terminal, the web and an export."""
