"""A port of pages that cannot be bound: who uses it, and what to do."""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from serving.errors import EngineError
from serving.process.ports import describe_port_fault

_OF_THE_PORT: Final = frozenset({errno.EADDRINUSE, errno.EACCES})


@contextmanager
def report_port_faults(port: int) -> Generator[None]:
    """Raise `EngineError` with the user of `port` if the block cannot bind it."""
    try:
        yield
    except OSError as error:
        if error.errno in _OF_THE_PORT:
            raise EngineError(describe_port_fault(port, error)) from error
        raise
