"""The weights of a bundle: copied from where they are on this host, each file once."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from serving.bundle.check import BLOCK, digest
from serving.bundle.manifest import BundledModel, Ledger
from serving.profile import Profile
from serving.weights import find_weights, models_folder


def add_models(
    profiles: Sequence[Profile],
    ledger: Ledger,
    known: Mapping[str, str],
    say: Callable[[str], None],
) -> tuple[BundledModel, ...]:
    """Copy the weights that are on this host into `weights/`; say which are not.

    `known` has the SHA-256 of files of an earlier call: a file that still has it is not copied.
    """
    models = [_add(profile, ledger, known, say) for profile in profiles]
    return tuple(models)


def _add(
    profile: Profile, ledger: Ledger, known: Mapping[str, str], say: Callable[[str], None]
) -> BundledModel:
    folder = ""
    weights = find_weights(profile, models_folder(os.environ))
    if profile.stand_in:
        say(f"{profile.name} is made on the spot and needs no weights")
    elif weights.local:
        folder = f"weights/{profile.name}"
        say(f"{profile.name}: copying {weights.path}")
        _copy(Path(weights.path), ledger.folder / folder, ledger, known)
    else:
        why = weights.broken or "they are in no folder of this host"
        say(f"no weights of {profile.name} in the bundle: {why}")
    return BundledModel(profile=profile.name, hub_id=profile.hub_id, folder=folder)


def _copy(source: Path, into: Path, ledger: Ledger, known: Mapping[str, str]) -> None:
    # Files of the hub's cache are links to elsewhere, which are no use on another host.
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        to = into / file.relative_to(source)
        wanted = known.get(to.relative_to(ledger.folder).as_posix(), "")
        if to.is_file() and to.stat().st_size == file.stat().st_size:
            found = digest(to)
            if found == (wanted or digest(file)):
                ledger.add(to, found)
                continue
        to.parent.mkdir(parents=True, exist_ok=True)
        ledger.add(to, _copied(file, to))


def _copied(source: Path, to: Path) -> str:
    """Copy a file, seen whole or not at all; return its SHA-256."""
    made, scratch = hashlib.sha256(), to.with_name(f".{to.name}.part")
    with source.open("rb") as read, scratch.open("wb") as written:
        while block := read.read(BLOCK):
            made.update(block)
            written.write(block)
    scratch.replace(to)
    return made.hexdigest()
