"""Blind labelling sheets: a judge's tasks, for people, in random order and without names.

The sheet contains neither match nor contestant; a separate key file does. A completed sheet, its
key and judgements together give labels (`human_labels.py`).
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, cast

from jinja2 import Environment, PackageLoader

from arena.errors import RecordError
from arena.records.record_files import read_file
from eval.judges.labelling.human_labels import KINDS, ItemLabel, LabelKind
from eval.judges.scales import CORRECT, INCORRECT, Scale
from eval.judges.tasks import Task
from eval.judges.verdicts import JudgeVerdict
from eval.played_match import PlayedMatch

COLUMNS: Final = ("item", "metric", "kind", "range", "annotator", "human", "question", "material")
KEY_COLUMNS: Final = (
    *("item", "match", "metric", "seat", "about", "kind"),
    *("low", "high", "statements", "contestant"),
)
_KINDS: Final[Mapping[str, LabelKind]] = {
    "verdict": "binary",
    "points": "binary",
    "pair": "ordinal",
}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_WIDEST_ORDINAL: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetItem:
    """One item of a sheet, with the fields that only the key contains."""

    item: str
    kind: LabelKind
    task: Task
    contestant: str = ""

    @property
    def range(self) -> str:
        """The allowed labels, in words."""
        return _write_range(self.task.scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    """The key's row of one item."""

    item: str
    place: tuple[str, str, str, str]
    """Match, metric, seat and about: the key of a task."""
    kind: LabelKind
    low: float
    high: float
    """`low` and `high` bound a label; for a list each number, and 0 for none."""
    statements: int
    """The length of a list of statements; 0: not a list."""


def make_sheet_items(
    tasks: Sequence[Task], matches: Sequence[PlayedMatch], *, most: int | None, seed: int
) -> tuple[SheetItem, ...]:
    """Return a random sample of the tasks with a single scale, in random order and numbered."""
    played = {match.id: match for match in matches}
    scored = [task for task in tasks if task.scale.form not in {"text", "parts"}]
    Random(seed).shuffle(scored)
    return tuple(
        SheetItem(
            item=f"{number:04d}",
            kind=label_kind(task.scale),
            task=task,
            contestant=_contestant(played.get(task.match), task),
        )
        for number, task in enumerate(scored[:most], start=1)
    )


def label_kind(scale: Scale) -> LabelKind:
    """Return the kind of a scale's labels: few steps are ordinal, many are a score."""
    if scale.form == "number":
        return "ordinal" if scale.high - scale.low <= _WIDEST_ORDINAL else "score"
    return _KINDS.get(scale.form, "score")


def write_sheet_csv(items: Sequence[SheetItem]) -> str:
    """Return the sheet as CSV, with empty cells for the annotator and the label."""
    rows = (
        (
            *(one.item, one.task.metric, one.kind, one.range, "", ""),
            *(one.task.demand.strip(), one.task.material),
        )
        for one in items
    )
    return _write_csv(COLUMNS, rows)


def write_sheet_html(items: Sequence[SheetItem]) -> str:
    """Return the sheet as one HTML page that saves labels as CSV, without a network."""
    environment = Environment(loader=PackageLoader("eval.judges"), autoescape=True)
    return environment.get_template("sheet.html.jinja").render(items=items)


def write_key(items: Sequence[SheetItem]) -> str:
    """Return the key of a sheet as CSV."""
    rows = (
        (
            *(one.item, *one.task.key, one.kind),
            *map(str, (one.task.scale.low, one.task.scale.high, _count(one.task.scale))),
            one.contestant,
        )
        for one in items
    )
    return _write_csv(KEY_COLUMNS, rows)


