"""Importing one folder or a whole data set: read all, then write all, with one report."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from scripts_mm.files import SCRIPT, save_script
from scripts_mm.findings import Notebook, ranked
from scripts_mm.importers.across import check_across
from scripts_mm.importers.formats import FORMS, Form
from scripts_mm.importers.given import NOTHING, Given
from scripts_mm.importers.imported import Imported
from scripts_mm.importers.languages import check_languages
from scripts_mm.importers.walking import walk
from scripts_mm.names import MAX_ID, folded, normal_form
from scripts_mm.reading import MAX_JSON, parse_json, read_bytes, reason_of, seen
from scripts_mm.script import ScriptError
from scripts_mm.telling import kinds, points, stages
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
    unused: tuple[str, ...] = ()
    """Titles for which something was given, but which no script has."""


def read_batch(
    folder: Path, forms: Sequence[Form] = tuple(FORMS.values()), given: Given = NOTHING
) -> Batch:
    """Import every script of the `forms` at `folder`; ScriptError if there is none to try.

    A single script that cannot be read raises its ScriptError; among several it is `refused`.
    """

    def form_of(path: Path) -> Form | None:
        return next((form for form in forms if form.is_script(path)), None)

    walked = walk(
        folder,
        lambda path: form_of(path) is not None,
        wanted=" or ".join(form.wanted for form in forms),
        beside=frozenset[str]().union(*(form.beside for form in forms)),
    )
    found: list[Imported] = []
    refused: list[str] = []
    for form in forms:
        for path in (one for one in walked.folders if form_of(one) is form):
            try:
                found.append(form.read(path, given))
            except ScriptError as error:
                if walked.folders == (folder,):
                    raise
                refused.append(str(error))
    together = _with_across(_apart(found)) if walked.folders != (folder,) else tuple(found)
    return Batch(
        imported=together,
        refused=tuple(refused),
        strangers=walked.strangers,
        unused=_unused(given, together),
    )


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


def refuse_inside(out: Path, folder: Path) -> None:
    """Raise ScriptError where `out` lies in the data at `folder`, which nothing is to change."""
    try:
        inside = out.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        raise ScriptError(f"cannot write to {str(out)!r}: no path that can be") from error
    if inside:
        raise ScriptError(f"{str(out)!r} lies in the data at {str(folder)!r}; name a place outside")


def summary(imported: Imported) -> dict[str, Any]:
    """Return what `--json` prints of one script; details of findings tell truths, so none."""
    script = imported.script
    return {
        "script": script.id,
        "language": script.language,
        "source": script.source,
        "roles": len(script.roles),
        "pictures": len(script.pictures),
        "clues": len(script.clues),
        "places": len({clue.place for clue in script.clues if clue.place}),
        "stages": stages(script),
        "victims": len(script.victims),
        "questions": kinds(script),
        "points": points(script),
        "findings": [
            {"code": one.code, "severity": one.severity, "place": one.place}
            for one in imported.findings
        ],
    }


def _with_across(found: Sequence[Imported]) -> tuple[Imported, ...]:
    books = check_across([one.script for one in found])
    check_languages(books)
    return tuple(
        replace(one, findings=ranked((*one.findings, *notes.found)))
        for one, (_, notes) in zip(found, books, strict=True)
    )


def _apart(found: Sequence[Imported]) -> list[Imported]:
    """Return the scripts, those of one id in two languages or formats with ids of their own.

    Nothing ties the languages of a published script together, so they may not share an id.
    """
    same: defaultdict[str, list[Imported]] = defaultdict(list)
    for one in found:
        same[one.script.id].append(one)
    return _numbered([_renamed(one, same[one.script.id]) for one in found])


def _numbered(found: Sequence[Imported]) -> list[Imported]:
    """Return the scripts; the later ones of one id have it with a number that is free."""
    given = {folded(one.script.id) for one in found}
    taken: set[str] = set()
    apart: list[Imported] = []
    for one in found:
        name, number = one.script.id, 1
        while folded(name) in taken or (number > 1 and folded(name) in given):
            number += 1
            name = _with_tail(one.script.id, str(number))
        taken.add(folded(name))
        apart.append(one if number == 1 else _called(one, name))
    return apart


def _renamed(one: Imported, namesakes: Sequence[Imported]) -> Imported:
    script = one.script
    languages = {other.script.language for other in namesakes}
    sources = {other.script.source for other in namesakes}
    tails = [script.language] if len(languages) > 1 else []
    tails += [script.source] if len(sources) > 1 else []
    if not tails:
        return one
    return _called(one, _with_tail(script.id, "-".join(tails)))


def _with_tail(name: str, tail: str) -> str:
    """Return an id with a tail, cut before it where both together would be too long."""
    return f"{name[: MAX_ID - len(tail) - 1].rstrip('._-')}-{tail}"


def _called(one: Imported, name: str) -> Imported:
    """Return a script under another id, which a finding tells."""
    script, notes = one.script, Notebook()
    notes.info("id-changed", "folder", f"{script.id!r} is another script's too; taken: {name!r}")
    return replace(
        one,
        script=replace(script, id=name),
        findings=ranked((*one.findings, *notes.found)),
    )


def _unused(given: Given, found: Sequence[Imported]) -> tuple[str, ...]:
    takers = [one.script for one in found if FORMS[one.script.source].takes_culprits]
    titles = {normal_form(name) for script in takers for name in (script.title, script.id)}
    return tuple(title for title in given.culprits if normal_form(title) not in titles)


def _target(imported: Imported, out: Path) -> Path:
    return out / imported.script.id / imported.script.language


def _report(path: Path) -> dict[str, Any]:
    """Return the report that is there, to which other scripts' findings are added."""
    if not seen(path.exists):
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
