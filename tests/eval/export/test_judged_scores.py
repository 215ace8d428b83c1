"""Judgements that lie beside a run are in its exports, each under its judge."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from arena.errors import RecordError
from eval.export.export_command import ExportOptions, export_runs
from eval.judges.store import JUDGEMENTS, judgements_folder, write_verdicts
from eval.played_match import read_run
from tests.eval.export.played_runs import copy_run
from tests.eval.export.untyped import load_pandas
from tests.eval.judges.made import verdict


@pytest.fixture(scope="module")
def judged(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the run of which two judges rated one seat of its first match."""
    copy = copy_run(run, tmp_path_factory.mktemp("judged"))
    match = read_run(copy)[0][0]
    seat = next(one.seat for one in match.utterances)
    folder = judgements_folder(copy)
    folder.mkdir()
    write_verdicts(
        folder,
        [
            verdict(value, metric="RP", match=match.id, seat=seat, judge=judge)
            for judge, value in (("one a1", 3.0), ("two b2", 9.0))
        ],
    )
    return copy


@pytest.mark.slow
def test_the_table_of_scores_has_a_row_for_each_judge(judged: Path, tmp_path: Path) -> None:
    export_runs([judged], tmp_path / "out", ExportOptions(target="parquet"))
    scores: Any = load_pandas().read_parquet(tmp_path / "out" / "scores.parquet")
    rows = scores[scores["metric"] == "RP"]
    assert sorted(zip(rows["judge"], rows["value"], strict=True)) == [("one a1", 3), ("two b2", 9)]
    assert set(scores[scores["metric"] != "RP"]["judge"]) == {""}


@pytest.mark.slow
def test_a_sample_of_inspect_has_a_score_for_each_judge(judged: Path, tmp_path: Path) -> None:
    export_runs([judged], tmp_path / "out", ExportOptions(target="inspect"))
    found: list[tuple[str, Any]] = [
        (name, score.value)
        for log in list_eval_logs(str(tmp_path / "out"))
        for sample in read_eval_log(log).samples or []
        for name, score in (sample.scores or {}).items()
        if name.startswith("RP")
    ]
    assert sorted(found) == [("RP civilians one a1", 3.0), ("RP civilians two b2", 9.0)]


def test_judgements_that_cannot_be_read_are_told_and_nothing_is_written(
    judged: Path, tmp_path: Path
) -> None:
    copy = copy_run(judged, tmp_path)
    judgements_folder(copy).mkdir()
    (judgements_folder(copy) / JUDGEMENTS).write_text(
        json.dumps({"schema": 3, "metric": 1}) + "\n" * 2
    )
    with pytest.raises(RecordError, match="judgement"):
        export_runs([copy], tmp_path / "out", ExportOptions(target="parquet"))
    assert not (tmp_path / "out").exists()
