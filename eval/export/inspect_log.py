"""Export to Inspect: an `.eval` log per pair of contestants, one sample per match.

Only inspect-ai's Python API writes the logs, since the file format can change.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Final

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ModelConfig, ModelUsage
from inspect_ai.viewer import ViewerConfig

from arena.errors import RecordError
from arena.records.event_codec import dump_options
from arena.records.match_record import MatchRecord
from arena.records.match_summary import BUNDLED
from arena.records.run_config import match_specs
from arena.records.run_record import RunRecord
from eval.export.card_facts import UNTRAINED
from eval.export.export_folder import ExportResult
from eval.export.inspect_events import parse_time
from eval.export.inspect_messages import ReadUri, data_uri
from eval.export.inspect_samples import make_sample, sample_id
from eval.export.run_source import NamedRun, missing_matches, read_named_match, unread_match
from eval.played_match import PlayedMatch, UnreadMatch

TARGET: Final = "inspect"
MOST_SAMPLES: Final = 25
"""The most samples of one log: a log is held in memory, so larger groups give several logs."""
_MOST_PICTURES: Final = 100
"""Cached pictures of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogGroup:
    """The common properties of one log's matches."""

    game: str
    options: str
    """As JSON."""
    civilians: str
    murderer: str


def export_inspect(runs: Sequence[NamedRun], folder: Path, *, trusted: bool) -> ExportResult:
    """Write the logs of all finished matches to `folder`.

    Unless `trusted`, the viewer shows players' texts as plain text, and no pictures.
    """
    cells, left_out = _plan(runs)
    counts: Counter[str] = Counter()
    readers = {run.name: _read_uris(run.record) for run in runs}
    for cell, members in cells.items():
        epochs: Counter[str] = Counter()
        for start in range(0, len(members), MOST_SAMPLES):
            matches: list[PlayedMatch] = []
            samples: list[EvalSample] = []
            for run, record in members[start : start + MOST_SAMPLES]:
                try:
                    match = read_named_match(run, record)
                    name = sample_id(match.script.id, match.summary.language)
                    epoch, said = epochs[name] + 1, run.judgements_of(match)
                    samples.append(make_sample(match, epoch, readers[run.name], said))
                except RecordError as error:
                    left_out.append(unread_match(run, record.path.name, str(error)))
                    continue
                epochs[name] += 1
                matches.append(match)
            if samples:
                part = start // MOST_SAMPLES + 1
                log = _make_log(cell, matches, samples, part, trusted=trusted)
                write_eval_log(log, str(folder / _file_name(log)))
                counts += Counter(logs=1, samples=len(samples), events=_count_events(samples))
    return ExportResult(
        target=TARGET,
        matches=counts["samples"],
        rows=dict(counts),
        left_out=tuple(left_out),
    )


def _plan(
    runs: Sequence[NamedRun],
) -> tuple[dict[LogGroup, list[tuple[NamedRun, MatchRecord]]], list[UnreadMatch]]:
    """Return the finished matches of each group, and the omitted ones."""
    cells: dict[LogGroup, list[tuple[NamedRun, MatchRecord]]] = defaultdict(list)
    left_out: list[UnreadMatch] = []
    for run in runs:
        config = run.record.config
        specs = {spec.id: spec for spec in match_specs(config)}
        records = run.record.matches()
        for record in records:
            try:
                summary = record.summary()
            except RecordError as error:
                left_out.append(unread_match(run, record.path.name, str(error)))
                continue
            # An unfinished match is reported when it is read.
            played = summary or specs.get(record.path.name)
            if played is None:
                left_out.append(unread_match(run, record.path.name, "the run plans no such match"))
                continue
            cell = LogGroup(
                game=config.game,
                options=dump_options(config.options),
                civilians=played.civilians,
                murderer=played.murderer,
            )
            cells[cell].append((run, record))
        left_out += missing_matches(run, {record.path.name for record in records})
    return cells, left_out


