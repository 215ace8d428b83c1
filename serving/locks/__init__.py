"""The locks: the version of every package of an environment, with the hashes of its files.

`cpu.txt` and `cuda.txt` have the packages of the arena and one engine, `cpu-dev.txt` and
`cuda-dev.txt` the further packages of its tests. They are valid for Linux and every supported
Python. PyTorch for the CPU is in no lock, as its builds differ by index: pyproject.toml has its
versions. `python -m serving.locks` (`make lock`) resolves and writes the locks.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement

from serving.errors import ServingError

LOCKS_FOLDER: Final = Path(__file__).resolve().parent

_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One package of a lock: its requirement (`name==version` and a marker) and its files.

    `hashes` are SHA-256 in hexadecimal; empty for a package whose files differ by index.
    """

    requirement: Requirement
    hashes: frozenset[str]

    @property
    def name(self) -> str:
        """The package's name as the lock writes it."""
        return self.requirement.name

    @property
    def version(self) -> str:
        """The locked version."""
        return next(iter(self.requirement.specifier)).version

    def applies_to(self, environment: Mapping[str, str]) -> bool:
        """Return whether a machine with these environment markers needs the package."""
        marker = self.requirement.marker
        return marker is None or marker.evaluate(dict(environment))

    def line(self) -> str:
        """Return the pin as a line of a requirements file, without its marker."""
        hashes = "".join(f" --hash=sha256:{one}" for one in sorted(self.hashes))
        return f"{self.name}=={self.version}{hashes}"


def lock_path(name: str) -> Path:
    """Return the path of a lock: `cpu`, `cuda`, `cpu-dev` or `cuda-dev`."""
    return LOCKS_FOLDER / f"{name}.txt"


def read_lock(path: Path) -> tuple[Pin, ...]:
    """Read a lock. Raises `ServingError` with one line if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
        return tuple(_parse_pins(text))
    except (OSError, InvalidRequirement, ValueError) as error:
        why = str(error).partition("\n")[0]
        raise ServingError(f"the lock {path} cannot be read: {why}; see `make lock`") from error


def _parse_pins(text: str) -> Iterator[Pin]:
    for line in text.replace("\\\n", " ").splitlines():
        stated = line.partition("#")[0].strip()
        if not stated:
            continue
        requirement = Requirement(stated.partition(" --hash")[0])
        if [one.operator for one in requirement.specifier] != ["=="]:
            raise ValueError(f"{requirement} names no single version")
        yield Pin(requirement=requirement, hashes=frozenset(_HASH.findall(stated)))
