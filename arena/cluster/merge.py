"""Merge: moves whole matches of the shards into the runs of the tournament.

The files of a match are copied and its summary is written last, so that a merge that is stopped
goes on; nothing is removed from the shards. Matches that several workers have finished are compared
event by event.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from arena.cluster.parts import recorded_parts
from arena.errors import ClusterError, RecordError
from arena.records.config import MatchSpec, RunConfig, match_specs
from arena.records.files import atomic_write, ensure_dir
from arena.records.index import rebuild_index
from arena.records.manifest import RunManifest
from arena.records.match_record import CALLS, DONE, EVENTS, PROBE_ANSWERS, MatchRecord
from arena.records.run_folder import MANIFEST_FILE, PICTURES, SCRIPTS
from arena.records.run_record import RunRecord
from arena.records.summary import SUMMARY
from arena.tournament.agreement import check_agreement
from arena.tournament.folder import TournamentFolder, is_run
from arena.tournament.result import digest
from scripts_mm.reading import reason_of

_FILES: Final = (EVENTS, CALLS, PROBE_ANSWERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What a merge did with one run."""

    run: str
    planned: int
    copied: int
    there: int
    """Matches that an earlier merge had copied."""
    duplicates: tuple[str, ...]
    """Matches that several workers finished alike."""
    conflicts: tuple[str, ...]
    """Matches that several workers finished with different events; the first one counts."""
    missing: tuple[str, ...]
    """Matches that no worker has finished."""
    damaged: tuple[str, ...]
    """Matches whose record cannot be read in one shard, and why."""

    def as_object(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return asdict(self)


def merge_shards(folder: TournamentFolder) -> tuple[Merged, ...]:
    """Merge all runs of a tournament; raise `RecordError` where shards do not belong together."""
    parts = {name: tuple(recorded_parts(folder, name)) for name in folder.runs}
    manifests = {
        str(part.path.relative_to(folder.path)): part.manifest
        for some in parts.values()
        for part in some
    }
    check_agreement(manifests)
    return tuple(
        _merge_run(folder, name, config, parts[name])
        for name, config in folder.runs.items()
        if parts[name] or is_run(folder.run_path(name))
    )


def _merge_run(
    folder: TournamentFolder, name: str, config: RunConfig, parts: tuple[RunRecord, ...]
) -> Merged:
    for part in parts:
        if replace(part.config, shard=None) != config:
            raise RecordError(
                f"the shard {str(part.path)!r} was played with another configuration than the "
                f"tournament's run {name!r}; move it away, or restore its {MANIFEST_FILE}"
            )
    target = _open_target(folder, name, config, parts)
    with target.lock():
        merged = _merge_matches(name, config, parts, target)
    rebuild_index(target)
    return merged


def _open_target(
    folder: TournamentFolder, name: str, config: RunConfig, parts: tuple[RunRecord, ...]
) -> RunRecord:
    """Return the run that the matches go to, with the scripts and pictures of all parts."""
    target = RunRecord(path=folder.run_path(name))
    try:
        target.path.mkdir(parents=True, exist_ok=True)
        for part in parts:
            for kind in (SCRIPTS, PICTURES):
                _copy_new(part.path / kind, target.path / kind)
    except OSError as error:
        raise ClusterError(f"cannot write {str(target.path)!r}: {reason_of(error)}") from error
    if not is_run(target.path):
        target.write_manifest(_join_manifests(config, [part.manifest for part in parts]))
    elif target.config != config:
        raise RecordError(
            f"the run {str(target.path)!r} is not the one that the tournament plans; move it away"
        )
    return target


def _join_manifests(config: RunConfig, manifests: list[RunManifest]) -> RunManifest:
    """Return the description of the whole run, with the servers of all workers."""
    first = manifests[0]
    servers = {name: server for one in manifests for name, server in one.servers.items()}
    for name, server in servers.items():
        own = [one.servers[name] for one in manifests if name in one.servers]
        identities = tuple(
            {repr(identity): identity for one in own for identity in one.identities}.values()
        )
        details = {**server.details, "workers": [one.details for one in own]}
        servers[name] = replace(own[0], identities=identities, details=details)
    return replace(first, config=config, servers=servers)


def _merge_matches(
    name: str, config: RunConfig, parts: tuple[RunRecord, ...], target: RunRecord
) -> Merged:
    copied: list[str] = []
    there: list[str] = []
    missing: list[str] = []
    duplicates: list[str] = []
    conflicts: list[str] = []
    damaged: list[str] = []
    for spec in match_specs(config):
        merged = list(_complete(spec, config, (target,), damaged, whole=False))
        found = list(_complete(spec, config, parts, damaged, whole=not merged))
        if merged:
            there.append(spec.id)
        elif found:
            _copy_match(found[0], target.match(spec.id), target)
            copied.append(spec.id)
        else:
            missing.append(spec.id)
        if len(set(map(digest, [*merged, *found]))) > 1:
            conflicts.append(spec.id)
        elif len(found) > 1:
            duplicates.append(spec.id)
    return Merged(
        run=name,
        planned=len(copied) + len(there) + len(missing),
        copied=len(copied),
        there=len(there),
        duplicates=tuple(duplicates),
        conflicts=tuple(conflicts),
        missing=tuple(missing),
        damaged=tuple(damaged),
    )


def _complete(
    spec: MatchSpec,
    config: RunConfig,
    parts: tuple[RunRecord, ...],
    damaged: list[str],
    *,
    whole: bool,
) -> Iterator[MatchRecord]:
    """Yield the records of a match that are complete; `whole`: every event of them is read."""
    for part in parts:
        record = part.match(spec.id)
        try:
            if record.finished(spec, config.options) is None:
                continue
            if whole:
                record.events()
            yield record
        except RecordError as error:
            damaged.append(f"{spec.id}: {error}")


def _copy_match(source: MatchRecord, target: MatchRecord, run: RunRecord) -> None:
    """Copy a match into a run; the summary, which makes it complete, comes last."""
    summary = source.summary()
    assert summary is not None, "the match is complete"
    try:
        ensure_dir(target.path.parent)
        ensure_dir(target.path)
        for file in _FILES:
            if (source.path / file).exists():
                _copy(source.path / file, target.path / file)
        moved = replace(summary, record=str(target.path), run=run.path.name)
        atomic_write(target.path / DONE, SUMMARY.encode_file(moved))
    except OSError as error:
        raise ClusterError(f"cannot write {str(target.path)!r}: {reason_of(error)}") from error


def _copy_new(source: Path, target: Path) -> None:
    """Copy the files of a folder that another folder lacks."""
    if source.is_dir():
        target.mkdir(exist_ok=True)
        for file in source.iterdir():
            if not (target / file.name).exists():
                _copy(file, target / file.name)


def _copy(source: Path, target: Path) -> None:
    """Copy a file, at once or not at all. A link would let a resumed run change the shard."""
    draft = target.with_name(f".{target.name}.copy-{os.getpid()}")
    shutil.copyfile(source, draft)
    draft.replace(target)