def read_key(path: Path) -> Mapping[str, KeyRow]:
    """Read the key of a sheet, by item; raises `RecordError`."""
    found: dict[str, KeyRow] = {}
    for row in _read_csv(path, KEY_COLUMNS):
        name, kind = row["item"], row["kind"]
        low, high, count = (row[cell] for cell in ("low", "high", "statements"))
        if kind not in KINDS or not all(map(str.isdecimal, (low, high, count))):
            raise RecordError(
                f"{str(path)!r}, item {name[:40]!r}: a key has a kind ({', '.join(KINDS)}) and "
                "whole numbers low, high and statements; use the key that `arena judge sheet` wrote"
            )
        found[name] = KeyRow(
            item=name,
            place=(row["match"], row["metric"], row["seat"], row["about"]),
            kind=cast("LabelKind", kind),
            low=int(low),
            high=int(high),
            statements=int(count),
        )
    return found


def join_sheet(
    sheet: Path, key: Mapping[str, KeyRow], verdicts: Sequence[JudgeVerdict]
) -> tuple[ItemLabel, ...]:
    """Return the labels of a completed sheet with the judge's values.

    Each statement of a list is a separate item. Raises `RecordError` for an item that is not in the
    key and for an invalid label.
    """
    judges = {one.judge for one in verdicts}
    if len(judges) > 1:
        raise RecordError(f"the judgements are of {len(judges)} judges; keep each in a folder")
    judged = {
        (one.match, one.metric, one.seat, one.about): one for one in verdicts if not one.repeat
    }
    found: list[ItemLabel] = []
    for row in _read_csv(sheet, ("item", "human")):
        known, human = key.get(row["item"]), row["human"].strip()
        if known is None:
            raise RecordError(f"{str(sheet)!r} has item {row['item']!r}, which is not in the key")
        if human:
            found += _join(sheet, known, human, row.get("annotator", ""), judged.get(known.place))
    return tuple(found)


def _join(
    sheet: Path, known: KeyRow, human: str, annotator: str, verdict: JudgeVerdict | None
) -> Iterator[ItemLabel]:
    place = f"{str(sheet)!r}, item {known.item!r}"
    metric = known.place[1]
    if not known.statements:
        yield ItemLabel(
            item=known.item,
            metric=metric,
            kind=known.kind,
            human=_read_number(place, human, known.low, known.high),
            judge=None if verdict is None else verdict.value,
            annotator=annotator,
        )
        return
    words = (one for one in re.split(r"[,，、\s]+", human) if one)
    listed = {_read_number(place, one, 0, known.high) for one in words}
    named = None if verdict is None else verdict.values
    for number in range(1, known.statements + 1):
        yield ItemLabel(
            item=f"{known.item}/{number}",
            metric=metric,
            kind="binary",
            human=float(number in listed),
            judge=None if named is None else float(number in named),
            annotator=annotator,
        )


def _read_number(place: str, text: str, low: float, high: float) -> float:
    try:
        value = float({CORRECT: "1", INCORRECT: "0"}.get(text, text))
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise RecordError(f"{place}: wanted a number of {low:g} to {high:g}, got {text[:40]!r}")
    return value


def _count(scale: Scale) -> int:
    return scale.high if scale.form == "points" else 0


def _contestant(match: PlayedMatch | None, task: Task) -> str:
    if match is None or not task.seat:
        return ""
    seat = next(one for one in match.started.seats if one == task.seat)
    return match.contestant(seat)


def _write_range(scale: Scale) -> str:
    match scale.form:
        case "verdict":
            return f"1 ({CORRECT}), 0 ({INCORRECT})"
        case "points":
            return "numbers with commas; 0: none"
        case "pair":
            return "1 (A), 0.5, 0 (B)"
        case _:
            return f"{scale.low}-{scale.high}"


def _write_csv(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return rows as CSV; cells that a spreadsheet would read as formulas are escaped."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
    return out.getvalue()


def _read_csv(path: Path, wanted: Sequence[str]) -> Iterator[dict[str, str]]:
    data = read_file(path)
    if data is None:
        raise RecordError(f"there is no file {str(path)!r}")
    try:
        rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        missing = [name for name in wanted if name not in (rows.fieldnames or ())]
        if missing:
            raise RecordError(f"{str(path)!r} has no column {missing[0]!r}")
        for row in rows:
            yield {name: row[name] or "" for name in row if name}
    except (csv.Error, UnicodeDecodeError) as error:
        raise RecordError(f"{str(path)!r} is not a CSV file in UTF-8: {error}") from error
