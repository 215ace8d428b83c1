"""`arena scripts new`: the example, and what the command refuses."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from scripts_mm.catalog import find_script
from scripts_mm.cli import add_commands
from scripts_mm.facts.consistency import prove_against_script
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.linting import lint
from scripts_mm.script import LANGUAGES, Language


def run(*words: str) -> tuple[int, str, str]:
    app = typer.Typer()
    add_commands(app)
    result = CliRunner().invoke(app, ["scripts", *words])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_script_is_proved_and_has_no_error_or_warning(
    language: Language, tmp_path: Path
) -> None:
    status, out, err = run("new", str(tmp_path / "my-case"))
    assert (status, err) == (0, "")
    assert "arena scripts lint" in out
    loaded = find_script(str(tmp_path / "my-case"), language)
    table = load_facts(loaded.folder)
    assert table is not None
    proof = prove_against_script(loaded.script, table)
    assert proof.solved
    assert loaded.script.id == "my-case"
    assert [one for one in lint(loaded) if one.severity != "info"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_cannot_be_solved_without_its_pictures(
    language: Language, tmp_path: Path
) -> None:
    run("new", str(tmp_path / "my-case"))
    loaded = find_script(str(tmp_path / "my-case"), language)
    table = load_facts(loaded.folder)
    assert table is not None
    assert prove_against_script(loaded.script, table).needs_picture


def test_one_language_is_written_without_the_other(tmp_path: Path) -> None:
    run("new", str(tmp_path / "eins"), "--language", "zh")
    names = {path.name for path in (tmp_path / "eins").iterdir()}
    assert names == {"zh", "facts.json", "drawing.toml", "schemas", "CHECKLIST.md"}


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("full",), "is not empty; name a new or an empty folder"),
        (("no id",), "the folder's name is the script's id: wanted an id"),
        (("fresh", "--language", "fr"), "no language 'fr'"),
        (("file/inside",), "cannot write"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused_in_one_line_and_stays(
    words: tuple[str, ...], wanted: str, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("a file")
    before = sorted(tmp_path.rglob("*"))
    status, out, err = run("new", str(tmp_path / words[0]), *words[1:])
    assert (status, out) == (2, "")
    [line] = err.splitlines()
    assert line.startswith("error: ")
    assert wanted in line
    assert sorted(tmp_path.rglob("*")) == before
