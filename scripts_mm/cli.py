"""The commands of `arena scripts`: list, show, sheet, new, lint, guess, prove, import, generate."""

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer
from PIL import Image
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from scripts_mm.catalog import LIBRARY, find_script, list_readable
from scripts_mm.command_io import (
    BAD_INPUT,
    Json,
    LanguageName,
    Libraries,
    exit_on_error,
    parse_language,
    print_json,
)
from scripts_mm.contact_sheet import draw_contact_sheet
from scripts_mm.facts.consistency import prove_against_script
from scripts_mm.facts.facts_file import FACTS_FILE, load_facts
from scripts_mm.facts.proof_output import proof_json, proof_lines
from scripts_mm.generate_command import generate_scripts
from scripts_mm.guess_command import guess_scripts
from scripts_mm.importers.format_registry import ALL, FORMATS, select_formats
from scripts_mm.importers.import_batch import (
    REPORT_FILE,
    ImportBatch,
    check_outside,
    import_summary,
    read_batch,
    write_batch,
)
from scripts_mm.importers.supplied_culprits import read_culprits
from scripts_mm.lint_command import lint_scripts
from scripts_mm.new_command import start_script
from scripts_mm.script import ScriptError
from scripts_mm.script_info import describe_script
from scripts_mm.script_tables import batch_table, entries_table, show_tables
from scripts_mm.vision_tokens import VISION_FAMILIES, VisionFamily

NOT_PROVED = 1
"""Exit status of `prove` if the facts do not leave exactly the stated culprits."""

_WIDEST = 400
"""Maximum columns of a table when the output is not a terminal."""
_FORMAT_NAMES = ", ".join((*FORMATS, ALL))

ScriptName = Annotated[str, typer.Argument(help="A script's id in a library, or a path to it.")]


def add_commands(app: typer.Typer) -> None:
    """Add the commands of `arena scripts`."""
    scripts = typer.Typer(
        no_args_is_help=True, help="The written cases: list, show, start, check, import, generate."
    )
    scripts.callback()(_escape_unencodable)
    scripts.command("list")(list_scripts)
    scripts.command("show")(show_script)
    scripts.command("sheet")(save_contact_sheet)
    scripts.command("new")(start_script)
    scripts.command("lint")(lint_scripts)
    scripts.command("guess")(guess_scripts)
    scripts.command("prove")(prove_script)
    scripts.command("import")(import_scripts)
    scripts.command("generate")(generate_scripts)
    app.add_typer(scripts, name="scripts")


def list_scripts(library: Libraries = None, as_json: Json = False) -> None:
    """List the bundled scripts and those in the folders given with --library."""
    with exit_on_error():
        looked = [list_readable(folder) for folder in (LIBRARY, *(library or ()))]
    found = [entry for entries, _ in looked for entry in entries]
    broken = [line for _, lines in looked for line in lines]
    if as_json:
        for entry in found:
            print_json({"script": entry.id, "title": entry.title, "languages": entry.languages})
    else:
        Console(highlight=False).print(entries_table(found))
    for line in broken:
        typer.echo(f"error: {line}", err=True)
    if broken:
        raise typer.Exit(BAD_INPUT)


