"""Exit statuses of the program besides 0, and the end that Ctrl-C makes."""

FAILED = 1
"""A match could not be finished, or lines could not be written."""
BAD_INPUT = 2
"""The user must change something; nothing was written."""
INTERRUPTED = 130
"""Ctrl-C."""


class Interrupted(Exception):  # noqa: N818 - it is no error
    """Ctrl-C has ended a command; the text is one line for the user."""
