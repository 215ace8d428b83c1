"""Standard streams of the process that always exist, and whose failure does not end a run.

Imports only the standard library: it must work before the rest of the program is imported.
"""

import errno
import io
import os
import select
import sys
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO, cast

_STDOUT = 1
_STDERR = 2


class OutputFile(io.RawIOBase):
    """File of a stream that never fails its writer: it stores the first error and drops the rest.

    So its output is always a prefix of what was written, without a gap.
    """

    def __init__(self, descriptor: int) -> None:
        """Write to `descriptor`, which stays open."""
        self._descriptor = descriptor
        self.error: OSError | None = None

    def write(self, data: object, /) -> int:
        """Write `data`; return the number of bytes handled."""
        view = memoryview(cast("bytes", data))
        while self.error is None:
            try:
                return os.write(self._descriptor, view)
            except BlockingIOError:
                # Another process made the terminal or pipe non-blocking: its reader is only slow.
                select.select([], [self._descriptor], [])
            except OSError as error:
                self.error = error
        return view.nbytes

    def writable(self) -> bool:
        """Say that this file is for output."""
        return True

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Tell whether the stream is a terminal."""
        return os.isatty(self._descriptor)


class StandardStreams:
    """Standard output and standard error of the process, made robust for a block."""

    def __init__(self) -> None:
        """Change nothing before the block begins."""
        self._before = sys.stdout, sys.stderr
        self._files: dict[int, OutputFile] = {}

    def __enter__(self) -> Self:
        """Replace both streams, unless they are not those of the operating system."""
        open_missing_descriptors()
        self._before = sys.stdout, sys.stderr
        sys.stdout = self._replace(sys.stdout, _STDOUT)
        sys.stderr = self._replace(sys.stderr, _STDERR)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Flush what is left, and restore the streams."""
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout, sys.stderr = self._before

    def check(self) -> tuple[str, ...]:
        """Return the streams with lost output, in words; a closed reader counts as no loss."""
        sys.stdout.flush()
        sys.stderr.flush()
        return tuple(
            f"standard {'output' if number == _STDOUT else 'error'}: {file.error.strerror}"
            for number, file in self._files.items()
            if file.error is not None and file.error.errno != errno.EPIPE
        )

    def _replace(self, stream: TextIO | None, descriptor: int) -> TextIO:
        if stream is not None and not _writes_to(stream, descriptor):
            return stream
        self._files[descriptor] = file = OutputFile(descriptor)
        return io.TextIOWrapper(
            io.BufferedWriter(file),
            encoding=stream.encoding if stream is not None else "utf-8",
            errors="backslashreplace",
            line_buffering=descriptor == _STDERR or file.isatty(),
        )


def open_missing_descriptors() -> None:
    """Open descriptors 0 to 2 if they are closed, so that files of a run do not get their numbers.

    A closed standard output then fails when it is written to. A closed standard error discards its
    output: it has only notes, and errors cannot be reported anywhere.
    """
    for descriptor, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is taken, which is this one.
            os.set_inheritable(os.open(os.devnull, mode), True)


def _writes_to(stream: TextIO, descriptor: int) -> bool:
    with suppress(OSError, ValueError):
        stream.flush()
        return stream.fileno() == descriptor
    return False
