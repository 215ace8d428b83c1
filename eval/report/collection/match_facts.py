"""The facts that a report retains of each match. Every match is read and measured once."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.events import MatchStarted
from arena.core.seats import SeatId
from arena.errors import ConfigError, RecordError
from arena.records.match_summary import MatchSummary
from arena.records.run_config import HUMAN, match_specs
from arena.records.run_manifest import RunManifest
from arena.records.run_record import open_run
from eval.claims.audit import audit_claims
from eval.claims.audited_claim import AuditedClaim
from eval.claims.name_mentions import find_person
from eval.claims.table_lookup import find_table
from eval.judges.store import judgement_reader
from eval.metrics.accusation_curves import CurvePoint, accusation_curve
from eval.metrics.call_costs import CostStage, PriceTable
from eval.metrics.catalogue import measure_match, score_judgements
from eval.metrics.fact_spread.clue_mentions import clue_mentions
from eval.metrics.fact_spread.propagation import FactEdge, clue_spreads, fact_edges
from eval.metrics.guards.detectors import DetectorHit, find_hits
from eval.metrics.judgements import Judgement
from eval.metrics.silent_ballots import silent_ballots
from eval.metrics.usage_metrics import match_call_costs, match_cost
from eval.played_match import PlayedMatch, UnreadMatch, read_match
from eval.report.collection.decided_level import score_decided_level
from eval.report.collection.excerpts import Excerpt, find_excerpts
from eval.report.collection.request_outcomes import count_request_outcomes
from eval.scores import Score

ReadJudgements = Callable[[PlayedMatch], Sequence[Judgement]]
"""A function from a match to its judgements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFacts:
    """The facts of one match."""

    run: str
    """The name of its run."""
    summary: MatchSummary
    started: MatchStarted
    title: str
    work: str
    clues: Mapping[str, str]
    """Id -> title."""
    scores: tuple[Score, ...]
    claims: tuple[AuditedClaim, ...]
    people: Mapping[SeatId, str]
    """Seat -> the person of the fact table that it plays; empty without a table."""
    hits: tuple[DetectorHit, ...]
    curve: tuple[CurvePoint, ...]
    choices: tuple[tuple[float, int], ...]
    """Probability of the likeliest seat on each last silent ballot, and 1 if it is a killer."""
    edges: tuple[FactEdge, ...]
    faults: Mapping[str, Counter[str]]
    """Faction -> outcomes of its requests."""
    excerpts: tuple[Excerpt, ...]
    models: frozenset[str]
    """The served models that answered its calls."""
    costs: Mapping[CostStage, float | None]
    """Price by stage; None: unknown. Empty without a price table."""
    level: Score | None
    """The chance level of a decided match."""

    @property
    def is_human(self) -> bool:
        """Whether a person played: such matches are never pooled with matches of models only."""
        return HUMAN in self.summary.flags

    def contestant(self, seat: SeatId) -> str:
        """Return the contestant of `seat`."""
        is_civilian = self.started.part(seat).faction == "civilians"
        return self.summary.civilians if is_civilian else self.summary.murderer

    @property
    def place(self) -> str:
        """The run's and the match's name."""
        return f"{self.run}/{self.summary.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """The facts of one run."""

    name: str
    manifest: RunManifest
    planned: int
    read: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCollection:
    """All facts of the runs."""

    runs: tuple[RunFacts, ...]
    matches: tuple[MatchFacts, ...]
    unread: tuple[UnreadMatch, ...]
    prices: PriceTable | None = None
    """The price table of the costs."""

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores of all matches."""
        return tuple(score for match in self.matches for score in match.scores)


