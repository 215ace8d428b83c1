"""Exit statuses of the program besides 0, and the exception of Ctrl-C."""

FAILED = 1
"""A match was not finished, or lines could not be written."""
BAD_INPUT = 2
"""The user must change something; nothing was written."""
INTERRUPTED = 130
"""Ctrl-C."""


class Interrupted(Exception):  # noqa: N818 - it is not an error
    """Ctrl-C has ended a command; the text is one line for the user."""
