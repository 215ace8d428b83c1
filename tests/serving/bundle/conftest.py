"""A place that stands for the package index, and a bundle that is made of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree

import pytest

import serving.bundle.bundle_builder
from serving.bundle.bundle_builder import BundleSpec, make_bundle
from serving.bundle.bundle_manifest import Manifest
from serving.bundle.target import BundleTarget, this_host
from serving.hub.hub_profile import find_any_profile
from serving.locks import Pin
from tests.serving.bundle.tiny import pin, wheel

Make = Callable[..., Manifest]


@dataclass
class Site:
    """The index as a folder, the lock, the bundle, and what was said while it was made."""

    index: Path
    out: Path
    pins: list[Pin]
    version: str = "7.8.9"
    said: list[str] = field(default_factory=list[str])

    def make(
        self,
        profiles: tuple[str, ...] = (),
        *,
        weights: bool = True,
        image: bool = False,
        engine: str = "cpu",
    ) -> Manifest:
        self.said.clear()
        order = BundleSpec(
            engine="cuda" if engine == "cuda" else "cpu",
            target=this_host(),
            profiles=tuple(find_any_profile(name) for name in profiles),
            weights=weights,
            image=image,
        )
        return make_bundle(self.out, order, say=self.said.append)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return set_up(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a bundle without profiles once; a test takes a copy of it."""
    with pytest.MonkeyPatch.context() as patch:
        made = set_up(tmp_path_factory.mktemp("site"), patch)
        made.make()
    return made.out


@pytest.fixture
def bundle(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a bundle of the test's own, which it may spoil."""
    monkeypatch.delenv("ARENA_MODELS", raising=False)
    return Path(copytree(plain, tmp_path / "bundle"))


def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Make the index in `tmp_path`, and let bundles be made of it."""
    index = tmp_path / "index"
    made = [wheel(index, "left"), wheel(index, "right-one", "2.5")]
    here = Site(index, tmp_path / "bundle", [pin(made[0]), pin(made[1], hashed=False)])

    def pins_for(_engine: str, _target: BundleTarget, _root: Path) -> tuple[Pin, ...]:
        return tuple(here.pins)

    def build_own(into: Path) -> Path:
        return wheel(into, "murder-arena", here.version, script="arena")

    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    for name in ("ARENA_TORCH_INDEX", "ARENA_MODELS", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setattr(serving.bundle.bundle_builder, "pins_for", pins_for)
    monkeypatch.setattr(serving.bundle.bundle_builder, "build_arena_wheel", build_own)
    return here
