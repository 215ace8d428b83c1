"""The real vLLM with a small model, as `arena serve` starts it."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

_AT = re.compile(r"is served at (\S+?)[;,.]?(?:\s|$)")
_HIDDEN = frozenset({"ARENA_ENDPOINTS", "ARENA_MODELS"})


@dataclass(frozen=True, kw_only=True)
class ServedModel:
    """A server that is up, and its owner, the `arena serve` that started it."""

    url: str
    owner: subprocess.Popen[str]
    state: Path
    """Where the owner keeps what it knows of servers."""

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    @property
    def key_file(self) -> Path:
        return self.state / "murder-arena" / "servers" / f"{self.port}.key"

    @property
    def key(self) -> str:
        return self.key_file.read_text(encoding="utf-8")

    @property
    def entry(self) -> dict[str, Any]:
        """What the owner lists of the server: its model, its process, its command line."""
        return json.loads(self.key_file.with_suffix(".json").read_text(encoding="utf-8"))


def home_of(state: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a process that keeps what it knows of servers in `state`."""
    kept = {name: value for name, value in environ.items() if name not in _HIDDEN}
    return {**kept, "XDG_STATE_HOME": str(state), "HF_HUB_OFFLINE": "1"}


@contextmanager
def served_model(home: Mapping[str, str], profile: str) -> Generator[ServedModel]:
    """Keep a model served while the block runs; its processes and its key are gone afterwards."""
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
                break
        else:
            raise AssertionError("".join(said))
        served = ServedModel(url=found[1], owner=process, state=Path(home["XDG_STATE_HOME"]))
        yield served
        left = [one.pid for one in psutil.Process(process.pid).children(recursive=True)]
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    assert left
    assert not [pid for pid in left if psutil.pid_exists(pid)]
    assert not served.key_file.exists()
