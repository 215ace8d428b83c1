"""Import of one folder or a whole data set: read all, then write all, with one report."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from scripts_mm.atomic_folder import check_target
from scripts_mm.findings import FindingLog, sort_by_severity
from scripts_mm.importers.cross_checks import cross_check
from scripts_mm.importers.discovery import find_script_folders
from scripts_mm.importers.format_registry import FORMATS, FormatSpec
from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.language_pairs import check_language_pairs
from scripts_mm.importers.supplied_culprits import NO_CULPRITS, SuppliedCulprits
from scripts_mm.names import MAX_ID, fold_name, normal_form
from scripts_mm.safe_io import MAX_JSON, error_reason, parse_json, read_bytes, safe_check
from scripts_mm.script import ScriptError
from scripts_mm.script_folder import SCRIPT_FILE, save_script
from scripts_mm.script_info import count_by_kind, last_stage, total_points

REPORT_FILE = "findings.json"
"""Name of the report: a list of findings for each `<id>/<language>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBatch:
    """The imported scripts, the folders that could not be read, and the names not used."""

    imported: tuple[ImportedScript, ...]
    refused: tuple[str, ...]
    """One error line for each folder that could not be imported."""
    strangers: tuple[str, ...]
    unused: tuple[str, ...] = ()
    """Titles in the given culprits that no script has."""


def read_batch(
    folder: Path,
    forms: Sequence[FormatSpec] = tuple(FORMATS.values()),
    given: SuppliedCulprits = NO_CULPRITS,
) -> ImportBatch:
    """Import every script of the `forms` at `folder`. Raises ScriptError if there is none.

    If the only script cannot be read, its ScriptError is raised; with several it is `refused`.
    """

    def form_of(path: Path) -> FormatSpec | None:
        return next((form for form in forms if form.is_script(path)), None)

    walked = find_script_folders(
        folder,
        lambda path: form_of(path) is not None,
        wanted=" or ".join(form.wanted for form in forms),
        beside=frozenset[str]().union(*(form.beside for form in forms)),
    )
    found: list[ImportedScript] = []
    refused: list[str] = []
    for form in forms:
        for path in (one for one in walked.folders if form_of(one) is form):
            try:
                found.append(form.read(path, given))
            except ScriptError as error:
                if walked.folders == (folder,):
                    raise
                refused.append(str(error))
    together = (
        _with_cross_checks(_with_unique_ids(found)) if walked.folders != (folder,) else tuple(found)
    )
    return ImportBatch(
        imported=together,
        refused=tuple(refused),
        strangers=walked.strangers,
        unused=_unknown_titles(given, together),
    )


def write_batch(batch: ImportBatch, out: Path, *, force: bool = False) -> None:
    """Write each script to `out/<id>/<language>` and all findings to `out/findings.json`.

    Raises ScriptError before writing if a script already exists (`force`: it is replaced) or two
    scripts have one id.
    """
    targets = [_target_folder(one, out) for one in batch.imported]
    twice = [target for target, count in Counter(targets).items() if count > 1]
    if twice:
        raise ScriptError(f"two scripts have the target {str(twice[0])!r}; import them separately")
    for target in targets:
        check_target(target, SCRIPT_FILE, force)
    report = _read_report(out / REPORT_FILE)
    for one, target in zip(batch.imported, targets, strict=True):
        save_script(one.script, one.pictures, target, force=force)
        report[target.relative_to(out).as_posix()] = [item.to_json() for item in one.findings]
    _write_report(out / REPORT_FILE, report)


def check_outside(out: Path, folder: Path) -> None:
    """Raise ScriptError if `out` is inside the data at `folder`, which must not change."""
    try:
        inside = out.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        raise ScriptError(f"cannot write to {str(out)!r}: not a valid path") from error
    if inside:
        raise ScriptError(f"{str(out)!r} is in the data at {str(folder)!r}; name a folder outside")


def import_summary(imported: ImportedScript) -> dict[str, Any]:
    """Return the summary for `--json`, without details of findings: they can reveal the truth."""
    script = imported.script
    return {
        "script": script.id,
        "language": script.language,
        "source": script.source,
        "roles": len(script.roles),
        "pictures": len(script.pictures),
        "clues": len(script.clues),
        "places": len({clue.place for clue in script.clues if clue.place}),
        "stages": last_stage(script),
        "victims": len(script.victims),
        "questions": count_by_kind(script),
        "points": total_points(script),
        "findings": [
            {"code": one.code, "severity": one.severity, "place": one.place}
            for one in imported.findings
        ],
    }


def _with_cross_checks(found: Sequence[ImportedScript]) -> tuple[ImportedScript, ...]:
    books = cross_check([one.script for one in found])
    check_language_pairs(books)
    return tuple(
        replace(one, findings=sort_by_severity((*one.findings, *notes.found)))
        for one, (_, notes) in zip(found, books, strict=True)
    )


def _with_unique_ids(found: Sequence[ImportedScript]) -> list[ImportedScript]:
    """Return the scripts with a separate id for each language and format.

    Published scripts do not state which script is theirs in the other language, so two languages
    never share an id.
    """
    same: defaultdict[str, list[ImportedScript]] = defaultdict(list)
    for one in found:
        same[one.script.id].append(one)
    return _number_duplicates([_with_language_tail(one, same[one.script.id]) for one in found])


def _number_duplicates(found: Sequence[ImportedScript]) -> list[ImportedScript]:
    """Return the scripts; repeated ids get the next free number appended."""
    given = {fold_name(one.script.id) for one in found}
    taken: set[str] = set()
    apart: list[ImportedScript] = []
    for one in found:
        name, number = one.script.id, 1
        while fold_name(name) in taken or (number > 1 and fold_name(name) in given):
            number += 1
            name = _with_tail(one.script.id, str(number))
        taken.add(fold_name(name))
        apart.append(one if number == 1 else _with_id(one, name))
    return apart


def _with_language_tail(one: ImportedScript, namesakes: Sequence[ImportedScript]) -> ImportedScript:
    script = one.script
    languages = {other.script.language for other in namesakes}
    sources = {other.script.source for other in namesakes}
    tails = [script.language] if len(languages) > 1 else []
    tails += [script.source] if len(sources) > 1 else []
    if not tails:
        return one
    return _with_id(one, _with_tail(script.id, "-".join(tails)))


def _with_tail(name: str, tail: str) -> str:
    """Return an id with a tail, shortened before the tail to at most `MAX_ID` characters."""
    return f"{name[: MAX_ID - len(tail) - 1].rstrip('._-')}-{tail}"


def _with_id(one: ImportedScript, name: str) -> ImportedScript:
    """Return a script with another id, and a finding about it."""
    script, notes = one.script, FindingLog()
    notes.info("id-changed", "folder", f"{script.id!r} is also another script's id; used: {name!r}")
    return replace(
        one,
        script=replace(script, id=name),
        findings=sort_by_severity((*one.findings, *notes.found)),
    )


def _unknown_titles(given: SuppliedCulprits, found: Sequence[ImportedScript]) -> tuple[str, ...]:
    takers = [one.script for one in found if FORMATS[one.script.source].takes_culprits]
    titles = {normal_form(name) for script in takers for name in (script.title, script.id)}
    return tuple(title for title in given.culprits if normal_form(title) not in titles)


def _target_folder(imported: ImportedScript, out: Path) -> Path:
    return out / imported.script.id / imported.script.language


def _read_report(path: Path) -> dict[str, Any]:
    """Return the existing report, to which the findings are added."""
    if not safe_check(path.exists):
        return {}
    report = parse_json(read_bytes(path, MAX_JSON), path)
    if not isinstance(report, dict):
        raise ScriptError(f"{str(path)!r} is not a report of findings; move it away")
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
        raise ScriptError(f"cannot write {str(path)!r}: {error_reason(error)}") from error
