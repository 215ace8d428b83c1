"""Make a bundle, or go on with one; a second call fetches only what is missing or damaged."""

import errno
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined

from serving.bundle.image import save_image
from serving.bundle.manifest import (
    BundledModel,
    Ledger,
    Manifest,
    read_manifest,
    write_manifest,
)
from serving.bundle.models import add_models
from serving.bundle.own import ROOT, build_own, need_checkout
from serving.bundle.target import Target
from serving.bundle.wheels import FETCHING, Wheelhouse, pins_for
from serving.errors import ServingError
from serving.locks import Pin
from serving.profile import GIB, Profile

_HERE: Final = Path(__file__).resolve().parent
_OWN: Final = "murder_arena-*.whl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a bundle holds: one engine for one machine, and the models of some profiles."""

    engine: Literal["cpu", "cuda"]
    target: Target
    profiles: tuple[Profile, ...] = ()
    weights: bool = True
    image: bool = False


def make_bundle(
    out: Path, order: Order, *, say: Callable[[str], None], root: Path = ROOT
) -> Manifest:
    """Write the bundle into `out` and return its manifest; `out` may hold a part of it already.

    Raises `ServingError` in one line: a folder of something else, an index that does not answer,
    a full disk.
    """
    need_checkout()
    with _disk(out):
        return _Making(out, order, say, root).make()


@dataclass(slots=True)
class _Making:
    out: Path
    order: Order
    say: Callable[[str], None]
    root: Path
    ledger: Ledger = field(init=False)
    models: tuple[BundledModel, ...] = ()

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.out)

    def make(self) -> Manifest:
        known = self._known()
        self.out.mkdir(parents=True, exist_ok=True)
        for left in self.out.glob(f"{FETCHING}*"):
            shutil.rmtree(left)  # of a call that was killed
        # From here on, what the folder is can be told even where the work is cut short.
        self._write(known, whole=False)
        pins = pins_for(self.order.engine, self.order.target, self.root)
        house = Wheelhouse(
            ledger=self.ledger,
            target=self.order.target,
            known=known,
            say=self.say,
            after_each=lambda: self._write(known, whole=False),
        )
        house.fill(pins)
        self._add_own(house.folder)
        self._drop_others(house.folder)
        if self.order.weights:
            self.models = add_models(self.order.profiles, self.ledger, known, self.say)
        for path in sorted((self.out / "kernels").glob("*.whl")):
            self.ledger.add(path)
        if self.order.image:
            self.ledger.add(save_image(self.out / "image", self.root, self.say))
        self._write_texts(pins)
        return self._write({}, whole=True)

    def _known(self) -> dict[str, str]:
        """Return what an earlier call wrote, after checking that it was for the same thing."""
        manifest = read_manifest(self.out)
        if manifest is None:
            if self.out.exists() and any(self.out.iterdir()):
                raise ServingError(
                    f"{self.out} holds something else; name a new or an empty folder"
                )
            return {}
        target = self.order.target
        had = (manifest.engine, manifest.python, manifest.machine)
        if had != (self.order.engine, target.python, target.machine):
            raise ServingError(
                f"{self.out} is a bundle of the {had[0]} engine for Python {had[1]} on {had[2]}; "
                "name another folder"
            )
        return {one.path: one.sha256 for one in manifest.files}

    def _add_own(self, folder: Path) -> None:
        for old in folder.glob(_OWN):
            old.unlink()
        self.ledger.add(build_own(folder))

    def _drop_others(self, folder: Path) -> None:
        """Remove the wheels that a newer lock no longer names."""
        for path in folder.iterdir():
            if path.relative_to(self.out).as_posix() not in self.ledger.files:
                self.say(f"removed: wheels/{path.name}, which the lock does not name")
                path.unlink()

    def _write_texts(self, pins: tuple[Pin, ...]) -> None:
        lines = [f"{pin.name}=={pin.version}" for pin in pins]
        lines.append(f"murder-arena=={version('murder-arena')}")
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
            image=self.order.image,
            gib=sum(one.bytes for one in files) / GIB,
        )

    def _write(self, known: dict[str, str], *, whole: bool) -> Manifest:
        """Write the manifest; of what an earlier call had, until it is looked at again."""
        later = Ledger(self.out)
        for name, sha256 in known.items():
            path = self.out / name
            if name not in self.ledger.files and path.is_file():
                later.add(path, sha256)
        manifest = Manifest(
            arena=version("murder-arena"),
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
def _disk(out: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            full = f"the disk of {out} is full; free some space and run the same command again"
            raise ServingError(full) from error
        raise ServingError(f"{error.filename or out}: {error.strerror or error}") from error
