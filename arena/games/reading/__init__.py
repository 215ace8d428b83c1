"""Reading: the votes of seats without any talk. A reference row, not a match between players."""
