"""The engine's log: its path, the startup stage, and the cause of a failure."""

import contextlib
import re
import time
from pathlib import Path
from typing import Final

from serving.host.private_files import open_private, private_folder
from serving.host.xdg_folders import state_folder

_FOLDER: Final = "logs"
_KEPT: Final = 20
_TAIL_BYTES: Final = 64 * 1024
_SHOWN: Final = 300

_PREFIX: Final = re.compile(
    r"^(\(\w[\w-]*( pid=\d+)?\) ?)?"
    r"((DEBUG|INFO|WARNING|ERROR|CRITICAL):? *(\d\d-\d\d \d\d:\d\d:\d\d )?(\[[\w.]+:\d+\] ?)?)?"
)
_FAULT: Final = re.compile(r"^([\w.]*(Error|Exception|Exit|Interrupt|Killed)\b.*|.*\berror: .*)$")
_INDIRECT: Final = re.compile(
    r"(?i)see (root cause|stack trace) (above|for root cause)|failed core proc"
)
_DULL: Final = re.compile(r"^(\(\w[\w-]*( pid=\d+)?\) ?)?(DEBUG|WARNING)|^Triton is installed")
_WRAPPED: Final = re.compile(r"^ +(?:Value|Assertion) error, (.*?)(?: \[type=.*)?$")
_ENDED: Final = "[arena] "
_STAGES: Final = (
    (re.compile(r"(?i)application startup|Started server|Route: "), "opening its port"),
    (re.compile(r"KV cache size|init engine|Capturing|torch\.compile took"), "warming up"),
    (re.compile(r"(?i)load(ing|ed)? (the )?(model|weights|safetensors)"), "loading the weights"),
    (re.compile(r"max model len|Initializing|Resolved arch"), "reading the model's configuration"),
)
_NOISE: Final = re.compile(
    r"^\s*$|^[\s█▄▀]+|^ |^Traceback|^nanobind|^ ?- (leaked|\.\.\.)|^See https?:"
    r"|^Exception in thread|resource_tracker|warnings\.warn|Warning: |^Route: |HTTP/1\.1\""
)


def new_log(profile: str, port: int) -> Path:
    """Return a fresh path for an engine's log in the state folder; the oldest logs are removed."""
    folder = private_folder(_FOLDER)
    old = sorted(folder.glob("*.log"), key=_modified_time)
    for path in old[: -_KEPT + 1]:
        with contextlib.suppress(OSError):  # Another start removed it, or it is not a file.
            path.unlink()
    name = profile.replace("/", "--")  # hub ids contain slashes
    return folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}-{port}.log"


def read_tail(log: Path, start: int = 0) -> str:
    """Return at most the last 64 KiB of the log, from byte `start` on."""
    file = open_private(log)
    if file is None:
        return ""
    with file:
        size = file.seek(0, 2)
        file.seek(max(start, size - _TAIL_BYTES))
        return file.read(_TAIL_BYTES).decode("utf-8", errors="replace")


def append_failure(log: Path, told: str) -> None:
    """Append the message of a failed start to the log, for `read_failed_starts`."""
    with contextlib.suppress(OSError), log.open("a", encoding="utf-8") as file:
        file.write(f"\n{_ENDED}{told}\n")


def read_failed_starts() -> dict[str, str]:
    """Return the message of each profile's last start, if that failed."""
    logs = sorted(
        (state_folder() / _FOLDER).glob("*.log"), key=lambda log: log.stem.split("-")[-3:-1]
    )
    last = {log.stem.rsplit("-", 3)[0]: log for log in logs}
    ends = {profile: read_tail(log).rstrip().rpartition("\n")[2] for profile, log in last.items()}
    return {
        profile: end.removeprefix(_ENDED)
        for profile, end in sorted(ends.items())
        if end.startswith(_ENDED)
    }


def startup_stage(text: str) -> str:
    """Return the startup stage, by the last line of the log that shows one."""
    for line in reversed(text.splitlines()):
        for mark, told in _STAGES:
            if mark.search(line):
                return told
    return "loading its libraries"


def last_message(text: str) -> str:
    """Return the last informative line, without the engine's prefix."""
    return next(iter(_informative_lines(text, 1)), "")


def failure_cause(text: str) -> str:
    """Return one line: the last error that names a cause, else the last informative lines.

    A settings check of the engine wraps an error into one that only counts errors; the wrapped
    error is the cause.
    """
    lines = [_strip_prefix(line) for line in text.splitlines() if not line.startswith(_ENDED)]
    faults = [line for line in lines if _FAULT.match(line)]
    direct = [line for line in faults if not _INDIRECT.search(line)]
    wrapped = [found[1] for line in lines if (found := _WRAPPED.match(line))]
    if direct or faults:
        cause = (direct or faults)[-1]
        return (wrapped[-1] if wrapped and "ValidationError" in cause else cause)[:_SHOWN]
    return " | ".join(reversed(_informative_lines(text, 3)))[:_SHOWN] or "the log is empty"


def _modified_time(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _informative_lines(text: str, count: int) -> list[str]:
    """Return up to `count` informative lines, the last first."""
    found: list[str] = []
    for line in reversed(text.splitlines()):
        bare = _strip_prefix(line)
        if not _DULL.match(line) and not _NOISE.search(bare):
            found.append(bare.strip())
        if len(found) == count:
            break
    return found


def _strip_prefix(line: str) -> str:
    return _PREFIX.sub("", line, count=1)
