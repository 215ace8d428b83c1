"""Result file of a tournament, for submission, with everything that a check needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from arena.core.events import Outcome
from arena.errors import ConfigError, RecordError
from arena.records.match_record import EVENTS, MatchRecord
from arena.records.record_schema import JsonCodec
from arena.records.run_config import ScriptRef, match_specs
from arena.records.run_manifest import ContestantRecord, RunManifest, ServerRecord
from arena.records.run_record import RunRecord
from arena.tournament.folder import TournamentFolder
from arena.tournament.run_agreement import check_agreement
from arena.tournament.tournament_plan import SuiteRef

_SHOWN_MISSING: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultContestant:
    """A contestant, and the server of its model."""

    name: str
    player: str
    options: dict[str, str]
    served: str = ""
    """Name of the served model; empty: the player needs none."""
    identities: tuple[dict[str, object], ...] = ()
    """Reported identities of its servers: root, version, digest of the template."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultMatch:
    """One finished match."""

    game: str
    script: str
    """Id of the script."""
    sha256: str
    """Content hash of the script."""
    work: str
    """World of its script, the cluster of every interval."""
    seed: int
    rotation: int
    civilians: str
    murderer: str
    outcome: Outcome
    uncounted: str = ""
    """Why the outcome is excluded from win rates."""
    events: str
    """SHA-256 of its events.jsonl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A finished tournament of a suite."""

    suite: SuiteRef
    contestants: tuple[ResultContestant, ...]
    versions: dict[str, str]
    """Versions of packages; several, joined by commas, if runs were played with different ones."""
    wordings: dict[str, str]
    """Game and language -> hash of all prompt texts."""
    matches: tuple[ResultMatch, ...]
    ratings: tuple[dict[str, object], ...] = ()
    """As `arena tournament standings --json` prints them."""
    scores: tuple[dict[str, object], ...] = field(default=())
    """Figures of the suite's metrics."""


MAX_VALUES: Final = 5_000_000
"""Maximum values of a result file: 14 per match."""
RESULT_CODEC: Final = JsonCodec[TournamentResult](
    TournamentResult, "the result of a tournament", most=MAX_VALUES
)
"""Codec of a result file."""


def make_result(folder: TournamentFolder) -> TournamentResult:
    """Return the result of a finished tournament, without ratings and scores.

    Raises `ConfigError` if it plays no suite or matches are missing, `RecordError` if its runs
    cannot be read together.
    """
    suite = folder.plan.suite
    if suite is None:
        raise ConfigError(
            f"the tournament {str(folder.path)!r} plays no suite, so its result cannot be "
            "compared; plan one with `arena tournament plan --suite NAME`"
        )
    started = folder.load_started_runs()
    manifests = {name: record.manifest for name, record in started.items()}
    check_agreement(manifests)
    missing: list[str] = []
    matches: list[ResultMatch] = []
    for name, config in folder.runs.items():
        for spec in match_specs(config):
            record = started.get(name)
            found = (
                None if record is None else record.match(spec.id).find_result(spec, config.options)
            )
            if record is None or found is None:
                missing.append(f"{name}/{spec.id}")
                continue
            matches.append(
                ResultMatch(
                    game=config.game,
                    script=spec.script.id,
                    sha256=spec.script.sha256,
                    work=_work(record, spec.script),
                    seed=spec.seed,
                    rotation=spec.rotation,
                    civilians=spec.civilians,
                    murderer=spec.murderer,
                    outcome=found.outcome,
                    uncounted=found.uncounted,
                    events=hash_events(record.match(spec.id)),
                )
            )
    if missing:
        raise ConfigError(
            f"{len(missing)} matches are missing, such as {', '.join(missing[:_SHOWN_MISSING])}; "
            "play them with `arena tournament run`, or on a cluster, and merge the shards"
        )
    contestants = {one.name: one for each in manifests.values() for one in each.contestants}
    return TournamentResult(
        suite=suite,
        contestants=tuple(
            ResultContestant(
                name=one.name,
                player=one.player,
                options=one.options,
                served=", ".join(dict.fromkeys(each.served for each in _servers(one, manifests))),
                identities=_merge_identities(_servers(one, manifests)),
            )
            for one in contestants.values()
        ),
        versions=_merge_versions(manifests.values()),
        wordings={
            f"{each.config.game} {language}": one
            for each in manifests.values()
            for language, one in each.versions.wordings.items()
        },
        matches=tuple(matches),
    )


def _servers(
    contestant: ContestantRecord, manifests: Mapping[str, RunManifest]
) -> Sequence[ServerRecord]:
    """Return the servers of a contestant's model in each run; empty if it needs none."""
    name = contestant.model or ""
    return [one.servers[name] for one in manifests.values() if name in one.servers]


def _merge_identities(servers: Sequence[ServerRecord]) -> tuple[dict[str, object], ...]:
    found = {repr(sorted(each.items())): each for one in servers for each in one.identities}
    return tuple(found.values())


def _merge_versions(manifests: Iterable[RunManifest]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for one in manifests:
        for package, version in one.versions.packages.items():
            found.setdefault(package, set()).add(version)
    return {package: ", ".join(sorted(versions)) for package, versions in found.items()}


def hash_events(match: MatchRecord) -> str:
    """Return the SHA-256 of the events of a match."""
    try:
        return sha256((match.path / EVENTS).read_bytes()).hexdigest()
    except OSError as error:
        raise RecordError(f"cannot read the events of {match.path.name!r}: {error}") from error


def _work(record: RunRecord, ref: ScriptRef) -> str:
    return record.script(ref).work or ref.id
