"""The first error of several tasks that were stopped together."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


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
