"""Errors of the serving side. Every message is one line for the person who must act."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


class ServingError(Exception):
    """A model cannot be served as requested; the message says what was wanted and found."""


class ProfileError(ServingError):
    """A profile is unknown, or its file is not a profile."""


class EngineError(ServingError):
    """The engine did not start, died, or gave an invalid answer."""


def first_error(group: BaseException) -> BaseException:
    """Return the first error of a group: the other tasks were only stopped."""
    while isinstance(group, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", group).exceptions[0]
    return group


@contextmanager
def unwrap_group() -> Generator[None]:
    """Raise the first error of the block by itself, not in the group of its tasks."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise first_error(group) from group
