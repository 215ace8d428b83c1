"""The command line with a planted fault: `python -m tests.campaign.planted FAULT COMMAND ...`.

Each fault is one that the campaign must report; `test_campaign.py` shows that it does.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import rmtree
from types import MappingProxyType
from typing import Any, Final

from arena.cli.main import run
from arena.models.http.http_transport import HttpTransport
from arena.records.run_manifest import ServerRecord
from arena.run import launch
from arena.run.match import match_session
from arena.run.servers import resume_checks
from arena.run.servers.model_pool import ModelPool
from tests.campaign.stage import KEY_VARIABLE

_HELD_BYTES: Final = 600_000_000
_SLEEP_SECONDS: Final = 30
_ODD_STATUS: Final = 3
_BUSY: Final = 429


def main() -> None:
    """Plant the fault that the first word names, then run the command line."""
    fault = sys.argv.pop(1)
    BEFORE.get(fault, _nothing)()
    try:
        run()
    finally:
        AFTER.get(fault, _nothing)()


def _nothing() -> None:
    """Plant nothing."""


def _run_folder() -> Path:
    words = sys.argv
    return Path(words[words.index("--out") + 1] if "--out" in words else words[2])


def _first(pattern: str) -> Path:
    return min(_run_folder().glob(pattern))


def _change_lines(pattern: str, change: Callable[[list[str]], list[str]]) -> None:
    path = _first(pattern)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(change(lines)), encoding="utf-8")


def _lose_event() -> None:
    _change_lines("matches/*/events.jsonl", lambda lines: [*lines[:9], *lines[10:]])


def _lose_call() -> None:
    _change_lines("matches/*/calls.jsonl", lambda lines: lines[:-1])


def _record_twice() -> None:
    _change_lines("matches/*/calls.jsonl", lambda lines: [*lines, lines[-1]])


def _change_finished() -> None:
    for path in _run_folder().glob("matches/*/done.json"):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def _forget_unfinished() -> None:
    for folder in _run_folder().glob("matches/*"):
        if not (folder / "done.json").exists():
            rmtree(folder)


def _lose_index() -> None:
    (_run_folder() / "index.sqlite").unlink()


def _print_traceback() -> None:
    sys.stderr.write("Traceback (most recent call last):\n  planted\nValueError: planted\n")


def _print_words() -> None:
    sys.stdout.write("these words are no JSON\n")


def _leak_key() -> None:
    sys.stderr.write(f"asked with {os.environ[KEY_VARIABLE]}\n")


def _end_oddly() -> None:
    sys.stdout.flush()
    os._exit(_ODD_STATUS)


def _leave_process() -> None:
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({_SLEEP_SECONDS})"])


def _hold_memory() -> None:
    bytearray(_HELD_BYTES)[::4096] = b"x" * len(range(0, _HELD_BYTES, 4096))


def _ask_twice() -> None:
    original = HttpTransport.request

    async def request(self: HttpTransport, path: str, *words: Any, **named: Any) -> Any:
        if path.endswith("completions"):
            await original(self, path, *words, **named)
        return await original(self, path, *words, **named)

    HttpTransport.request = request


def _skip_busy() -> None:
    original = HttpTransport.request

    async def request(self: HttpTransport, path: str, *words: Any, **named: Any) -> Any:
        response = await original(self, path, *words, **named)
        if response.status == _BUSY:
            await asyncio.Event().wait()
        return response

    HttpTransport.request = request


def _take_any_server() -> None:
    def accept(recorded: Mapping[str, ServerRecord], pool: ModelPool) -> ModelPool:
        del recorded
        return pool

    launch.check_same_models = accept


def _lose_flag() -> None:
    for module in (resume_checks, match_session):
        vars(module)["SERVER_CHANGED"] = "planted"


BEFORE: Final[Mapping[str, Callable[[], None]]] = MappingProxyType(
    {
        "ask-twice": _ask_twice,
        "skip-busy": _skip_busy,
        "hold-memory": _hold_memory,
        "change-finished": _change_finished,
        "forget-unfinished": _forget_unfinished,
        "take-any-template": _take_any_server,
        "lose-flag": _lose_flag,
    }
)
"""Faults that are planted before the command runs."""
AFTER: Final[Mapping[str, Callable[[], None]]] = MappingProxyType(
    {
        "lose-event": _lose_event,
        "lose-call": _lose_call,
        "record-twice": _record_twice,
        "lose-index": _lose_index,
        "print-traceback": _print_traceback,
        "print-words": _print_words,
        "leak-key": _leak_key,
        "end-oddly": _end_oddly,
        "leave-process": _leave_process,
    }
)
"""Faults that are planted when the command is over."""


if __name__ == "__main__":
    main()
