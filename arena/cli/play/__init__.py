"""A person at a seat, in the terminal."""
