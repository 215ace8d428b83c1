"""`arena scripts guess` on one script, on a folder and as JSON."""

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from scripts_mm.cli import add_commands
from scripts_mm.linting.guessing import RULES
from tests.scripts_mm.making import saved


def run(*words: str) -> tuple[int, str, str]:
    app = typer.Typer()
    add_commands(app)
    result = CliRunner().invoke(app, ["scripts", "guess", *words])
    return result.exit_code, result.stdout, result.stderr


def test_one_script_is_named_with_its_rules(tmp_path: Path) -> None:
    saved(tmp_path / "one")
    status, out, err = run(str(tmp_path / "one"))
    assert (status, err) == (0, "")
    assert "the-pump-house" in out
    assert all(rule in out for rule in RULES)


def test_json_is_one_object_a_script_of_the_folder(tmp_path: Path) -> None:
    for name in ("one", "two"):
        saved(tmp_path / "all" / name)
    status, out, err = run("--library", str(tmp_path / "all"), "--json")
    assert (status, err) == (0, "")
    found = [json.loads(line) for line in out.splitlines()]
    assert len(found) == 2
    assert {*found[0]["rules"]} == {*RULES}
    assert found[0]["chance"] == 0.3333


def test_a_folder_that_is_not_there_is_an_error_in_one_line(tmp_path: Path) -> None:
    status, out, err = run("--library", str(tmp_path / "none"))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
