"""Merge: copies whole matches of the shards into the runs of the tournament.

The files of a match are copied and its summary is written last, so an interrupted merge can be
continued; nothing is removed from the shards. Matches that several workers have finished are
compared event by event.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from arena.cluster.shard_records import find_parts
from arena.errors import RecordError
from arena.records.match_record import CALLS, EVENTS, PROBE_ANSWERS, MatchRecord
from arena.records.record_files import atomic_copy, ensure_dir
from arena.records.run_config import MatchSpec, RunConfig, match_specs
from arena.records.run_folder import MANIFEST_FILE, PICTURES, SCRIPTS, iterate_files
from arena.records.run_manifest import RunManifest, ServerRecord
from arena.records.run_record import RunRecord
from arena.records.sqlite_index import rebuild_index
from arena.tournament.folder import TournamentFolder, is_run
from arena.tournament.result import hash_events
from arena.tournament.run_agreement import check_agreement

_FILES: Final = (EVENTS, CALLS, PROBE_ANSWERS)
_WORKERS: Final = "workers"
"""Key in the details of a merged server: the details of each worker's server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeResult:
    """Result of merging one run."""

    run: str
    planned: int
    copied: int
    there: int
    """Matches that an earlier merge had copied."""
    duplicates: tuple[str, ...]
    """Matches that several workers finished with equal events."""
    conflicts: tuple[str, ...]
    """Matches that several workers finished with different events; the first one counts."""
    missing: tuple[str, ...]
    """Matches that no worker has finished."""
    damaged: tuple[str, ...]
    """Matches whose record is unreadable in one shard, and why."""

    def as_object(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return asdict(self)


def merge_shards(folder: TournamentFolder) -> tuple[MergeResult, ...]:
    """Merge all runs of a tournament; raise `RecordError` if shards do not belong together."""
    parts = {name: tuple(find_parts(folder, name)) for name in folder.runs}
    records = [
        *folder.load_started_runs().values(),
        *(part for some in parts.values() for part in some),
    ]
    check_agreement({str(one.path.relative_to(folder.path)): one.manifest for one in records})
    return tuple(
        _merge_run(folder, name, config, parts[name])
        for name, config in folder.runs.items()
        if parts[name] or is_run(folder.run_path(name))
    )


def _merge_run(
    folder: TournamentFolder, name: str, config: RunConfig, parts: tuple[RunRecord, ...]
) -> MergeResult:
    for part in parts:
        if replace(part.config, shard=None) != config:
            raise RecordError(
                f"the shard {str(part.path)!r} was played with another configuration than the "
                f"tournament's run {name!r}; move it away, or restore its {MANIFEST_FILE}"
            )
    target = RunRecord(path=folder.run_path(name))
    ensure_dir(target.path.parent)
    ensure_dir(target.path)
    with target.lock():
        _prepare_target(target, config, parts)
        merged = _merge_matches(name, config, parts, target)
    rebuild_index(target)
    return merged


def _prepare_target(target: RunRecord, config: RunConfig, parts: tuple[RunRecord, ...]) -> None:
    """Add the scripts, pictures and servers of all parts to the target run.

    Those of an earlier merge stay in it.
    """
    for part in parts:
        for kind in (SCRIPTS, PICTURES):
            _copy_new(part.path, target.path, kind)
    known = [target.manifest] if is_run(target.path) else []
    if parts:
        joined = _join_manifests(config, [*known, *(part.manifest for part in parts)])
        if known != [joined]:
            target.write_manifest(joined)


def _join_manifests(config: RunConfig, manifests: list[RunManifest]) -> RunManifest:
    """Return the manifest of the whole run, with the servers of all workers."""
    names = dict.fromkeys(name for one in manifests for name in one.servers)
    servers: dict[str, ServerRecord] = {}
    for name in names:
        own = [one.servers[name] for one in manifests if name in one.servers]
        identities = {repr(each): each for one in own for each in one.identities}
        workers = {
            repr(each): each for one in own for each in one.details.get(_WORKERS, [one.details])
        }
        servers[name] = replace(
            own[0],
            identities=tuple(identities.values()),
            details={**own[0].details, _WORKERS: list(workers.values())},
        )
    return replace(manifests[0], config=config, servers=servers)


def _merge_matches(
    name: str, config: RunConfig, parts: tuple[RunRecord, ...], target: RunRecord
) -> MergeResult:
    copied: list[str] = []
    there: list[str] = []
    missing: list[str] = []
    duplicates: list[str] = []
    conflicts: list[str] = []
    damaged: list[str] = []
    for spec in match_specs(config):
        merged = list(_find_complete(spec, config, (target,), damaged, whole=False))
        found = list(_find_complete(spec, config, parts, damaged, whole=not merged))
        if merged:
            there.append(spec.id)
        elif found:
            _copy_match(found[0], target.match(spec.id), target)
            copied.append(spec.id)
        else:
            missing.append(spec.id)
        if len(set(map(hash_events, [*merged, *found]))) > 1:
            conflicts.append(spec.id)
        elif len(found) > 1:
            duplicates.append(spec.id)
    return MergeResult(
        run=name,
        planned=len(copied) + len(there) + len(missing),
        copied=len(copied),
        there=len(there),
        duplicates=tuple(duplicates),
        conflicts=tuple(conflicts),
        missing=tuple(missing),
        damaged=tuple(damaged),
    )


def _find_complete(
    spec: MatchSpec,
    config: RunConfig,
    parts: tuple[RunRecord, ...],
    damaged: list[str],
    *,
    whole: bool,
) -> Iterator[MatchRecord]:
    """Yield the complete records of a match; `whole`: read all their events."""
    for part in parts:
        record = part.match(spec.id)
        try:
            if record.find_result(spec, config.options) is None:
                continue
            if whole:
                record.events()
            yield record
        except RecordError as error:
            damaged.append(f"{spec.id}: {error}")


def _copy_match(source: MatchRecord, target: MatchRecord, run: RunRecord) -> None:
    """Copy a match into a run; the summary, which makes it complete, comes last.

    With a link instead of a copy, a resumed run could change the shard.
    """
    summary = source.summary()
    assert summary is not None, "the match is complete"
    ensure_dir(target.path.parent)
    ensure_dir(target.path)
    for file in _FILES:
        if (source.path / file).exists():
            atomic_copy(source.path / file, target.path / file)
    target.write_summary(replace(summary, record=str(target.path), run=run.path.name))


def _copy_new(source: Path, target: Path, kind: str) -> None:
    """Copy the finished scripts or pictures of a run that another run lacks."""
    for file in iterate_files(source, kind):
        ensure_dir(target / kind)
        if not (target / kind / file.name).exists():
            atomic_copy(file, target / kind / file.name)
