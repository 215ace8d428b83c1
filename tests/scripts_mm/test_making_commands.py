"""`arena scripts sheet` and `generate` as a person and a program use them."""

import json
from pathlib import Path

import pytest
from PIL import Image

from scripts_mm.catalog import find_script
from scripts_mm.drawing.primitives.fonts import FONTS_ENV
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.facts.proof import prove
from tests.scripts_mm.test_script_commands import objects, refused, run


@pytest.mark.slow
def test_a_contact_sheet_is_a_new_picture_with_every_clue(tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    result = run("sheet", "last-tram", out, "--language", "zh")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"8 pictures on {str(out)!r}\n"
    with Image.open(out) as sheet:
        assert sheet.size == (1500, 964)


def test_a_contact_sheet_never_replaces_a_file(tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    out.write_text("mine")
    assert "File exists" in refused("sheet", "last-tram", out)
    assert out.read_text() == "mine"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("sheet", "no-such", "x.png"), "no script 'no-such'"),
        (("sheet", "last-tram", "/no/such/x.png"), "cannot write"),
        (("sheet", "last-tram", "x.png", "--family", "clip"), "wanted a family of qwen2-vl"),
        (("generate", "out", "--seed", "1", "--roles", "3"), "3"),
        (("generate", "out", "--seed", "1", "--roles", "40"), "40"),
        (("generate", "out", "--seed", "-1"), "-1"),
        (("generate", "out", "--seed", "1", "--hops", "99"), "99"),
        (("generate", "out", "--seed", "1", "--pictures", "0"), "0"),
        (("generate", "out", "--seed", "1", "--difficulty", "mad"), "no difficulty 'mad'"),
    ],
)
def test_bad_words_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(*words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_cases_are_made_without_fonts_when_nothing_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("generate", out, "--seed", "7", "-n", "2", "--draw", "none", "--json")
    told = objects(run(*words))
    assert [one["script"] for one in told] == ["case-7", "case-8"]
    for name in ("case-7", "case-8"):
        for language in ("en", "zh"):
            loaded = find_script(str(out / name), language)
            assert loaded.script.source.startswith("generated seed=")
            table = load_facts(loaded.folder)
            assert table is not None
            assert prove(table).solved
    assert "culprit" not in json.dumps(told)
    assert "case-7" in refused(*words)
    assert run(*words, "--force").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_machine_without_fonts_draws_with_those_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv(FONTS_ENV, str(tmp_path))
    monkeypatch.setattr("scripts_mm.drawing.primitives.fonts.SYSTEM_FOLDERS", ())
    words = ("generate", tmp_path / "out", "--seed", "7", "--roles", "4", "--pictures", "5")
    run(*words, "--language", language)
    assert len([*(tmp_path / "out").rglob("*.png")]) == 5
