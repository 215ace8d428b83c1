"""Console script `arena`: set-up of the process before the commands are imported.

Importing them takes a second. During the import, and after the last line of output, Ctrl-C ends the
process immediately; while a command runs, it raises `KeyboardInterrupt`, as the command expects.
"""

import os
import signal
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from arena.cli.console.standard_streams import StandardStreams
from arena.cli.exit_status import BAD_INPUT, FAILED, INTERRUPTED

MAX_TERMINAL_CELLS = 1000
"""Maximum columns or lines of a terminal: a wall of screens has some 600, tables need at most 400,
and drawing takes time and memory proportional to the width.
"""


def run() -> NoReturn:
    """Run the command line; a user error is one line and exit status 2."""
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heard:
        signal.signal(signal.SIGINT, _quit)
    with StandardStreams() as streams:
        try:
            status = _run(is_heard=is_heard)
        except KeyboardInterrupt:
            sys.stderr.write("interrupted\n")
            status = INTERRUPTED
        for line in streams.check():
            status = _fail(f"output was lost, cannot write to {line}", status or FAILED)
    sys.exit(status)


def limit_terminal_size(env: MutableMapping[str, str]) -> None:
    """Remove invalid terminal sizes from `env`, and reduce impossibly large ones."""
    for name in ("COLUMNS", "LINES"):
        text = env.get(name, "")
        if not (text.isascii() and text.isdigit() and text.strip("0")):
            env.pop(name, None)
        elif len(text) > len(str(MAX_TERMINAL_CELLS)) or int(text) > MAX_TERMINAL_CELLS:
            env[name] = str(MAX_TERMINAL_CELLS)


def _run(*, is_heard: bool) -> int:
    try:
        Path.cwd()
    except OSError as error:
        line = (
            f"the current folder no longer exists ({error.strerror}); change to a folder that "
            "exists"
        )
        return _fail(line, BAD_INPUT)
    limit_terminal_size(os.environ)
    # Ctrl-C must not end in the traceback of an import.
    from pydantic_core import SchemaError  # noqa: PLC0415

    from arena.cli.app import build_app, execute  # noqa: PLC0415

    app = build_app(*sys.argv[1:2])
    try:
        if is_heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return execute(app)
    except SchemaError as error:
        # What pydantic makes of a Ctrl-C while it builds a validator.
        if "KeyboardInterrupt" not in str(error):
            raise
        raise KeyboardInterrupt from error
    finally:
        if is_heard:
            signal.signal(signal.SIGINT, _quit)


def _quit(number: int, frame: FrameType | None) -> None:
    """End immediately: nothing that needs an orderly end is running."""
    del number, frame
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _fail(line: str, status: int) -> int:
    sys.stderr.write(f"error: {line}\n")
    return status
