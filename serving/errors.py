"""Errors of the serving side. Every message is one line for the person who must act."""


class ServingError(Exception):
    """A model cannot be served as requested; the message says what was wanted and found."""


class ProfileError(ServingError):
    """A profile is unknown, or its file is not a profile."""


class EngineError(ServingError):
    """The engine did not start, died, or gave an invalid answer."""
