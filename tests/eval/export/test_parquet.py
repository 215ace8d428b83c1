"""Parquet tables: whole, typed, loadable by pandas and `datasets`, and without texts on demand."""

from pathlib import Path
from typing import Any

import pytest

from eval.export.export_command import ExportOptions, export_runs
from eval.export.parquet_tables import MATCHES, PROBES, SCORES, TABLES, TURNS, UTTERANCES, VOTES
from eval.metrics.catalogue import measure_match
from eval.played_match import read_run
from tests.eval.export.untyped import load_datasets, load_pandas, load_parquet


@pytest.fixture(scope="module")
def out(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "out"
    export_runs([run], folder, ExportOptions(target="parquet"))
    return folder


def table(out: Path, name: str) -> Any:
    return load_pandas().read_parquet(out / f"{name}.parquet")


@pytest.mark.slow
def test_each_table_has_a_row_for_everything_that_the_record_holds(run: Path, out: Path) -> None:
    matches, _ = read_run(run)
    assert len(matches) == len(table(out, MATCHES.name)) == 2
    assert len(table(out, TURNS.name)) == sum(len(one.requests) for one in matches)
    assert len(table(out, UTTERANCES.name)) == sum(len(one.utterances) for one in matches)
    assert len(table(out, VOTES.name)) == sum(len(one.votes) for one in matches)
    assert len(table(out, PROBES.name)) == sum(len(one.probes) for one in matches)
    scores = [score for one in matches for score in measure_match(one)]
    assert len(table(out, SCORES.name)) == len(scores) > 20


def test_calls_of_turns_and_their_tokens_add_up_to_the_record(run: Path, out: Path) -> None:
    turns = table(out, TURNS.name)
    on_path = [
        call for one in read_run(run)[0] for name, call in one.calls().items() if not name.off_path
    ]
    assert turns["calls"].sum() == len(on_path)
    assert turns["steps"].sum() == sum(c.request.call_id.kind == "step" for c in on_path) > 0
    sent = sum(call.completion.prompt_tokens for call in on_path if call.completion)
    assert turns["prompt_tokens"].sum() == sent


def test_a_rejected_answer_is_an_attempt_with_its_error(out: Path) -> None:
    turns = table(out, TURNS.name)
    again = turns[turns["attempts"] > 1]
    assert len(again) == 1
    assert list(again.iloc[0]["errors"]) == ["empty"]
    assert again.iloc[0]["result"] == "accepted"


def test_what_the_sides_get_is_what_the_outcome_says(out: Path) -> None:
    points = {"civ_win": 1.0, "draw": 0.5, "murderer_win": 0.0}
    for row in table(out, MATCHES.name).itertuples():
        assert row.civilian_points == points[row.outcome]
        assert 0 < row.chance_win < 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in TABLES])
def test_datasets_loads_each_table_by_its_name(out: Path, tmp_path: Path, name: str) -> None:
    loaded = load_datasets().load_dataset(str(out), name, cache_dir=str(tmp_path))
    rows = loaded["train"]
    wanted = next(one for one in TABLES if one.name == name)
    assert rows.column_names == [column.name for column in wanted.columns]
    assert len(rows) == len(table(out, name))


def test_without_a_name_datasets_loads_the_matches(out: Path, tmp_path: Path) -> None:
    loaded = load_datasets().load_dataset(str(out), cache_dir=str(tmp_path))
    assert loaded["train"].column_names == [column.name for column in MATCHES.columns]


@pytest.mark.slow
def test_columns_have_their_types_even_where_no_row_has_a_value(run: Path, tmp_path: Path) -> None:
    export_runs([run], tmp_path / "out", ExportOptions(target="parquet", with_texts=False))
    kinds = {
        str(one.type) for one in load_parquet().read_schema(tmp_path / "out" / "utterances.parquet")
    }
    assert kinds == {"string", "int64", "bool"}


@pytest.mark.slow
def test_no_texts_leaves_out_what_seats_said_and_scripts_tell(run: Path, tmp_path: Path) -> None:
    export_runs([run], tmp_path / "out", ExportOptions(target="parquet", with_texts=False))
    assert table(tmp_path / "out", UTTERANCES.name)["text"].isna().all()
    assert table(tmp_path / "out", TURNS.name)["action"].isna().all()
    words = {
        word
        for match in read_run(run)[0]
        for one in match.utterances
        for word in [one.text]
        if len(word) > 20
    }
    cells = {
        str(cell)
        for one in TABLES
        for row in table(tmp_path / "out", one.name).itertuples(index=False)
        for cell in row
    }
    assert words
    assert not [cell for cell in cells if any(word in cell for word in words) or "SECRET" in cell]


def test_the_card_tells_columns_licence_and_flags(out: Path) -> None:
    card = (out / "README.md").read_text(encoding="utf-8")
    for one in TABLES:
        for column in one.columns:
            assert f"| `{column.name}` | {column.kind} |" in card
    assert "`harbour`: imported (`imported`)" in card
    assert "may not be open" in card


def test_no_file_of_an_export_names_the_folder_of_the_run(run: Path, out: Path) -> None:
    for path in out.iterdir():
        if path.suffix == ".parquet":
            text = "".join(map(str, load_pandas().read_parquet(path).to_numpy().ravel()))
        else:
            text = path.read_text(encoding="utf-8")
        assert str(run.parent) not in text, path.name
