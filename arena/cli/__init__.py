"""Command line: read arguments, call one function, show the result."""
