"""The weights of a bundle: copied from this host, each file once."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from serving.bundle.bundle_manifest import PARTIAL_PREFIX, BundledModel, FileLedger
from serving.bundle.check import BLOCK, file_digest
from serving.errors import ServingError
from serving.hub.hub_profile import hub_profile
from serving.model_files.profile import Profile, load_profiles
from serving.model_files.weights import (
    MODELS_VARIABLE,
    find_weights,
    models_folder,
    weights_problem,
)
from serving.resolution.consent import PICKLE, is_allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightStore:
    """The folder `weights/` of a bundle; `known` has the SHA-256 of files of an earlier call."""

    ledger: FileLedger
    known: Mapping[str, str]
    say: Callable[[str], None]

    def add_models(self, profiles: Sequence[Profile], *, copy: bool) -> tuple[BundledModel, ...]:
        """Add the weights in the bundle, and with `copy` those on this host.

        Models in the bundle count even if they are not in `profiles`.
        """
        every = [*load_profiles().values(), *profiles, *self._hub_profiles()]
        taken = {one.name: one for one in every if one in profiles or self._folder(one).is_dir()}
        return tuple(self._add(profile, copy=copy) for profile in taken.values())

    def report_missing(self, profiles: Sequence[Profile]) -> None:
        """Name the weights that are neither in the bundle nor on this host."""
        for profile in profiles:
            if profile.is_substitute or not _find_problem(profile, self._folder(profile)):
                continue
            weights = find_weights(profile, models_folder(os.environ))
            if not weights.local:
                why = weights.broken or "they are not on this host"
                self.say(
                    f"no weights of {profile.name}: {why}; `arena fetch {profile.name}` fetches "
                    "them, or the bundle has none (Ctrl-C ends this call)"
                )

    def _hub_profiles(self) -> Iterator[Profile]:
        """Yield the computed profiles of `hf:ORG/NAME` models in the bundle."""
        weights = self.ledger.folder / "weights"
        for config in sorted(weights.glob("*/*/config.json")):
            hub_id = config.parent.relative_to(weights).as_posix()
            try:
                yield hub_profile(hub_id, {**os.environ, MODELS_VARIABLE: str(weights)})
            except ServingError as error:
                self.say(f"weights/{hub_id} is kept without a profile: {error}")

    def _folder(self, profile: Profile) -> Path:
        return self.ledger.folder / "weights" / profile.folder

    def _add(self, profile: Profile, *, copy: bool) -> BundledModel:
        folder = self._folder(profile)
        if profile.is_substitute:
            self.say(f"{profile.name} is part of the arena and needs no weights")
        elif _find_problem(profile, folder) or any([*map(self.add_file, _files(folder))]):
            self._copy_local(profile, copy=copy)
        whole = not profile.is_substitute and not _find_problem(profile, folder)
        name = f"weights/{profile.folder}" if whole else ""
        return BundledModel(profile=profile.name, hub_id=profile.hub_id, folder=name)

    def add_file(self, path: Path) -> bool:
        """Add a file unless the ledger has it; return whether it changed since an earlier call."""
        name = path.relative_to(self.ledger.folder).as_posix()
        if path.is_symlink():
            _copy_file(path, path)  # replaces a link, which breaks on another host
        if name in self.ledger.files:
            return False
        entered = self.ledger.add(path)
        changed = self.known.get(name, entered.sha256) != entered.sha256
        if changed:
            self.say(f"{name} differs from the file of the last call")
        return changed

    def _copy_local(self, profile: Profile, *, copy: bool) -> None:
        folder = self._folder(profile)
        weights = find_weights(profile, models_folder(os.environ))
        if copy and weights.local:
            self.say(f"{profile.name}: copying {weights.path}")
            self._copy_folder(Path(weights.path), folder)
        elif _find_problem(profile, folder):
            why = weights.broken or "they are not on this host"
            self.say(f"no weights of {profile.name} in the bundle{f': {why}' if copy else ''}")

    def _copy_folder(self, source: Path, into: Path) -> None:
        # config.json is copied last: without it a folder is incomplete, so an interrupted copy
        # resumes.
        files = sorted(_files(source), key=lambda file: file == source / "config.json")
        for file in files:
            to = into / file.relative_to(source)
            wanted = self.known.get(to.relative_to(self.ledger.folder).as_posix(), "")
            if to.is_file() and to.stat().st_size == file.stat().st_size:
                found = file_digest(to)
                if found == (wanted or file_digest(file)):
                    self.ledger.add(to, found)
                    continue
            to.parent.mkdir(parents=True, exist_ok=True)
            self.ledger.add(to, _copy_file(file, to))


def _find_problem(profile: Profile, folder: Path) -> str:
    return weights_problem(profile, folder, pickled=is_allowed(PICKLE, os.environ))


def _copy_file(source: Path, to: Path) -> str:
    """Copy a file atomically; return its SHA-256."""
    made, scratch = hashlib.sha256(), to.with_name(f"{PARTIAL_PREFIX}{to.name}")
    with source.open("rb") as read, scratch.open("wb") as written:
        while block := read.read(BLOCK):
            made.update(block)
            written.write(block)
    scratch.replace(to)
    return made.hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
