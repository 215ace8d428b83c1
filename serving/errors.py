"""What can go wrong on the serving side. Every message is one line for the person who must act."""


class ServingError(Exception):
    """A model cannot be served as asked; the message says what was wanted, what came and where."""


class ProfileError(ServingError):
    """A profile is unknown, or its file is not a profile."""


class EngineError(ServingError):
    """The engine does not start, died, or answers what it should not."""
