"""Blind labelling sheets: no names, a random order, and back to labels by their key."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import RecordError
from eval.judges.labelling.human_labels import group_labels
from eval.judges.labelling.judge_agreement import measure_agreement
from eval.judges.labelling.label_sheet import (
    COLUMNS,
    SheetItem,
    join_sheet,
    make_sheet_items,
    read_key,
    write_key,
    write_sheet_csv,
    write_sheet_html,
)
from eval.judges.task_builders.task_catalogue import make_tasks
from eval.judges.verdicts import JudgeVerdict
from tests.eval.judges.made import judged_match, task, verdict
from tests.table import MURDERER


def items(seed: int = 0, most: int | None = None) -> tuple[SheetItem, ...]:
    match = judged_match()
    match = replace(match, summary=replace(match.summary, civilians="team-A", murderer="team-B"))
    tasks = make_tasks([match], ["RP", "SPC", "CMD", "CMD_parts", "RL"])
    return make_sheet_items(tasks, [match], most=most, seed=seed)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_sheet_has_neither_match_nor_contestant_but_its_key_has() -> None:
    chosen = items()
    for text in (write_sheet_csv(chosen), write_sheet_html(chosen)):
        assert "team-" not in text
        assert judged_match().id not in text
    key = rows(write_key(chosen))
    assert {row["contestant"] for row in key} == {"team-A", "team-B"}
    assert {row["seat"] for row in key if row["contestant"] == "team-B"} == {MURDERER}


def test_items_are_shuffled_by_the_seed_and_cut_to_a_number() -> None:
    first, again, other = items(), items(), items(seed=1)
    assert first == again
    assert [one.task for one in first] != [one.task for one in other]
    assert [one.item for one in items(most=3)] == ["0001", "0002", "0003"]
    assert [one.task for one in items(most=3)] == [one.task for one in first[:3]]
    assert {one.task.metric for one in first} == {"RP", "SPC", "CMD"}


def test_no_cell_of_a_sheet_is_a_formula() -> None:
    one = SheetItem(item="0001", kind="score", task=replace(task(), material='=HYPERLINK("x")'))
    [row] = rows(write_sheet_csv([one]))
    assert row["material"] == '\'=HYPERLINK("x")'
    assert tuple(row) == COLUMNS


def test_speech_in_a_page_is_text_and_no_markup() -> None:
    one = SheetItem(item="0001", kind="score", task=replace(task(), material="<script>x</script>"))
    page = write_sheet_html([one])
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert not re.search(r"(src|href)=\"http", page), "it needs no network"


def filled(tmp_path: Path, labels: dict[str, str]) -> tuple[Path, Path]:
    """Write the sheet with labels by metric, and its key; return both."""
    chosen = items()
    sheet = rows(write_sheet_csv(chosen))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in sheet:
        cells = {**row, "human": labels.get(row["metric"], ""), "annotator": "x"}
        writer.writerow([cells[name] for name in COLUMNS])
    (tmp_path / "s.csv").write_text(out.getvalue(), encoding="utf-8")
    (tmp_path / "k.csv").write_text(write_key(chosen), encoding="utf-8")
    return tmp_path / "s.csv", tmp_path / "k.csv"


def judged() -> list[JudgeVerdict]:
    values = {"RP": verdict(7.0), "CMD": verdict(60.0), "SPC": verdict(None, values=(1.0,))}
    return [
        replace(
            values[one.task.metric],
            metric=one.task.metric,
            match=one.task.match,
            seat=one.task.seat,
        )
        for one in items()
    ]


def test_a_filled_sheet_its_key_and_judgements_are_labels(tmp_path: Path) -> None:
    sheet, key = filled(tmp_path, {"RP": "7", "SPC": "1, 3"})
    labels = join_sheet(sheet, read_key(key), judged())
    found = {one.metric: one for one in measure_agreement(group_labels(labels), resamples=50)}
    assert set(found) == {"RP", "SPC"}, "an empty cell is no label"
    assert (found["RP"].kind, found["RP"].items) == ("ordinal", 5)
    accuracy = {row.statistic: row.value for row in found["SPC"].rows}["accuracy"]
    assert (found["SPC"].items, accuracy) == (15, pytest.approx(2 / 3))


def test_a_wrong_sheet_is_one_line(tmp_path: Path) -> None:
    sheet, key = filled(tmp_path, {"RP": "good"})
    with pytest.raises(RecordError, match="wanted a number of 0 to 10, got 'good'"):
        join_sheet(sheet, read_key(key), judged())
    with pytest.raises(RecordError, match="which is not in the key"):
        join_sheet(sheet, {}, judged())
    with pytest.raises(RecordError, match="no column 'match'"):
        read_key(sheet)
    two = [*judged(), verdict(judge="other 1")]
    with pytest.raises(RecordError, match="of 2 judges"):
        join_sheet(sheet, read_key(key), two)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"RP": "11"}, "wanted a number of 0 to 10, got '11'"),
        ({"RP": "nan"}, "wanted a number of 0 to 10, got 'nan'"),
        ({"SPC": "1, 4"}, "wanted a number of 0 to 3, got '4'"),
        ({"CMD": "-1"}, "wanted a number of 0 to 100, got '-1'"),
    ],
)
def test_a_label_beyond_its_scale_is_refused_and_not_dropped(
    tmp_path: Path, labels: dict[str, str], said: str
) -> None:
    sheet, key = filled(tmp_path, labels)
    with pytest.raises(RecordError, match=said):
        join_sheet(sheet, read_key(key), judged())


def test_0_on_a_list_means_none_of_the_statements(tmp_path: Path) -> None:
    sheet, key = filled(tmp_path, {"SPC": "0"})
    assert {one.human for one in join_sheet(sheet, read_key(key), judged())} == {0}


@pytest.mark.parametrize(("cell", "text"), [("kind", "likert"), ("high", "-3"), ("statements", "")])
def test_a_key_that_was_changed_is_refused(tmp_path: Path, cell: str, text: str) -> None:
    _, key = filled(tmp_path, {})
    changed = [{**row, cell: text} for row in rows(key.read_text(encoding="utf-8"))]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(changed[0]))
    writer.writeheader()
    writer.writerows(changed)
    key.write_text(out.getvalue(), encoding="utf-8")
    with pytest.raises(RecordError, match="item '0001': a key has a kind"):
        read_key(key)
