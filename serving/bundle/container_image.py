"""The container image of a bundle: built from `Dockerfile.gpu` by docker or podman, as one file."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from serving.bundle.bundle_manifest import PARTIAL_PREFIX
from serving.errors import ServingError

IMAGE_NAME: Final = "murder-arena"
IMAGE_ARCHIVE: Final = "image/arena.tar"
"""The path of the image in a bundle."""
_BUILDERS: Final = ("docker", "podman")


def find_builder() -> str:
    """Return a working builder. Raises `ServingError` with one line if there is none."""
    installed = [found for found in map(shutil.which, _BUILDERS) if found]
    if not installed:
        raise ServingError(
            f"--image needs {' or '.join(_BUILDERS)}; install one, or build Dockerfile.gpu there"
        )
    for builder in installed[:-1]:
        try:
            return _check_builder(builder)
        except ServingError:
            continue
    return _check_builder(installed[-1])


def save_image(builder: str, out: Path, root: Path, say: Callable[[str], None]) -> Path:
    """Build the image of the checkout and save it as `IMAGE_ARCHIVE` of a bundle; return that file.

    Raises `ServingError` with one line if the builder fails.
    """
    archive = out / IMAGE_ARCHIVE
    archive.parent.mkdir(parents=True, exist_ok=True)
    scratch = archive.with_name(f"{PARTIAL_PREFIX}{archive.name}")
    say(f"building the image with {builder}; this downloads the base image and takes minutes")
    _run([builder, "build", "--file", str(root / "Dockerfile.gpu"), "--tag", IMAGE_NAME, str(root)])
    _run([builder, "save", "--output", str(scratch), IMAGE_NAME])
    return scratch.replace(archive)


def _check_builder(builder: str) -> str:
    """Return the builder if it and its service answer."""
    _run([builder, "info"])
    return builder


def _run(command: list[str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own arguments
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = done.stdout.strip().splitlines() or ["no output"]
        raise ServingError(f"`{' '.join(command[:2])}` ended with {done.returncode}: {said[-1]}")
