"""The program on a terminal of its own: a person that reads the screen, and types at a prompt."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyte

from arena.cli import main

COLUMNS, LINES = 110, 50
MOST_SECONDS = 60
CRASHED = 99
_ESCAPES = re.compile(r"\x1b\][^\x07]*\x07|\x1b[\[(][0-9;?]*[A-Za-z]|\x1b[=>78]|\r")
_PROMPT = re.compile(r"(\S.*) >\s*")


class Screen(pyte.Screen):
    """A terminal's screen, which answers where the cursor is."""

    def __init__(self, handle: int) -> None:
        super().__init__(COLUMNS, LINES)
        self._handle = handle

    def write_process_input(self, data: str) -> None:
        """Answer the program."""
        os.write(self._handle, data.encode())

    @property
    def line(self) -> str:
        """The line in which the cursor is."""
        return self.display[self.cursor.y].rstrip()


class Terminal:
    """A program on a terminal: all that it printed, its screen, and what is typed."""

    def __init__(self, pid: int, handle: int) -> None:
        self.pid, self._handle = pid, handle
        self._screen = Screen(handle)
        self._stream = pyte.ByteStream(self._screen)
        self._raw = b""
        self._has_ended = False
        self.status: int | None = None

    @property
    def text(self) -> str:
        """All that was printed, without colours and movements of the cursor."""
        return _ESCAPES.sub("", self._raw.decode("utf-8", errors="replace"))

    def wait_for(self, words: str) -> None:
        """Wait until `words` were printed."""
        self._wait(lambda: words in self.text, words)

    def wait_for_prompt(self, end: str = "\0") -> str:
        """Wait for an empty prompt; return its label, or `end` where that is printed before."""
        self._wait(lambda: self._label() is not None or end in self.text, "a prompt")
        return self._label() or end

    def type(self, line: str) -> None:
        """Type a line, see it on the screen, and press Enter."""
        self.wait_for_prompt()
        os.write(self._handle, line.encode())
        shown = f"> {line}".rstrip()
        self._wait(lambda: self._screen.line.endswith(shown), line)
        before = self._screen.line
        count = len(self._raw)
        os.write(self._handle, b"\r")
        self._wait(lambda: self._screen.line != before or len(self._raw) > count + 200, "Enter")

    def press(self, key: str) -> None:
        """Press one key."""
        os.write(self._handle, key.encode())

    def finish(self) -> int:
        """Wait for the end of the program; return its exit status."""
        self._wait(lambda: self._has_ended, "the end")
        if self.status is None:
            _, ended = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(ended)
        return self.status

    def _label(self) -> str | None:
        found = _PROMPT.fullmatch(self._screen.line)
        return found.group(1) if found else None

    def _wait(self, is_there: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + MOST_SECONDS
        while not is_there():
            assert time.monotonic() < end, f"no {what!r} in:\n{self.text[-3000:]}"
            if self._has_ended:
                raise AssertionError(f"ended without {what!r}:\n{self.text[-3000:]}")
            self._take()

    def _take(self) -> None:
        """Read what is there, for at most a moment."""
        ready, _, _ = select.select([self._handle], [], [], 0.2)
        if not ready:
            return
        try:
            data = os.read(self._handle, 65536)
        except OSError:
            data = b""
        self._has_ended |= not data
        self._raw += data
        self._stream.feed(data)


@contextmanager
def terminal(folder: Path, *words: str, term: str = "xterm-256color") -> Generator[Terminal]:
    """Run `arena WORDS...` in `folder` on a new terminal; it is killed where it does not end."""
    pid, handle = pty.fork()
    if not pid:
        _become(folder, words, term)
    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    program = Terminal(pid, handle)
    try:
        yield program
    finally:
        os.close(handle)
        if program.status is None:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, 9)
                os.waitpid(pid, 0)


def _become(folder: Path, words: tuple[str, ...], term: str) -> None:
    status = CRASHED
    try:
        os.chdir(folder)
        os.environ["TERM"] = term
        os.environ.pop("NO_COLOR", None)
        os.environ["COLUMNS"], os.environ["LINES"] = str(COLUMNS), str(LINES)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        sys.argv = ["arena", *words]
        main.run()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else CRASHED
    finally:
        os._exit(status)
