"""Report of a campaign: a table of its kinds, what failed, and how to repeat it."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.campaign.campaign import TrialResult

_SHOWN = 4


def print_report(console: Console, results: Sequence[TrialResult]) -> None:
    """Print the table, and every trial with problems."""
    table = Table("kind", "trials", "faults", "failures", "extra requests", "seconds")
    for kind in sorted({result.id.kind for result in results}):
        table.add_row(kind, *_columns([one for one in results if one.id.kind == kind]))
    table.add_section()
    table.add_row("all", *_columns(results))
    console.print(table)
    for result in results:
        if result.problems:
            _print_problems(console, result)
    for kind, reason in sorted({(one.id.kind, one.skipped) for one in results if one.skipped}):
        console.print(f"not tried: {kind}: {escape(reason)}")


def write_json(path: Path, results: Sequence[TrialResult]) -> None:
    """Write every trial's result as one JSON array."""
    path.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n")


def repeat_command(result: TrialResult) -> str:
    """Return the command that plays the trial again."""
    return f".venv/bin/python -m tests.campaign --repeat {result.id}"


def _columns(results: Sequence[TrialResult]) -> tuple[str, ...]:
    return (
        str(len(results)),
        str(sum(one.faults for one in results)),
        str(sum(one.failures for one in results)),
        str(sum(one.extra_requests for one in results)),
        f"{sum(one.seconds for one in results):.0f}",
    )


def _print_problems(console: Console, result: TrialResult) -> None:
    console.print(f"\n[bold]{result.id}[/bold] (setup {result.setup}): {repeat_command(result)}")
    for problem in result.problems[:_SHOWN]:
        console.print(f"  - {escape(problem)}", soft_wrap=True, highlight=False)
    if len(result.problems) > _SHOWN:
        console.print(f"  - and {len(result.problems) - _SHOWN} more")
