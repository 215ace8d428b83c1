"""What went wrong first, where several tasks were stopped together."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


def first_error(group: BaseException) -> BaseException:
    """Return what went wrong first: the tasks beside it were only stopped."""
    while isinstance(group, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", group).exceptions[0]
    return group


@contextmanager
def unwrap_group() -> Generator[None]:
    """Raise the first fault of the block by itself, not in the group of its tasks."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise first_error(group) from group
