"""Comparison of two quizzes, question by question."""

import sys
from pathlib import Path

import typer
from rich.console import Group
from rich.text import Text

from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.rendering.quiz_table import contrast_table
from arena.view.sanitize import sanitize_line
from eval.questions.quiz_comparison import CategoryContrast, compare_quizzes


def show_comparison(first: Path, second: Path, *, as_json: bool, no_color: bool) -> None:
    """Show the paired differences of two quizzes; raise an `ArenaError` if there are none."""
    found = compare_quizzes(first, second)
    changes = [f"{name}: {one} / {other}" for name, (one, other) in found.changed.items()]
    if as_json:
        out = JsonOut(sys.stdout)
        for row in found.contrasts:
            out.write({"row": "contrast", **_describe(row), "changed": dict(found.changed)})
    else:
        line = Text(sanitize_line("first / second: " + ("; ".join(changes) or "the same")))
        open_consoles(no_color=no_color).out.print(Group(line, contrast_table(found.contrasts)))
    if any(found.unpaired):
        line_of_rest = f"not in both: {found.unpaired[0]} and {found.unpaired[1]} questions"
        typer.echo(line_of_rest, err=True)


def _describe(one: CategoryContrast) -> dict[str, object]:
    interval = one.paired.interval
    return {
        "category": one.category,
        "pairs": one.paired.pairs,
        "works": one.paired.clusters,
        "first": one.first,
        "second": one.second,
        "difference": one.paired.difference,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "interval": interval.method if interval else f"works: {one.paired.clusters}, too few",
        "sign_flip_p": one.paired.sign_flip_p,
        "holm_p": one.holm_p,
    }
