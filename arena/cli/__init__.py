"""The command line: read words, call one function, show what came of it."""
