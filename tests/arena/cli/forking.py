"""The program in a process of its own, forked from this one: its imports are paid for already."""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn, Self, TextIO

from arena.cli import main
from arena.cli.console.standard_streams import StandardStreams
from tests.arena.cli.conftest import Told

MOST_SECONDS = 60
CRASHED = 99


def ignore() -> None:
    """Change nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    """A program that has begun."""

    pid: int
    out: Path
    err: Path

    def wait(self) -> Told:
        """Return how it ended; a signal is a negative status."""
        _, ended = os.waitpid(self.pid, 0)
        return Told(
            status=os.waitstatus_to_exitcode(ended),
            out=self.out.read_text("utf-8", errors="surrogateescape"),
            err=self.err.read_text("utf-8", errors="surrogateescape"),
        )


def run_forked(folder: Path, *words: str, arrange: Callable[[], None] = ignore) -> Told:
    """Run `arena WORDS...` in `folder`, after `arrange` has changed its process; return its end."""
    with forked(folder, *words, arrange=arrange) as program:
        return program.wait()


@contextmanager
def forked(folder: Path, *words: str, arrange: Callable[[], None] = ignore) -> Generator[Forked]:
    """Start `arena WORDS...` as `run_forked` does, for the block to wait for."""
    outside = folder.with_name(f"{folder.name}-streams")
    outside.mkdir(exist_ok=True)
    out, err = outside / "out", outside / "err"
    ready, starting = os.pipe()
    pid = os.fork()
    if not pid:
        _become(folder, words, (out, err), arrange, starting)
    os.close(starting)
    os.read(ready, 1)
    os.close(ready)
    yield Forked(pid=pid, out=out, err=err)


def send(descriptor: int, target: Path | str) -> None:
    """Send what the process writes to `descriptor` to a file."""
    opened = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(opened, descriptor)
    os.close(opened)


def _become(
    folder: Path,
    words: tuple[str, ...],
    streams: tuple[Path, Path],
    arrange: Callable[[], None],
    starting: int,
) -> NoReturn:
    """Be the program until the end of the process."""
    status = CRASHED
    try:
        signal.alarm(MOST_SECONDS)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor, path in enumerate(streams, start=1):
            send(descriptor, path)
        arrange()
        sys.stdout, sys.stderr = _stream(1, "strict"), _stream(2, "backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
        sys.argv = ["arena", *words]
        main.StandardStreams = partial(_Starting, starting)  # pyright: ignore[reportAttributeAccessIssue]
        main.run()
    except SystemExit as ended:
        status = int(ended.code or 0)
    except BaseException:  # noqa: BLE001 - what the program lets through is what is looked for
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


class _Starting(StandardStreams):
    """Streams of a program that tells when it has begun, and hears signals its own way."""

    def __init__(self, told: int) -> None:
        super().__init__()
        self._told = told

    def __enter__(self) -> Self:
        os.write(self._told, b".")
        return super().__enter__()


def _stream(descriptor: int, errors: str) -> TextIO | None:
    """Return a stream as the interpreter opens it at its start: None where there is none."""
    try:
        os.fstat(descriptor)
    except OSError:
        return None
    return os.fdopen(descriptor, "w", encoding="utf-8", errors=errors, closefd=False)
