"""Read the matches of several runs, one at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError, RecordError
from arena.records.match_record import MatchRecord
from arena.records.run_config import match_specs
from arena.records.run_record import RunRecord, open_run
from eval.judges.store import judgement_reader
from eval.metrics.judgements import Judgement
from eval.played_match import PlayedMatch, UnreadMatch, read_match

MatchVisitor = Callable[[PlayedMatch], None]
"""A consumer of a match; it must write nothing of a match for which it raises `RecordError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRun:
    """A run with a name unique in the export; its folder stays private."""

    name: str
    record: RunRecord
    judgements_of: Callable[[PlayedMatch], Sequence[Judgement]]
    """The judgements of a match, from the folder next to the run."""


def open_runs(paths: Sequence[Path]) -> tuple[NamedRun, ...]:
    """Open the runs in these folders; raises `RecordError` or `ConfigError` if that fails."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise ConfigError("a run is named twice; name each once")
    found: list[NamedRun] = []
    for path in paths:
        base = path.resolve().name or "run"
        taken = {run.name for run in found}
        names = [base, *(f"{base}-{number}" for number in range(2, len(paths) + 2))]
        name = next(one for one in names if one not in taken)
        found.append(
            NamedRun(name=name, record=open_run(path), judgements_of=judgement_reader(path))
        )
    return tuple(found)


def read_named_match(run: NamedRun, record: MatchRecord) -> PlayedMatch:
    """Read a match, with the run's name in the export; raises `RecordError`."""
    return read_match(Path(run.name), run.record.manifest, record)


def visit_matches(runs: Sequence[NamedRun], use: MatchVisitor) -> tuple[UnreadMatch, ...]:
    """Pass every finished match to `use`, one at a time; return the omitted ones with reasons.

    A planned match that was never started is omitted too.
    """
    left_out: list[UnreadMatch] = []
    for run in runs:
        records = run.record.matches()
        for record in records:
            try:
                use(read_named_match(run, record))
            except RecordError as error:
                left_out.append(unread_match(run, record.path.name, str(error)))
        left_out += missing_matches(run, {record.path.name for record in records})
    return tuple(left_out)


def missing_matches(run: NamedRun, there: set[str]) -> list[UnreadMatch]:
    """Return the planned matches that are not in `there`."""
    planned = (spec.id for spec in match_specs(run.record.config))
    return [unread_match(run, name, "never started") for name in planned if name not in there]


def unread_match(run: NamedRun, match: str, reason: str) -> UnreadMatch:
    """Return an omitted match with its reason."""
    # A reason can contain a local path, which a shared export must not show.
    told = reason.replace(str(run.record.path), run.name)
    return UnreadMatch(run=run.name, match=match, reason=told)
