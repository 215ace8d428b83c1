"""Importing one folder or a whole data set: read all, then write all, with one report."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from scripts_mm.files import SCRIPT, save_script
from scripts_mm.findings import ranked
from scripts_mm.importers.across import check_across
from scripts_mm.importers.whodunit import (
    Imported,
    import_whodunit,
    script_folders,
    strangers,
)
from scripts_mm.reading import MAX_JSON, parse_json, read_bytes, reason_of
from scripts_mm.script import QUESTION_KINDS, ScriptError
from scripts_mm.writing import refuse_target

REPORT = "findings.json"
"""Name of the report: a list of findings for each `<id>/<language>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Scripts that were read, folders that could not be, and names that were not looked at."""

    imported: tuple[Imported, ...]
    refused: tuple[str, ...]
    """One line for each folder of which no script can be made."""
    strangers: tuple[str, ...]


Importer = Callable[[Path], Batch]
"""Reads one script's folder or a folder of many."""


def read_batch(folder: Path) -> Batch:
    """Import every script at `folder`; ScriptError if there is none to try.

    A single script that cannot be read raises its ScriptError; among several it is `refused`.
    """
    folders = script_folders(folder)
    if len(folders) == 1 and folders[0] == folder:
        return Batch(imported=(import_whodunit(folder),), refused=(), strangers=())
    found: list[Imported] = []
    refused: list[str] = []
    for one in folders:
        try:
            found.append(import_whodunit(one))
        except ScriptError as error:
            refused.append(str(error))
    return Batch(imported=_with_across(found), refused=tuple(refused), strangers=strangers(folder))


def write_batch(batch: Batch, out: Path, *, force: bool = False) -> None:
    """Write each script to `out/<id>/<language>` and all findings to `out/findings.json`.

    Raises ScriptError before anything is written where a script is there already (`force`: it is
    replaced) or two have one id.
    """
    targets = [_target(one, out) for one in batch.imported]
    twice = [target for target, count in Counter(targets).items() if count > 1]
    if twice:
        raise ScriptError(f"two of the scripts would be {str(twice[0])!r}; import them apart")
    for target in targets:
        refuse_target(target, SCRIPT, force)
    report = _report(out / REPORT)
    for one, target in zip(batch.imported, targets, strict=True):
        save_script(one.script, one.pictures, target, force=force)
        report[target.relative_to(out).as_posix()] = [item.to_json() for item in one.findings]
    _write_report(out / REPORT, report)


def summary(imported: Imported) -> dict[str, Any]:
    """Return what `--json` prints of one script."""
    script = imported.script
    counts = Counter(question.kind for question in script.questions)
    return {
        "script": script.id,
        "roles": len(script.roles),
        "pictures": len(script.pictures),
        "clues": len(script.clues),
        "questions": {kind: counts[kind] for kind in QUESTION_KINDS},
        "findings": [finding.to_json() for finding in imported.findings],
    }


def _with_across(found: Sequence[Imported]) -> tuple[Imported, ...]:
    books = check_across([one.script for one in found])
    return tuple(
        replace(one, findings=ranked((*one.findings, *notes.found)))
        for one, (_, notes) in zip(found, books, strict=True)
    )


def _target(imported: Imported, out: Path) -> Path:
    return out / imported.script.id / imported.script.language


def _report(path: Path) -> dict[str, Any]:
    """Return the report that is there, to which other scripts' findings are added."""
    if not path.exists():
        return {}
    report = parse_json(read_bytes(path, MAX_JSON), path)
    if not isinstance(report, dict):
        raise ScriptError(f"{str(path)!r} is no report of findings; move it away")
    return cast("dict[str, Any]", report)


def _write_report(path: Path, report: Mapping[str, Any]) -> None:
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}.part")
    text = json.dumps(dict(sorted(report.items())), indent=2, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise ScriptError(f"cannot write {str(path)!r}: {reason_of(error)}") from error