def show_script(
    script: ScriptName,
    language: LanguageName = None,
    library: Libraries = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Also show the truth and clues of single roles.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show a script's roles, clues, pictures with their tokens, and number of questions."""
    with exit_on_error():
        loaded = find_script(script, parse_language(language), library or ())
    if as_json:
        print_json(describe_script(loaded, secrets=secrets))
        return
    console = Console(highlight=False)
    for part in show_tables(loaded, secrets=secrets):
        console.print(part)


def save_contact_sheet(
    script: ScriptName,
    out: Annotated[Path, typer.Argument(help="The PNG file to write; it must not exist.")],
    language: LanguageName = None,
    library: Libraries = None,
    family: Annotated[
        str, typer.Option("--family", help=f"Model family: {', '.join(VISION_FAMILIES)}.")
    ] = "qwen2.5-vl",
) -> None:
    """Draw all pictures of a script on one contact sheet, with their sizes and tokens."""
    with exit_on_error():
        loaded = find_script(script, parse_language(language), library or ())
        sheet = draw_contact_sheet(loaded, _parse_family(family))
        _save_png(sheet, out)
    typer.echo(f"{len(loaded.script.pictures)} pictures on {str(out)!r}")


def prove_script(
    script: ScriptName,
    language: LanguageName = None,
    library: Libraries = None,
    as_json: Json = False,
) -> None:
    """Prove that a script's facts leave exactly its culprits; exit status 1 if they do not."""
    with exit_on_error():
        loaded = find_script(script, parse_language(language), library or ())
        table = load_facts(loaded.folder)
    if table is None:
        typer.echo(f"not proved: {str(loaded.folder)!r} has no {FACTS_FILE}", err=True)
        raise typer.Exit(NOT_PROVED)
    proof = prove_against_script(loaded.script, table)
    if as_json:
        print_json({"script": loaded.script.id, **proof_json(proof)})
    else:
        for line in proof_lines(table, proof, loaded.script.language):
            typer.echo(line)
    if not proof.solved:
        raise typer.Exit(NOT_PROVED)


def import_scripts(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of {_FORMAT_NAMES}.")],
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder of a script, a language or a data set."),
    ],
    out: Annotated[Path, typer.Argument(help="Folder for the scripts and findings.json.")],
    culprits: Annotated[
        Path | None,
        typer.Option(help="JSON file: culprits' names by a script's title or folder (mirage)."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace scripts that already exist.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Import published scripts and report every irregularity.

    Details are only in findings.json, because they can name the culprit.
    """
    with exit_on_error():
        check_outside(out, folder)
        batch = _read_scripts(form, folder, culprits)
        write_batch(batch, out, force=force)
    _print_omissions(batch)
    if as_json:
        for one in batch.imported:
            print_json(import_summary(one))
    else:
        _print_wide(batch_table(batch))
        for one in batch.imported:
            for finding in (f for f in one.findings if f.severity == "error"):
                typer.echo(f"{one.script.id}: {finding.code} at {finding.place}")
        typer.echo(f"{len(batch.imported)} scripts and {REPORT_FILE} written to {str(out)!r}")
    if batch.refused:
        raise typer.Exit(BAD_INPUT)


def _parse_family(name: str) -> VisionFamily:
    for family in VISION_FAMILIES:
        if family == name:
            return family
    raise ScriptError(f"wanted a family of {', '.join(VISION_FAMILIES)}; got {name!r}")


def _save_png(sheet: Image.Image, out: Path) -> None:
    """Write a new file. Raises ScriptError if it exists or cannot be written."""
    try:
        with out.open("xb") as file:
            sheet.save(file, "PNG")
    except OSError as error:
        raise ScriptError(f"cannot write {str(out)!r}: {error.strerror}") from error


def _read_scripts(form: str, folder: Path, culprits: Path | None) -> ImportBatch:
    """Read the scripts of a format, with the culprits from a file if one is given."""
    forms = select_formats(form)
    if culprits is None:
        return read_batch(folder, forms)
    if not any(one.takes_culprits for one in forms):
        raise ScriptError(f"--culprits does not apply to {form!r}: its files name the culprits")
    return read_batch(folder, forms, read_culprits(culprits))


def _print_omissions(batch: ImportBatch) -> None:
    """Print to standard error the culprits not used and the folders not read."""
    for title in batch.unused:
        typer.echo(f"culprits not used, no script has this title: {title!r}", err=True)
    for name in batch.strangers:
        typer.echo(f"not read, not a script of the format: {name!r}", err=True)
    for line in batch.refused:
        typer.echo(f"error: {line}", err=True)


def _escape_unencodable() -> None:
    """Escape characters that the output cannot encode: names come in two languages."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _print_wide(table: Table) -> None:
    """Print a table of figures without wrapping, if necessary wider than the terminal."""
    console = Console(highlight=False)
    sizes = Measurement.get(console, console.options.update(width=_WIDEST), table)
    wanted = sizes.minimum if console.is_terminal else sizes.maximum
    Console(highlight=False, width=max(console.width, wanted)).print(table)
