"""Rows and samples of matches whose events are known, and of records with something missing."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from arena.core.events import Outcome, Rated
from arena.core.seats import SeatId
from arena.games.game_registry import find_game
from eval.export.export_command import ExportOptions, export_runs
from eval.export.inspect_samples import sample_scores
from eval.export.parquet_rows import match_rows
from eval.export.request_endings import seat_reward
from eval.metrics.chance_levels import measure_chance_draw
from tests.arena.games.cases import case_of, short_options
from tests.eval.export.played_runs import copy_run, match_folder
from tests.eval.export.untyped import load_pandas
from tests.eval.made import (
    drawn,
    made,
    play,
    vote,
)
from tests.table import NAMES


def test_the_last_ballot_is_told_for_each_number_of_a_ballot() -> None:
    ada, bram, cleo = NAMES[:3]
    match = made(
        vote(ada, bram), vote(ada, cleo), vote(ada, bram, ballot=2), vote(cleo, bram, ballot=2)
    )
    rows = match_rows(match, with_texts=True)["votes"]
    assert [(row["ballot"], row["is_last"]) for row in rows] == [
        (1, False),
        (1, True),
        (2, True),
        (2, True),
    ]


def test_a_rating_tells_what_its_rater_knew_and_not_what_came_later() -> None:
    bram, ada = SeatId(NAMES[1]), SeatId(NAMES[0])
    rating = Rated(seat=bram, request="r", scale="trust", about=ada, value=2, moment=1)
    rows = match_rows(made(rating, rating), with_texts=True)["probes"]
    assert [(row["kind"], row["known_events"], row["value"]) for row in rows] == [
        ("rated", 1, 2)
    ] * 2


def test_wins_above_chance_are_the_reward_of_the_civilians_above_chance() -> None:
    game = find_game("whodunit")
    match = play("whodunit", case_of(game), short_options(game), drawn())
    assert all(score.value for score in measure_chance_draw(match))
    found = sample_scores(match)
    points, above = seat_reward(match, "civilians")
    assert (found["win"].value, found["win_above_chance"].value) == (points, pytest.approx(above))
    assert above is not None
    results: tuple[tuple[Outcome, float], ...] = (("civ_win", 1.0), ("murderer_win", 0.0))
    for outcome, win in results:
        other = replace(match, summary=replace(match.summary, outcome=outcome))
        scores = sample_scores(other)
        assert scores["win_above_chance"].value == pytest.approx(win - (points or 0) + above)


def test_each_contestant_of_a_run_has_its_own_model_and_strategy(run: Path, tmp_path: Path) -> None:
    copy = copy_run(run, tmp_path)
    manifest = json.loads((copy / "run.json").read_text(encoding="utf-8"))
    manifest["contestants"][1]["model"] = "other"
    (copy / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    export_runs([copy], tmp_path / "out", ExportOptions(target="parquet"))
    runs: Any = load_pandas().read_parquet(tmp_path / "out" / "runs.parquet")
    first, second = manifest["contestants"]
    assert json.loads(runs["models"][0]) == {
        first["name"]: first["model"],
        second["name"]: "other",
    }
    assert json.loads(runs["players"][0]) == {
        first["name"]: first["player"],
        second["name"]: second["player"],
    }


@pytest.mark.slow
def test_tokens_that_no_server_reports_as_cached_are_null_and_not_0(
    run: Path, tmp_path: Path
) -> None:
    copy = copy_run(run, tmp_path)
    for path in copy.glob("matches/*/calls.jsonl"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r'"cached_tokens":\d+', '"cached_tokens":null', text), "utf-8")
    export_runs([copy], tmp_path / "out", ExportOptions(target="parquet"))
    turns: Any = load_pandas().read_parquet(tmp_path / "out" / "turns.parquet")
    assert turns["cached_tokens"].isna().all()
    assert (turns["prompt_tokens"] > 0).any()


@pytest.mark.slow
def test_a_log_counts_a_match_that_ended_as_an_error_as_no_whole_sample(
    run: Path, tmp_path: Path
) -> None:
    copy = copy_run(run, tmp_path)
    done = match_folder(copy) / "done.json"
    told = json.loads(done.read_text(encoding="utf-8"))
    done.write_text(json.dumps({**told, "outcome": "error", "error_cause": "the server died"}))
    export_runs([copy], tmp_path / "out", ExportOptions(target="inspect"))
    [log] = [read_eval_log(one) for one in list_eval_logs(str(tmp_path / "out"))]
    assert log.results is not None
    assert (log.results.total_samples, log.results.completed_samples) == (2, 1)
    [error] = [one.error.message for one in log.samples or [] if one.error]
    assert error == "the server died"
    scored = {one.name: one.scored_samples for one in log.results.scores}
    assert scored["win"] == 1
