"""Labels by people next to a judge's, from a CSV file: one row per item and annotator.

Columns: item, human, judge, kind (binary, ordinal or score); optional: annotator, metric. An empty
cell is a missing value; further columns are ignored.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Final, Literal, cast, get_args

from arena.errors import RecordError
from arena.records.record_files import read_file

LabelKind = Literal["binary", "ordinal", "score"]
KINDS: Final = get_args(LabelKind)
_WANTED: Final = ("item", "human", "judge", "kind")
_WORDS: Final = {
    **dict.fromkeys(("1", "true", "yes", "correct", "right", "是", "对", "正确"), 1.0),
    **dict.fromkeys(("0", "false", "no", "incorrect", "wrong", "否", "错", "不正确"), 0.0),
}
_MAX_ROWS: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLabel:
    """One item with an annotator's label and the judge's."""

    item: str
    kind: LabelKind
    human: float | None
    judge: float | None
    annotator: str = ""
    metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledItems:
    """Items of one metric and kind: the labels of every annotator, and the judge's."""

    metric: str
    kind: LabelKind
    humans: Mapping[str, Sequence[float | None]]
    """By annotator, in the order of the items."""
    judge: Sequence[float | None]

    @property
    def human(self) -> tuple[float | None, ...]:
        """People's label of each item: their mean, or the majority of yes and no.

        None: unlabelled, or a tie of yes and no.
        """
        return tuple(self._agree(values) for values in zip(*self.humans.values(), strict=True))

    def pairs(self) -> tuple[list[float], list[float]]:
        """Return the labels and the judge's values of the items that have both."""
        both = [
            (human, judge)
            for human, judge in zip(self.human, self.judge, strict=True)
            if human is not None and judge is not None
        ]
        return [human for human, _ in both], [judge for _, judge in both]

    def _agree(self, values: Sequence[float | None]) -> float | None:
        known = [one for one in values if one is not None]
        if not known:
            return None
        mean = fmean(known)
        if self.kind != "binary":
            return mean
        return None if mean == 1 / 2 else float(mean > 1 / 2)


def read_labels(path: Path) -> tuple[ItemLabel, ...]:
    """Return the rows of a CSV file; raises `RecordError` with the line at fault."""
    data = read_file(path)
    if data is None:
        raise RecordError(f"there is no file {str(path)!r}")
    try:
        # The text is read at once, so that line breaks within cells survive.
        rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        missing = [name for name in _WANTED if name not in (rows.fieldnames or ())]
        if missing:
            raise RecordError(
                f"{str(path)!r} has no column {missing[0]!r}; wanted {', '.join(_WANTED)}"
            )
        found = [_read_row(path, rows.line_num, row) for row in rows]
    except (csv.Error, UnicodeDecodeError) as error:
        raise RecordError(f"{str(path)!r} is not a CSV file in UTF-8: {error}") from error
    if not found:
        raise RecordError(f"{str(path)!r} has no labels")
    if len(found) > _MAX_ROWS:
        raise RecordError(f"{str(path)!r} has {len(found)} rows; wanted at most {_MAX_ROWS}")
    return tuple(found)


def group_labels(labels: Sequence[ItemLabel]) -> tuple[LabelledItems, ...]:
    """Return the items of each metric and kind, in order of appearance.

    Raises `RecordError` if an annotator labels an item twice, or the judge's values differ.
    """
    groups: dict[tuple[str, LabelKind], list[ItemLabel]] = {}
    for label in labels:
        groups.setdefault((label.metric, label.kind), []).append(label)
    return tuple(_group(metric, kind, group) for (metric, kind), group in groups.items())


def _group(metric: str, kind: LabelKind, labels: Sequence[ItemLabel]) -> LabelledItems:
    items = list(dict.fromkeys(one.item for one in labels))
    humans: dict[str, dict[str, float | None]] = {}
    judge: dict[str, float | None] = {}
    for one in labels:
        own = humans.setdefault(one.annotator, {})
        if one.item in own:
            raise RecordError(
                f"item {one.item!r} is labelled twice by {one.annotator or 'one annotator'!r}; "
                "several annotators need a column annotator"
            )
        own[one.item] = one.human
        if one.judge is not None and judge.setdefault(one.item, one.judge) != one.judge:
            raise RecordError(f"the judge has two values for item {one.item!r}")
    return LabelledItems(
        metric=metric,
        kind=kind,
        humans={name: [own.get(item) for item in items] for name, own in humans.items()},
        judge=[judge.get(item) for item in items],
    )


def _read_row(path: Path, line: int, row: Mapping[str, str | None]) -> ItemLabel:
    def cell(name: str) -> str:
        return (row.get(name) or "").strip()

    place = f"{str(path)!r}, line {line}"
    kind = cell("kind").casefold()
    if kind not in KINDS:
        raise RecordError(f"{place}: kind is one of {', '.join(KINDS)}; got {cell('kind')!r}")
    if not cell("item"):
        raise RecordError(f"{place}: the item has no name")
    known = cast("LabelKind", kind)
    return ItemLabel(
        item=cell("item"),
        kind=known,
        human=_read_value(place, "human", cell("human"), known),
        judge=_read_value(place, "judge", cell("judge"), known),
        annotator=cell("annotator"),
        metric=cell("metric"),
    )


def _read_value(place: str, name: str, text: str, kind: LabelKind) -> float | None:
    if not text:
        return None
    if kind == "binary" and text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value) or (kind == "binary" and value not in {0, 1}):
        wanted = "0, 1, yes or no" if kind == "binary" else "a number"
        raise RecordError(f"{place}: {name} should be {wanted}, got {text[:40]!r}")
    return value