def _read_uris(run: RunRecord) -> ReadUri:
    """Return a function that reads a picture of `run` as a data URI, with a cache."""

    @lru_cache(maxsize=_MOST_PICTURES)
    def read(sha256: str) -> str:
        return data_uri(run.read_picture(sha256))

    return read


def _make_log(
    cell: LogGroup,
    matches: Sequence[PlayedMatch],
    samples: list[EvalSample],
    part: int,
    *,
    trusted: bool,
) -> EvalLog:
    first = matches[0]
    served = [
        next(filter(None, (match.summary.model_served.get(side) for match in matches)), "none")
        for side in ("civilians", "murderer")
    ]
    flags = sorted({flag for match in matches for flag in match.summary.flags})
    ids = list(dict.fromkeys(str(sample.id) for sample in samples))
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created=parse_time(first.manifest.versions.started).isoformat(timespec="seconds"),
            task=_title(cell),
            task_id=_digest(cell),
            eval_id=_digest(cell, part, *(match.run + "/" + match.id for match in matches)),
            run_id=_digest(cell, "run"),
            task_args={"civilians": cell.civilians, "murderer": cell.murderer},
            task_args_passed={"civilians": cell.civilians, "murderer": cell.murderer},
            tags=sorted({"murder-arena", *flags}),
            dataset=EvalDataset(name="scripts", samples=len(ids), sample_ids=[*ids]),
            model=served[0],
            model_roles={
                "civilians": ModelConfig(model=served[0]),
                "murderer": ModelConfig(model=served[1]),
            },
            config=EvalConfig(epochs=max(sample.epoch for sample in samples)),
            packages=dict(first.manifest.versions.packages),
            metadata={
                "game": cell.game,
                "civilians": cell.civilians,
                "murderer": cell.murderer,
                "options": cell.options,
                "flags": flags,
                "untrained": any(UNTRAINED in flag for flag in flags),
                "bundled": any(flag.startswith(BUNDLED) for flag in flags),
                "part": part,
            },
            viewer=ViewerConfig(trust_content=trusted),
        ),
        results=_results(samples),
        stats=_stats(first, samples),
        samples=samples,
    )


def _title(cell: LogGroup) -> str:
    """Return the group's name in the viewer, without a server's address."""
    sides = (name.rpartition("#")[2] for name in (cell.civilians, cell.murderer))
    return f"{cell.game}: {' vs '.join(sides)}"


def _stats(first: PlayedMatch, samples: Sequence[EvalSample]) -> EvalStats:
    """Return the tokens of all samples, and the run's start; its end adds the matches' times."""
    usage: dict[str, ModelUsage] = defaultdict(ModelUsage)
    for sample in samples:
        for model, tokens in sample.model_usage.items():
            usage[model] += tokens
    begun = parse_time(first.manifest.versions.started)
    ended = begun + timedelta(seconds=sum(sample.total_time or 0 for sample in samples))
    return EvalStats(
        started_at=begun.isoformat(), completed_at=ended.isoformat(), model_usage=dict(usage)
    )


def _results(samples: Sequence[EvalSample]) -> EvalResults:
    """Return the mean of each score over the samples with a value."""
    values: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for name, score in (sample.scores or {}).items():
            assert isinstance(score.value, int | float), "every score here is a number"
            values[name].append(float(score.value))
    return EvalResults(
        total_samples=len(samples),
        completed_samples=sum(sample.error is None for sample in samples),
        scores=[
            EvalScore(
                name=name,
                scorer=name,
                scored_samples=len(numbers),
                unscored_samples=len(samples) - len(numbers),
                metrics={"mean": EvalMetric(name="mean", value=fmean(numbers))},
            )
            for name, numbers in values.items()
        ],
    )


def _count_events(samples: Sequence[EvalSample]) -> int:
    return sum(len(sample.events) for sample in samples)


def _file_name(log: EvalLog) -> str:
    created = log.eval.created.replace(":", "-")
    game = log.eval.task.partition(":")[0]
    return f"{created}_{game}_{log.eval.eval_id}.eval"


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:22]
