"""The wheels of a bundle: downloaded by pip, each once, and checked against the lock's hashes."""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from serving.bundle.bundle_manifest import PARTIAL_PREFIX, FileLedger
from serving.bundle.check import file_digest
from serving.bundle.target import BundleTarget
from serving.errors import ServingError
from serving.locks import Pin, lock_path, read_lock

TORCH_INDEX: Final = "ARENA_TORCH_INDEX"
"""The variable that names an index with PyTorch for the CPU, if the default one has none."""

_AT_ONCE: Final = 8
"""Packages per call of pip: finished calls survive an interruption."""
_LAST_LINES: Final = 8
_FULL: Final = ("No space left", "Errno 28")
_CUT_OFF: Final = ("ConnectionError", "ReadTimeoutError", "ProxyError", "name resolution")
_ABSENT: Final = ("No matching distribution", "Could not find a version")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheelhouse:
    """A folder of wheels for one machine; `known` has the SHA-256 of wheels of an earlier call."""

    ledger: FileLedger
    target: BundleTarget
    known: Mapping[str, str]
    say: Callable[[str], None]
    after_each: Callable[[], object]
    """Called after each batch of wheels, so that an interruption loses little."""

    @property
    def folder(self) -> Path:
        """The folder of the wheels."""
        return self.ledger.folder / "wheels"

    def fill(self, pins: Sequence[Pin]) -> None:
        """Complete the folder to one valid wheel per pin; download only missing ones.

        Raises `ServingError` with one line that names the packages if that fails.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        missing = [pin for pin in pins if not self._has(pin)]
        if missing:
            self.say(
                f"{len(pins) - len(missing)} of {len(pins)} packages are here, downloading the rest"
            )
        for batch in _batches(missing):
            self._fetch(batch)
            self.after_each()
            self.say(f"  {', '.join(f'{pin.name} {pin.version}' for pin in batch)}")

    def _has(self, pin: Pin) -> bool:
        for path in find_wheels(pin, self.folder):
            found = file_digest(path)
            if found in pin.hashes or self.known.get(f"wheels/{path.name}") == found:
                self.ledger.add(path, found)
                return True
            self.say(f"wheels/{path.name} is damaged or incomplete: downloading it again")
            path.unlink()
        return False

    def _fetch(self, pins: Sequence[Pin]) -> None:
        with tempfile.TemporaryDirectory(dir=self.ledger.folder, prefix=PARTIAL_PREFIX) as scratch:
            into, asked = Path(scratch) / "files", Path(scratch) / "asked.txt"
            into.mkdir()
            asked.write_text("".join(f"{pin.line()}\n" for pin in pins), encoding="utf-8")
            words = ["download", "--no-deps", "-d", str(into), "-r", str(asked)]
            names = ", ".join(f"{pin.name}=={pin.version}" for pin in pins)
            run_pip([*words, *self._index_args(pins)], f"cannot download {names}")
            for source in sorted(into.iterdir()):
                if source.suffix != ".whl":
                    self._build(source, into)
            for path in sorted(into.glob("*.whl")):
                self.ledger.add(path.replace(self.folder / path.name))

    def _index_args(self, pins: Sequence[Pin]) -> list[str]:
        words = self.target.pip_args()
        index = os.environ.get(TORCH_INDEX, "")
        if index and not any(pin.hashes for pin in pins):
            words += ["--index-url", index]
        return words

    def _build(self, source: Path, into: Path) -> None:
        """Build the wheel of a package that is published only as source."""
        before = set(into.iterdir())
        words = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(into)]
        run_pip([*words, str(source)], f"{source.name} cannot be built")
        made = set(into.iterdir()) - before
        if not self.target.is_here and not all(one.name.endswith("-none-any.whl") for one in made):
            raise ServingError(
                f"{source.name} must be compiled; make this bundle on a {self.target.machine} with "
                f"Python {self.target.python}"
            )


def pins_for(engine: str, target: BundleTarget, root: Path) -> tuple[Pin, ...]:
    """Return the packages of an engine on a machine, PyTorch for the CPU first."""
    held = [pin for pin in read_lock(lock_path(engine)) if pin.applies_to(target.markers())]
    return (*(torch_pins(root) if engine == "cpu" else ()), *held)


def _batches(pins: Sequence[Pin]) -> Iterator[Sequence[Pin]]:
    """Split pins into batches for pip, which requires hashes for all packages or for none."""
    for hashed in (False, True):
        alike = [pin for pin in pins if bool(pin.hashes) == hashed]
        for first in range(0, len(alike), _AT_ONCE):
            yield alike[first : first + _AT_ONCE]


def find_wheels(pin: Pin, folder: Path) -> list[Path]:
    """Return the wheels in a folder with a pin's name and version, of any build."""
    return [path for path in sorted(folder.glob("*.whl")) if _matches(pin, path)]


def run_pip(words: Iterable[str], trouble: str) -> None:
    """Run this Python's pip. Raises `ServingError` with one line: `trouble` and the reason."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "pip", *words],
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_PROGRESS_BAR": "off"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise ServingError(f"{trouble}: {_failure_reason(done.stdout)}")


def _failure_reason(everything: str) -> str:
    # Only the last lines count: pip continues after a connection that it could restore.
    lines = everything.strip().splitlines()[-_LAST_LINES:] or ["pip failed"]
    said = "\n".join(lines)
    if any(sign in said for sign in _FULL):
        return "the disk is full; free some space and run the same command again"
    if any(sign in said for sign in _CUT_OFF):
        return "the package index does not answer; run the same command again when it does"
    faults = [line for line in lines if line.startswith("ERROR: ")]
    absent = [line for line in faults if any(sign in line for sign in _ABSENT)]
    if absent:
        named = re.sub(r" \(from .*", "", absent[-1].removeprefix("ERROR: "))
        hint = f"; name an index that has it: {TORCH_INDEX}" if "torch" in named else ""
        return f"{named}{hint}"
    return (faults or lines)[-1].removeprefix("ERROR: ")


def torch_pins(root: Path) -> list[Pin]:
    """Return the pins of PyTorch's CPU builds; torch itself has the local version `+cpu`."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [Requirement(one) for one in project["optional-dependencies"]["cpu"]]
    torch = [one for one in named if one.name.startswith("torch")]
    pinned = [Requirement(f"{one}+cpu" if one.name == "torch" else str(one)) for one in torch]
    return [Pin(requirement=one, hashes=frozenset()) for one in pinned]


def _matches(pin: Pin, path: Path) -> bool:
    try:
        name, version, _, _ = parse_wheel_filename(path.name)
    except InvalidWheelFilename:
        return False
    wanted = pin.requirement.specifier
    return name == canonicalize_name(pin.name) and wanted.contains(version, prereleases=True)
