"""Make or resume a bundle; a second call downloads only missing or damaged files."""

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from packaging.utils import parse_wheel_filename

from serving.bundle.arena_wheel import ROOT, build_arena_wheel, require_checkout
from serving.bundle.bundle_manifest import (
    PARTIAL_PREFIX,
    BundledModel,
    FileLedger,
    Manifest,
    read_manifest,
    write_manifest,
)
from serving.bundle.bundled_weights import WeightStore
from serving.bundle.check import find_unlisted
from serving.bundle.container_image import IMAGE_ARCHIVE, find_builder, save_image
from serving.bundle.target import BundleTarget
from serving.bundle.wheels import Wheelhouse, pins_for
from serving.errors import ServingError
from serving.locks import Pin
from serving.model_files.profile import GIB, Profile

_HERE: Final = Path(__file__).resolve().parent
_FOLDERS: Final = ("weights", "kernels", "image")
"""The manifest lists every file in them, including files added by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleSpec:
    """The contents of a bundle: one engine for one machine, and the models of some profiles."""

    engine: Literal["cpu", "cuda"]
    target: BundleTarget
    profiles: tuple[Profile, ...] = ()
    weights: bool = True
    image: bool = False


def make_bundle(
    out: Path, order: BundleSpec, *, say: Callable[[str], None], root: Path = ROOT
) -> Manifest:
    """Write the bundle into `out` and return its manifest; `out` can hold a partial bundle.

    Raises `ServingError` with one line if `out` holds other files, an index does not answer, or the
    disk is full.
    """
    require_checkout()
    builder = find_builder() if order.image else ""
    with _report_disk_errors(out), _lock_folder(out):
        return _BundleBuilder(out, order, say, root).make(builder)


@dataclass(slots=True)
class _BundleBuilder:
    out: Path
    order: BundleSpec
    say: Callable[[str], None]
    root: Path
    ledger: FileLedger = field(init=False)
    models: tuple[BundledModel, ...] = ()
    known: dict[str, str] = field(default_factory=dict[str, str])
    version: str = ""
    """The arena's version, once its wheel is built."""

    def __post_init__(self) -> None:
        self.ledger = FileLedger(self.out)

    def make(self, builder: str) -> Manifest:
        self.known = self._read_known()
        for left in sorted(self.out.rglob(f"{PARTIAL_PREFIX}*"), reverse=True):  # of a killed call
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()
        # From here on, an interrupted bundle can be recognised and resumed.
        self._write(whole=False)
        pins = pins_for(self.order.engine, self.order.target, self.root)
        house = Wheelhouse(
            ledger=self.ledger,
            target=self.order.target,
            known=self.known,
            say=self.say,
            after_each=lambda: self._write(whole=False),
        )
        store = WeightStore(ledger=self.ledger, known=self.known, say=self.say)
        if self.order.weights:
            store.report_missing(self.order.profiles)  # before the minutes of the downloads
        house.fill(pins)
        self._add_arena_wheel(house.folder)
        self._drop_old(house.folder)
        self.models = store.add_models(self.order.profiles, copy=self.order.weights)
        manifest = self._finish(store, pins)
        if builder:
            self.ledger.add(save_image(builder, self.out, self.root, self.say))
            manifest = self._finish(store, pins)
        return manifest

    def _finish(self, store: WeightStore, pins: tuple[Pin, ...]) -> Manifest:
        """Add the remaining files, and write the texts and the manifest of a complete bundle."""
        for path in sorted(path for part in _FOLDERS for path in (self.out / part).rglob("*")):
            if path.is_file():
                store.add_file(path)
        self._write_texts(pins)
        return self._write(whole=True)

    def _read_known(self) -> dict[str, str]:
        """Return the hashes of an earlier call's files; check that it had the same target."""
        manifest = read_manifest(self.out)
        if manifest is None:
            if self.out.exists() and any(self.out.iterdir()):
                raise ServingError(f"{self.out} holds other files; name a new or empty folder")
            return {}
        target = self.order.target
        had = (manifest.engine, manifest.python, manifest.machine)
        if had != (self.order.engine, target.python, target.machine):
            raise ServingError(
                f"{self.out} is a bundle of the {had[0]} engine for Python {had[1]} on {had[2]}; "
                "name another folder"
            )
        return {one.path: one.sha256 for one in manifest.files}

    def _add_arena_wheel(self, folder: Path) -> None:
        with tempfile.TemporaryDirectory(dir=self.out, prefix=PARTIAL_PREFIX) as scratch:
            made = build_arena_wheel(Path(scratch))
            self.ledger.add(made.replace(folder / made.name))
        self.version = str(parse_wheel_filename(made.name)[1])

    def _drop_old(self, folder: Path) -> None:
        """Remove old wheels of an earlier call; report files that are not ours."""
        for path in sorted(folder.glob("*.whl")):
            name = path.relative_to(self.out).as_posix()
            if name in self.known and name not in self.ledger.files:
                self.say(f"removed: {name}, which is not in the lock")
                path.unlink()
        for name in find_unlisted(self.out, self.ledger.files):
            if name.startswith(f"{folder.name}/"):
                self.say(f"{name} is not part of this bundle; move it away, or install.sh fails")

    def _write_texts(self, pins: tuple[Pin, ...]) -> None:
        lines = [f"{pin.name}=={pin.version}" for pin in pins]
        lines.append(f"murder-arena=={self.version}")
        requirements = self.out / "requirements.txt"
        requirements.write_text("\n".join([*lines, ""]), encoding="utf-8")
        readme = self.out / "README.md"
        readme.write_text(self._readme(), encoding="utf-8")
        for name in ("check.py", "install.sh"):
            shutil.copy(_HERE / name, self.out / name)
        (self.out / "install.sh").chmod(0o755)
        for name in ("requirements.txt", "README.md", "check.py", "install.sh"):
            self.ledger.add(self.out / name)

    def _readme(self) -> str:
        loader = PackageLoader("serving.bundle", ".")
        env = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)  # noqa: S701 - no HTML
        files = self.ledger.files.values()
        return env.get_template("README.md.jinja").render(
            order=self.order,
            models=self.models,
            image=IMAGE_ARCHIVE in self.ledger.files,
            gib=sum(one.bytes for one in files) / GIB,
        )

    def _write(self, *, whole: bool) -> Manifest:
        """Write the manifest; while incomplete, it includes the files of an earlier call."""
        later = FileLedger(self.out)
        for name, sha256 in ({} if whole else self.known).items():
            path = self.out / name
            if name not in self.ledger.files and path.is_file():
                later.add(path, sha256)
        manifest = Manifest(
            arena=self.version,
            engine=self.order.engine,
            python=self.order.target.python,
            machine=self.order.target.machine,
            whole=whole,
            models=self.models,
            files=tuple(
                sorted((later.files | self.ledger.files).values(), key=lambda one: one.path)
            ),
        )
        write_manifest(self.out, manifest)
        return manifest


@contextmanager
def _lock_folder(out: Path) -> Generator[None]:
    """Lock the folder against a second call; create it if missing."""
    out.mkdir(parents=True, exist_ok=True)
    held = os.open(out, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            busy = f"another `arena bundle` is writing {out}; wait for it"
            raise ServingError(busy) from error
        yield
    finally:
        os.close(held)


@contextmanager
def _report_disk_errors(out: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            full = f"the disk of {out} is full; free some space and run the same command again"
            raise ServingError(full) from error
        raise ServingError(f"{error.filename or out}: {error.strerror or error}") from error
