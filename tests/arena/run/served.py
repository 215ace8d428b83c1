"""The real vLLM with an untrained stand-in, as `arena serve` starts it."""

import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

_AT = re.compile(r"is served at (\S+?)[;,.]?(?:\s|$)")
_HIDDEN = frozenset({"ARENA_ENDPOINTS", "ARENA_MODELS"})


def home_of(state: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a process that keeps what it knows of servers in `state`."""
    kept = {name: value for name, value in environ.items() if name not in _HIDDEN}
    return {**kept, "XDG_STATE_HOME": str(state), "HF_HUB_OFFLINE": "1"}


def key_of(home: Mapping[str, str], url: str) -> str:
    """Return the key of the server at `url`, which lies in that state."""
    port = urlsplit(url).port
    path = Path(home["XDG_STATE_HOME"]) / "murder-arena" / "servers" / f"{port}.key"
    return path.read_text(encoding="utf-8")


@contextmanager
def served_stand_in(home: Mapping[str, str], profile: str = "stand-in") -> Generator[str]:
    """Keep a stand-in served while the block runs; yield its URL."""
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "serve", profile],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**home, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if found := _AT.search(line):
                yield found[1]
                break
        else:
            raise AssertionError("".join(said))
        process.send_signal(signal.SIGTERM)
        process.wait(60)
