"""`arena tournament result` and `check`: write a result file to submit, and check one."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import parse_folder
from arena.cli.exit_status import FAILED
from arena.errors import ConfigError, RecordError
from arena.records.record_files import atomic_write, read_file
from arena.records.record_schema import load_object
from arena.tournament.description import TournamentDescription, read_suite
from arena.tournament.folder import TournamentFolder, open_tournament
from arena.tournament.result import MAX_VALUES, RESULT_CODEC, TournamentResult, make_result
from arena.tournament.result_checks import (
    find_deviations,
    find_faults,
    find_forgeries,
    is_same_value,
)
from arena.view.sanitize import sanitize_line

TournamentPath = Annotated[Path, typer.Argument(help="The tournament's folder.")]
ResultFile = Annotated[Path, typer.Argument(help="The result file.")]


def add_results(group: typer.Typer) -> None:
    """Register the commands of this file."""
    group.command("result")(result_command)
    group.command("check")(check_command)


def result_command(out: TournamentPath, file: ResultFile) -> None:
    """Write the result of a finished tournament of a suite, for others to check and compare."""
    # Only these commands need the scores and their libraries.
    from eval.standings import rate_matches, rating_objects  # noqa: PLC0415

    folder = open_tournament(out)
    _check_target(file)
    _log_step("reading the matches")
    found = make_result(folder)
    described, _ = read_suite(found.suite.name)
    for deviation in find_deviations(folder.plan, described):
        raise ConfigError(f"{deviation}: its result cannot be compared")
    _log_step("computing the ratings")
    ratings = tuple(rating_objects(rate_matches(found.matches, anchors=described.anchors)))
    found = replace(found, ratings=ratings, scores=_score(folder, described))
    atomic_write(file, RESULT_CODEC.encode_file(found))
    typer.echo(
        sanitize_line(
            f"wrote {str(file)!r}: {len(found.matches)} matches of suite {found.suite.name}"
        )
    )


def check_command(
    file: ResultFile,
    records: Annotated[
        Path | None,
        typer.Option("--records", help="The tournament's folder, if it was submitted too."),
    ] = None,
) -> None:
    """Check a result file: its suite, completeness, ratings and records."""
    from eval.standings import rate_matches, rating_objects  # noqa: PLC0415

    found = _read(file)
    described, pinned = read_suite(found.suite.name)
    faults = list(find_faults(found, described, pinned))
    if not faults:
        ratings = rate_matches(found.matches, anchors=described.anchors)
        if not is_same_value(found.ratings, list(rating_objects(ratings))):
            faults.append("the ratings do not follow from the matches")
    if records is not None:
        folder = open_tournament(records)
        faults += [*find_deviations(folder.plan, described)]
        faults += find_forgeries(
            found, RESULT_CODEC.decode(RESULT_CODEC.encode_file(make_result(folder)))
        )
        if not is_same_value(found.scores, _score(folder, described)):
            faults.append("the scores do not follow from the records")
    for fault in faults:
        typer.echo(sanitize_line(fault))
    if faults:
        raise typer.Exit(FAILED)
    checked = (
        "; check scores and served models with --records"
        if records is None
        else ", as its records say"
    )
    typer.echo(
        sanitize_line(
            f"{str(file)!r} is a complete result of suite {pinned.name} version "
            f"{pinned.version}: {len(found.matches)} matches{checked}"
        )
    )


def _score(folder: TournamentFolder, suite: TournamentDescription) -> tuple[dict[str, object], ...]:
    """Return the figures of the suite's metrics for each contestant, side and game."""
    from eval.report.evaluation import evaluate_runs  # noqa: PLC0415

    _log_step(f"computing {', '.join(suite.scores)}; this may take minutes")
    paths = [record.path for record in folder.load_started_runs().values()]
    return tuple(evaluate_runs(paths, "contestant,faction,game", suite.scores).objects)


def _check_target(file: Path) -> None:
    """Raise `ConfigError` if the result file cannot be written, before anything is computed."""
    parse_folder(file)
    if file.is_dir():
        raise ConfigError(f"wanted a file for the result, but {str(file)!r} is a folder")
    if file.exists():
        # A file with other contents is not overwritten.
        _read(file)
    if not file.parent.is_dir():
        raise ConfigError(
            f"the folder {str(file.parent)!r} of the result file does not exist; create it first"
        )


def _log_step(line: str) -> None:
    typer.echo(sanitize_line(line), err=True)


def _read(file: Path) -> TournamentResult:
    data = read_file(file)
    if data is None:
        raise ConfigError(f"there is no result file {str(file)!r}")
    try:
        text = data.decode()
        if load_object(text, MAX_VALUES).keys() >= _KEYS:
            return RESULT_CODEC.decode(text)
    except UnicodeDecodeError:
        raise RecordError(f"{str(file)!r} is not UTF-8") from None
    except RecordError as error:
        raise RecordError(f"{str(file)!r}: {error}") from error
    raise RecordError(f"{str(file)!r} is not a result file of `arena tournament result`")


_KEYS = {"schema", "suite", "matches"}
"""Keys that identify a result file."""
