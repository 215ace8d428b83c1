"""The command `arena scripts lint`: one script, or the whole library."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from rich.console import Console

from scripts_mm.catalog import LIBRARY, find_script, list_readable
from scripts_mm.command_io import (
    BAD_INPUT,
    Json,
    LanguageName,
    Libraries,
    ScriptOrAll,
    exit_on_error,
    parse_language,
    print_json,
)
from scripts_mm.findings import Finding
from scripts_mm.linting import lint, lint_library
from scripts_mm.script import Language
from scripts_mm.script_folder import LoadedScript, load_script
from scripts_mm.script_tables import findings_table

FOUND_ERRORS = 1
"""Exit status if a script has findings of severity `error`."""


def lint_scripts(
    script: ScriptOrAll = None,
    language: LanguageName = None,
    library: Libraries = None,
    as_json: Json = False,
) -> None:
    """Report problems of a script, or of all; exit status 1 if a match cannot be played with one.

    Without SCRIPT: all scripts of the libraries in all languages, and what only together they show.
    """
    with exit_on_error():
        spoken = parse_language(language)
        if script is not None:
            found = [_lint_one(find_script(script, spoken, library or ()), as_json=as_json)]
        else:
            found = list(_lint_all((LIBRARY, *(library or ())), spoken, as_json=as_json))
    if any(finding.severity == "error" for findings in found for finding in findings):
        raise typer.Exit(FOUND_ERRORS)


def load_all(libraries: Sequence[Path], language: Language | None) -> Iterator[LoadedScript]:
    """Load every readable script of `libraries`, in `language` or in all."""
    for entry in (one for folder in libraries for one in list_readable(folder)[0]):
        for spoken in (one for one in entry.languages if language in {None, one}):
            folder = entry.folder / spoken
            yield load_script(folder if folder.is_dir() else entry.folder)


def _lint_all(
    libraries: Sequence[Path], language: Language | None, *, as_json: bool
) -> Iterator[Sequence[Finding]]:
    """Report and return the findings of every script in `libraries`, then of all together.

    Ends with exit status 2 if a script cannot be read.
    """
    scripts: list[LoadedScript] = []
    for loaded in load_all(libraries, language):
        scripts.append(loaded)
        yield _lint_one(loaded, as_json=as_json)
    findings = lint_library([one.script for one in scripts])
    if as_json:
        print_json({"library": len(scripts), "findings": [one.to_json() for one in findings]})
    else:
        Console(highlight=False).print(findings_table("all scripts together", findings))
    yield findings
    broken = [line for folder in libraries for line in list_readable(folder)[1]]
    for line in broken:
        typer.echo(f"error: {line}", err=True)
    if broken:
        raise typer.Exit(BAD_INPUT)


def _lint_one(loaded: LoadedScript, *, as_json: bool) -> Sequence[Finding]:
    """Report and return the findings of one script."""
    findings = lint(loaded)
    script = loaded.script
    if as_json:
        told = [finding.to_json() for finding in findings]
        print_json({"script": script.id, "language": script.language, "findings": told})
    else:
        Console(highlight=False).print(findings_table(script.id, findings))
    return findings
