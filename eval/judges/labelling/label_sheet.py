"""Blind labelling sheets: what a judge is shown, for people, in random order and without names.

The sheet tells neither match nor contestant; a key in a file of its own does. A sheet that was
filled in, the key and judgements together are labels (`labels.py`).
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
    """One item of a sheet, and what only the key tells of it."""

    item: str
    kind: LabelKind
    task: Task
    contestant: str = ""

    @property
    def range(self) -> str:
        """What may be written."""
        return _write_range(self.task.scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    """What the key tells of one item."""

    item: str
    place: tuple[str, str, str, str]
    """Match, metric, seat and about: the key of a task."""
    kind: LabelKind
    low: float
    high: float
    """Between which a label lies; of a list of statements each number, and 0 for none."""
    statements: int
    """Of a list: how many there are; 0: it is none."""


def make_sheet_items(
    tasks: Sequence[Task], matches: Sequence[PlayedMatch], *, most: int | None, seed: int
) -> tuple[SheetItem, ...]:
    """Return a random choice of the tasks that have one scale, in random order and numbered."""
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
    """Return how labels on a scale are compared: few steps are ordinal, many are a score."""
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
    """Return the sheet as one HTML page that saves labels as CSV, without any network."""
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
    """Return the key of a sheet by item, or raise `RecordError`."""
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
    """Return the labels of a sheet that was filled in, beside what the judge said.

    Each statement of a list is an item of its own. Raises `RecordError` for an item that the key
    does not know and for a label that cannot be read.
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
            raise RecordError(f"{str(sheet)!r} has item {row['item']!r}, which the key has not")
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
        raise RecordError(f"{place}: a number of {low:g} to {high:g} is wanted, got {text[:40]!r}")
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
    """Return rows as CSV in which no cell is a formula of a spreadsheet."""
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
        raise RecordError(f"{str(path)!r} is no CSV file in UTF-8: {error}") from error