def collect_runs(
    folders: Sequence[Path], judged: ReadJudgements | None = None, prices: PriceTable | None = None
) -> RunCollection:
    """Read the finished matches of runs; raises `RecordError` or `ConfigError` if there are none.

    `judged` returns the judgements of a match; None: those in the folder next to its run.
    """
    runs: list[RunFacts] = []
    matches: list[MatchFacts] = []
    unread: list[UnreadMatch] = []
    for name, folder in name_runs(folders):
        sayings = judged or judgement_reader(folder)
        found = list(_read(name, folder, unread, sayings, prices))
        record = open_run(folder)
        planned = len(list(match_specs(record.config)))
        runs.append(RunFacts(name=name, manifest=record.manifest, planned=planned, read=len(found)))
        matches += found
    if not matches:
        first = f"; {unread[0].match}: {unread[0].reason}" if unread else ""
        raise RecordError(f"the runs have no finished match{first}")
    return RunCollection(
        runs=tuple(runs), matches=tuple(matches), unread=tuple(unread), prices=prices
    )


def name_runs(folders: Sequence[Path]) -> tuple[tuple[str, Path], ...]:
    """Return each folder with a unique name; raises `ConfigError` for a repeated folder."""
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise ConfigError("a run is named twice; name each once")
    named: dict[str, Path] = {}
    for folder in folders:
        base = folder.resolve().name or "run"
        names = (base, *(f"{base}-{number}" for number in range(2, len(folders) + 2)))
        named[next(one for one in names if one not in named)] = folder
    return tuple(named.items())


def extract_facts(
    match: PlayedMatch,
    judgements: Sequence[Judgement] = (),
    prices: PriceTable | None = None,
) -> MatchFacts:
    """Return the facts of a match."""
    claims, hits = audit_claims(match), find_hits(match)
    curve, people = accusation_curve(match), _people(match)
    return MatchFacts(
        run=match.run,
        summary=match.summary,
        started=match.started,
        title=match.script.title,
        work=match.work,
        clues={clue.id: clue.title for clue in match.script.clues},
        scores=(*measure_match(match), *score_judgements(match, judgements)),
        claims=claims,
        people=people,
        hits=hits,
        curve=curve,
        choices=tuple(_choices(match)),
        edges=fact_edges(clue_spreads(match), clue_mentions(match)),
        faults=count_request_outcomes(match),
        excerpts=tuple(find_excerpts(match, claims, hits, curve, people)),
        models=frozenset(one.model for one in match_call_costs(match)),
        costs={} if prices is None else match_cost(match, prices),
        level=score_decided_level(match),
    )


def _people(match: PlayedMatch) -> Mapping[SeatId, str]:
    table = find_table(match)
    if table is None:
        return {}
    return {seat: find_person(table, seat, match.script.language) for seat in match.started.seats}


def _choices(match: PlayedMatch) -> Iterator[tuple[float, int]]:
    for ballot in {ballot.seat: ballot for ballot in silent_ballots(match)}.values():
        if ballot.is_graded:
            yield ballot.shares[ballot.top], int(ballot.top in match.culprits)


def _read(
    name: str,
    folder: Path,
    unread: list[UnreadMatch],
    judged: ReadJudgements,
    prices: PriceTable | None,
) -> Iterator[MatchFacts]:
    run = open_run(folder)
    records = run.matches()
    for record in records:
        try:
            match = read_match(Path(name), run.manifest, record)
            yield extract_facts(match, judged(match), prices)
        except RecordError as error:
            # A reason can contain a local path, which a shared report must not show.
            reason = str(error).replace(str(run.path), name)
            unread.append(UnreadMatch(run=name, match=record.path.name, reason=reason))
    there = {record.path.name for record in records}
    unread += [
        UnreadMatch(run=name, match=spec.id, reason=_why_absent(run.path / "matches", spec.id))
        for spec in match_specs(run.config)
        if spec.id not in there
    ]


def _why_absent(folder: Path, match: str) -> str:
    """Return why a planned match is missing in a run."""
    hidden = folder if not os.access(folder, os.R_OK | os.X_OK) else folder / match
    there = os.path.lexists(hidden)
    return f"no permission to read {hidden.name!r}" if there else "never started"
