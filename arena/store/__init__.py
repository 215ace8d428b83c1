"""What is kept of a run, and how it is read again."""
