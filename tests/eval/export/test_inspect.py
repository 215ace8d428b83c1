"""Logs of Inspect: what is read back is what was played."""

import base64
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import ContentImage

from arena.core.events import PhaseStarted
from eval.export import inspect_log
from eval.export.export_command import ExportOptions, export_runs
from eval.export.inspect_samples import sample_scores
from eval.metrics.judgements import Judgement
from eval.played_match import PlayedMatch, read_run
from tests.eval.export.untyped import load_analysis
from tests.eval.made import made
from tests.eval.metrics.speeches import said
from tests.table import MURDERER, NAMES


@pytest.fixture(scope="module")
def out(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs") / "out"
    export_runs([run], folder, ExportOptions(target="inspect"))
    return folder


def logs(out: Path) -> list[EvalLog]:
    return [read_eval_log(one, resolve_attachments="full") for one in list_eval_logs(str(out))]


def pairs(run: Path, out: Path) -> list[tuple[PlayedMatch, EvalSample]]:
    samples = {
        str((one.metadata or {})["match"]): one for log in logs(out) for one in log.samples or []
    }
    return [(match, samples[match.id]) for match in read_run(run)[0]]


def pictures(sample: EvalSample) -> Counter[str]:
    return Counter(
        hashlib.sha256(base64.b64decode(part.image.partition(",")[2])).hexdigest()
        for event in sample.events
        if isinstance(event, ModelEvent)
        for message in event.input
        if not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, ContentImage) and part.image.startswith("data:image/png;base64,")
    )


@pytest.mark.slow
def test_a_cell_is_one_log_with_a_sample_a_match(run: Path, out: Path) -> None:
    [log] = logs(out)
    assert [(one.id, one.epoch) for one in log.samples or []] == [
        ("harbour-en", 1),
        ("harbour-en", 2),
    ]
    assert log.eval.config.epochs == 2
    assert {match.id for match, _ in pairs(run, out)} == {match.id for match in read_run(run)[0]}


@pytest.mark.slow
def test_every_event_call_and_picture_comes_back(run: Path, out: Path) -> None:
    for match, sample in pairs(run, out):
        told = [one for one in sample.events if isinstance(one, InfoEvent)]
        assert [one.source for one in told] == ["arena"] * len(match.events)
        kinds = [one.data["kind"] for one in told if isinstance(one.data, dict)]
        assert kinds == [event.kind for event in match.events]
        calls = [one for one in sample.events if isinstance(one, ModelEvent)]
        recorded = list(match.calls().values())
        assert len(calls) == len(recorded)
        assert Counter(one.output.completion for one in calls) == Counter(
            one.completion.text for one in recorded if one.completion
        )
        shown = Counter(m.picture.sha256 for c in recorded for m in c.request.messages if m.picture)
        assert pictures(sample) == shown
        assert shown


def test_a_call_stands_before_the_event_that_its_answer_became(run: Path, out: Path) -> None:
    ends = {"action_accepted", "action_rejected"}
    for _, sample in pairs(run, out):
        replies: Counter[Any] = Counter()
        for event in sample.events:
            if isinstance(event, ModelEvent) and event.metadata:
                replies[event.metadata["request"]] += event.metadata["kind"] == "reply"
            data = event.data if isinstance(event, InfoEvent) else None
            if isinstance(data, dict) and data["kind"] in ends:
                assert replies[data["request"]] == 1
                replies[data["request"]] = 0


def test_there_is_a_closed_span_for_each_phase(run: Path, out: Path) -> None:
    for match, sample in pairs(run, out):
        begun = [one.id for one in sample.events if isinstance(one, SpanBeginEvent)]
        ended = [one.id for one in sample.events if isinstance(one, SpanEndEvent)]
        phases = sum(isinstance(event, PhaseStarted) for event in match.events)
        assert begun == ended
        assert len(begun) == phases + 2, "the start and the silent probes have a span too"


def test_the_scores_are_the_outcome_and_the_metrics(run: Path, out: Path) -> None:
    points = {"civ_win": 1.0, "draw": 0.5, "murderer_win": 0.0}
    for match, sample in pairs(run, out):
        scores = sample.scores or {}
        assert scores["win"].value == points[match.summary.outcome]
        assert "win_above_chance" in scores
        assert len(scores) > 8


def test_a_score_of_seats_is_of_one_side_and_bears_its_name(out: Path) -> None:
    values = dict(zip(NAMES, (3, 4, 9, 5, 8), strict=True))
    judged = [Judgement(metric="RP", seat=seat, value=one) for seat, one in values.items()]
    scores = sample_scores(made(*(said(seat, "x") for seat in NAMES)), judged)
    assert scores["RP civilians"].value == 5
    assert scores["RP murderer"].value == values[MURDERER]
    assert "RP" not in scores
    for log in logs(out):
        assert log.results is not None
        names = {one.name for one in log.results.scores}
        assert {"failure_rate civilians", "failure_rate murderer", "chance"} <= names
        assert "failure_rate" not in names


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # in inspect-ai
def test_samples_df_reads_the_log(out: Path) -> None:
    table = load_analysis().samples_df(str(out), quiet=True)
    assert len(table) == 2
    assert set(table["id"]) == {"harbour-en"}
    assert {"score_win", "score_failure_rate civilians"} <= set(table.columns)


@pytest.mark.slow
def test_a_viewer_trusts_what_players_said_only_where_that_is_asked_for(
    run: Path, out: Path, tmp_path: Path
) -> None:
    export_runs([run], tmp_path / "out", ExportOptions(target="inspect", trusted=True))
    for folder, wanted in ((out, False), (tmp_path / "out", True)):
        [log] = logs(folder)
        assert log.eval.viewer is not None
        assert log.eval.viewer.trust_content is wanted


@pytest.mark.slow
def test_a_large_cell_is_several_logs_whose_repetitions_go_on(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect_log, "MOST_SAMPLES", 1)
    exported = export_runs([run], tmp_path / "out", ExportOptions(target="inspect"))
    assert exported.rows["logs"] == 2
    found = [sample.epoch for log in logs(tmp_path / "out") for sample in log.samples or []]
    assert sorted(found) == [1, 2]
