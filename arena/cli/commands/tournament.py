"""`arena tournament run`, `status` and `standings`: play a tournament and read it."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import (
    Admission,
    AsJson,
    Concurrency,
    IsQuiet,
    NoColor,
    parse_concurrency,
)
from arena.cli.commands.model_preparation import prepare_contestants
from arena.cli.commands.tournament_planning import add_planning
from arena.cli.commands.tournament_result import add_results
from arena.cli.console.json_out import JsonOut
from arena.cli.console.match_log import MatchLog
from arena.cli.console.run_progress import RunProgress
from arena.cli.console.screens import Consoles, open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.exit_status import FAILED, Interrupted
from arena.cli.rendering.formatting import format_plural
from arena.cli.rendering.layout import Prose, print_blocks, print_prose
from arena.cli.rendering.named_rows import print_rows
from arena.cluster.worker_progress import count_unmerged
from arena.records.match_summary import MatchSummary
from arena.records.run_folder import is_held
from arena.records.run_record import RunRecord
from arena.run.observer import BaseObserver, CompositeObserver
from arena.tournament.folder import TournamentFolder, open_tournament
from arena.tournament.play_runs import find_unfinished, play_tournament
from arena.tournament.run_agreement import check_agreement
from serving.commands.consent_options import engine_consent_options

TournamentPath = Annotated[Path, typer.Argument(help="The tournament's folder.")]


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    group = typer.Typer(
        no_args_is_help=True, help="Tournaments: every contestant against every other."
    )
    add_planning(group)
    group.command("run")(run_command)
    group.command("status")(status_command)
    group.command("standings")(standings_command)
    add_results(group)
    app.add_typer(group, name="tournament")


@engine_consent_options
def run_command(
    out: TournamentPath,
    concurrency: Concurrency = None,
    admission: Admission = "on",
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Play the missing matches on this host; after an interruption, the same command continues."""
    folder = open_tournament(out)
    most = parse_concurrency(concurrency, admission)
    shown = open_consoles(no_color=no_color)
    try:
        for _, config in find_unfinished(folder):
            prepare_contestants(config.contestants, out, may_ask=not (quiet or as_json))
        with ExitStack() as live:

            def observer(run: str) -> BaseObserver:
                live.close()  # Close the line of the previous run.
                if not as_json and not quiet:
                    print_blocks(shown.err, Prose(text=f"run {run}", style="bold"))
                return live.enter_context(_make_observer(shown, quiet=quiet, as_json=as_json))

            results = asyncio.run(play_tournament(folder, concurrency=most, observer=observer))
    except KeyboardInterrupt as error:
        hint = shell_command("tournament", "run", str(out))
        raise Interrupted(f"interrupted; continue with `{hint}`") from error
    ends = [one for result in results for one in result.results]
    if not as_json and not quiet:
        _show_standings(folder, shown)
    if any(not isinstance(one, MatchSummary) or one.outcome == "error" for one in ends):
        raise typer.Exit(FAILED)


def status_command(out: TournamentPath, as_json: AsJson = False, no_color: NoColor = False) -> None:
    """Show the progress of each pair, during and after play."""
    from arena.cli.rendering.tournament_table import pair_notes, pair_table  # noqa: PLC0415
    from eval.standings import count_results  # noqa: PLC0415

    folder = open_tournament(out)
    pairs = count_results(folder.runs, folder.load_started_runs())
    missing, planned = sum(one.missing for one in pairs), sum(one.planned for one in pairs)
    playing = [name for name in folder.runs if is_held(folder.run_path(name))]
    unmerged = count_unmerged(folder)
    if as_json:
        writer = JsonOut(sys.stdout)
        for one in pairs:
            writer.write(one.as_object())
        writer.write(
            {"planned": planned, "missing": missing, "playing": playing, "unmerged": unmerged}
        )
        return
    screen = open_consoles(no_color=no_color).out
    print_rows(screen, pair_table(pairs))
    has = "has" if planned - missing == 1 else "have"
    lines = [*pair_notes(pairs), f"{planned - missing:,} of {_matches(planned)} {has} a result"]
    lines += [f"in progress: run {', '.join(playing)}"] if playing else []
    lines += [_unmerged_line(out, unmerged)] if unmerged else []
    print_prose(screen, *lines)


def standings_command(
    out: TournamentPath, as_json: AsJson = False, no_color: NoColor = False
) -> None:
    """Show the results of each pair and the ratings with their intervals."""
    folder = open_tournament(out)
    shown = open_consoles(no_color=no_color)
    if not as_json:
        _show_standings(folder, shown)
        return
    from eval.standings import make_standings  # noqa: PLC0415

    writer = JsonOut(sys.stdout)
    found = make_standings(folder.runs, _load_agreeing_runs(folder), anchors=folder.plan.anchors)
    for value in found.as_objects():
        writer.write(value)


def _show_standings(folder: TournamentFolder, shown: Consoles) -> None:
    from arena.cli.rendering.tournament_table import (  # noqa: PLC0415
        pair_notes,
        pair_table,
        rating_notes,
        rating_table,
    )
    from eval.standings import make_standings  # noqa: PLC0415

    found = make_standings(folder.runs, _load_agreeing_runs(folder), anchors=folder.plan.anchors)
    missing, planned = (
        sum(one.missing for one in found.pairs),
        sum(one.planned for one in found.pairs),
    )
    lines = [_missing_line(missing, planned)] if missing else []
    if missing and (unmerged := count_unmerged(folder)):
        lines.append(_unmerged_line(folder.path, unmerged))
    elif missing == planned:
        lines.append(f"play them with `{shell_command('tournament', 'run', str(folder.path))}`")
    print_prose(shown.out, *lines)
    if missing < planned:
        print_rows(shown.out, pair_table(found.pairs))
        print_prose(shown.out, *pair_notes(found.pairs))
        if not found.rated:
            print_prose(shown.out, "no match is rated: none has an outcome that counts")
    if found.rated:
        print_rows(shown.out, rating_table(found))
        print_prose(shown.out, *rating_notes(found))


def _missing_line(missing: int, planned: int) -> str:
    if missing == planned:
        return f"no result yet: {_matches(planned)} missing"
    are = "is" if missing == 1 else "are"
    return f"{missing:,} of {_matches(planned)} {are} missing: all ratings are provisional"


def _matches(n: int) -> str:
    return format_plural(n, "match", "matches")


def _unmerged_line(out: Path, unmerged: int) -> str:
    status, merge = (shell_command("cluster", name, str(out)) for name in ("status", "merge"))
    return (
        f"shards have played {unmerged:,} more matches, not merged yet: `{status}` shows them, "
        f"`{merge}` merges them"
    )


def _load_agreeing_runs(folder: TournamentFolder) -> Mapping[str, RunRecord]:
    """Return the runs that have started; `RecordError` if they cannot be read together."""
    started = folder.load_started_runs()
    check_agreement({name: record.manifest for name, record in started.items()})
    return started


def _make_observer(shown: Consoles, *, quiet: bool, as_json: bool) -> BaseObserver:
    if not as_json:
        return MatchLog(shown.out) if quiet else RunProgress(shown.err)
    out = JsonOut(sys.stdout)
    return out if quiet else CompositeObserver(RunProgress(shown.err), out)
