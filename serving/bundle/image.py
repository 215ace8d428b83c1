"""The container image of a bundle: built from `Dockerfile.gpu` by docker or podman, as one file."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from serving.errors import ServingError

NAME: Final = "murder-arena"
_BUILDERS: Final = ("docker", "podman")


def save_image(into: Path, root: Path, say: Callable[[str], None]) -> Path:
    """Build the image of the checkout and save it as `arena.tar` in a folder; return that file.

    Raises `ServingError` in one line where neither builder is installed or one fails.
    """
    builder = next(filter(None, map(shutil.which, _BUILDERS)), None)
    if builder is None:
        raise ServingError(
            f"--image needs {' or '.join(_BUILDERS)}; install one, or build Dockerfile.gpu there"
        )
    into.mkdir(parents=True, exist_ok=True)
    archive, scratch = into / "arena.tar", into / ".arena.tar"
    say(f"building the image with {builder}; this fetches its base and takes minutes")
    _run([builder, "build", "--file", str(root / "Dockerfile.gpu"), "--tag", NAME, str(root)])
    scratch.unlink(missing_ok=True)
    _run([builder, "save", "--output", str(scratch), NAME])
    return scratch.replace(archive)


def _run(command: list[str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own words
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = done.stdout.strip().splitlines() or ["it said nothing"]
        raise ServingError(f"`{' '.join(command[:2])}` ended with {done.returncode}: {said[-1]}")
