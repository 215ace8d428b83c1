"""The command `arena scripts guess`: whether a culprit is named without a word of talk."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from rich import box
from rich.console import Console
from rich.table import Table

from scripts_mm.catalog import LIBRARY, find_script
from scripts_mm.command_io import (
    Json,
    LanguageName,
    Libraries,
    ScriptOrAll,
    exit_on_error,
    parse_language,
    print_json,
)
from scripts_mm.lint_command import load_all
from scripts_mm.linting.guessing import CulpritGuesses, guess_culprits
from scripts_mm.script_folder import LoadedScript


def guess_scripts(
    script: ScriptOrAll = None,
    language: LanguageName = None,
    library: Libraries = None,
    as_json: Json = False,
) -> None:
    """Guess culprits by simple rules from public texts and the words of pictures.

    Without SCRIPT: all scripts of the folders given with --library, else the bundled ones.
    """
    with exit_on_error():
        spoken = parse_language(language)
        scripts: Sequence[LoadedScript]
        if script is not None:
            scripts = [find_script(script, spoken, library or ())]
        else:
            scripts = list(load_all(library or (LIBRARY,), spoken))
    found = [one for one in (guess_culprits(loaded.script) for loaded in scripts) if one]
    if as_json:
        for one in found:
            print_json(
                {
                    "script": one.script,
                    "language": one.language,
                    "chance": round(one.chance, 4),
                    "mean": round(one.mean, 4),
                    "rules": {name: round(rate, 4) for name, rate in one.by_rule.items()},
                }
            )
        return
    console = Console(highlight=False)
    console.print(_script_table(found))
    console.print(_rule_table(found))


def _script_table(found: Sequence[CulpritGuesses]) -> Table:
    table = Table(box=box.SIMPLE, title="culprits named by rules", title_justify="left")
    for name in ("script", "language"):
        table.add_column(name)
    for name in ("chance", "rules, mean", "ratio"):
        table.add_column(name, justify="right")
    for name in ("rules that hit", ""):
        table.add_column(name)
    for one in found:
        hits = ", ".join(name for name, rate in one.by_rule.items() if rate == 1)
        figures = (f"{one.chance:.2f}", f"{one.mean:.2f}", f"{one.mean / one.chance:.1f}")
        note = "guessable" if one.is_guessable else ""
        table.add_row(one.script, one.language, *figures, hits, note)
    return table


def _rule_table(found: Sequence[CulpritGuesses]) -> Table:
    table = Table(box=box.SIMPLE, title=f"rules over {len(found)} scripts", title_justify="left")
    table.add_column("rule")
    for name in ("rate", "chance"):
        table.add_column(name, justify="right")
    for rule, rate in _rates(found):
        table.add_row(rule, f"{rate:.3f}", f"{fmean(one.chance for one in found):.3f}")
    return table


def _rates(found: Sequence[CulpritGuesses]) -> Iterator[tuple[str, float]]:
    for rule in found[0].by_rule if found else ():
        yield rule, fmean(one.by_rule[rule] for one in found)
