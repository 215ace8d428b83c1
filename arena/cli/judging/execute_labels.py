"""Execution of `arena judge agree` and `arena judge sheet`."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer
from rich.console import Group

from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.judging.execute_judging import load_tasks
from arena.cli.judging.judge_requests import AgreeRequest, SheetRequest
from arena.cli.rendering.judge_table import agreement_table, rate_line
from arena.errors import ConfigError, RecordError
from arena.records.record_files import atomic_write
from arena.view.sanitize import sanitize_line
from eval.judges.labelling.human_labels import ItemLabel, group_labels, read_labels
from eval.judges.labelling.judge_agreement import GroupAgreement, measure_agreement
from eval.judges.labelling.label_sheet import (
    join_sheet,
    make_sheet_items,
    read_key,
    write_key,
    write_sheet_csv,
    write_sheet_html,
)
from eval.judges.labelling.rate_correction import CorrectedRate, correct_rate
from eval.judges.store import read_verdicts
from eval.stats.bootstrap import SEED


def execute_agree(request: AgreeRequest) -> None:
    """Show the agreement of labels, and a rate corrected by it."""
    labels = _check_labels(request.labels, _read_labels(request))
    seed = SEED if request.seed is None else request.seed
    groups = measure_agreement(group_labels(labels), cut=request.cut, seed=seed)
    rate = None if request.rate is None else _correct_rate(groups, *request.rate)
    if request.as_json:
        out = JsonOut(sys.stdout)
        for group in groups:
            out.write({"row": "agreement", **asdict(group)})
        if rate is not None:
            out.write({"row": "rate", **asdict(rate)})
        return
    shown = [agreement_table(groups), *([] if rate is None else [rate_line(rate)])]
    open_consoles(no_color=request.no_color).out.print(Group(*shown))


def execute_sheet(request: SheetRequest) -> None:
    """Write a sheet and its key; neither replaces a file."""
    for path in (request.out, request.key):
        if path.exists():
            raise RecordError(f"{str(path)!r} already exists; choose another name")
    matches, tasks = load_tasks(request.run, request.metrics, request.answers)
    items = make_sheet_items(tasks, matches, most=request.items, seed=request.seed)
    if not items:
        raise RecordError("none of these metrics has a scale that a sheet can contain")
    write = write_sheet_html if request.out.suffix == ".html" else write_sheet_csv
    atomic_write(request.key, write_key(items))
    atomic_write(request.out, write(items))
    if request.as_json:
        found = {"out": str(request.out), "key": str(request.key), "items": len(items)}
        JsonOut(sys.stdout).write(found)
    else:
        line = f"{len(items)} items in {str(request.out)!r}, their key in {str(request.key)!r}"
        typer.echo(sanitize_line(line))


def _read_labels(request: AgreeRequest) -> tuple[ItemLabel, ...]:
    if request.key is None or request.judgements is None:
        return read_labels(request.labels)
    verdicts = read_verdicts(_check_folder(request.judgements))
    labels = join_sheet(request.labels, read_key(request.key), verdicts)
    if not labels:
        raise RecordError(f"{str(request.labels)!r} has no labels yet")
    return labels


def _check_labels(path: Path, labels: tuple[ItemLabel, ...]) -> tuple[ItemLabel, ...]:
    """Return labels that can be compared with something, or raise `RecordError`."""
    if all(one.human is None for one in labels):
        raise RecordError(f"{str(path)!r} has no labels yet: every cell of 'human' is empty")
    if all(one.judge is None for one in labels) and len({one.annotator for one in labels}) == 1:
        raise RecordError(
            f"no item of {str(path)!r} has a value of the judge; judge these items, or add the "
            "labels of a second annotator"
        )
    return labels


def _check_folder(path: Path) -> Path:
    if not path.is_dir():
        raise RecordError(f"there is no folder {str(path)!r}")
    return path


def _correct_rate(groups: Sequence[GroupAgreement], yes: int, every: int) -> CorrectedRate:
    found = [one.calibration for one in groups if one.calibration is not None]
    if len(found) != 1:
        raise ConfigError(
            f"correcting a rate needs one group of binary labels, but there are {len(found)}; "
            "write only labels of one metric in a file"
        )
    return correct_rate(yes, every, found[0])
