"""Finding scripts by id and by path."""

from pathlib import Path

import pytest

from scripts_mm.catalog import LIBRARY, find_script, list_bundled, list_entries
from scripts_mm.script import ScriptError
from tests.scripts_mm.making import a_script, saved


@pytest.fixture
def library(tmp_path: Path) -> Path:
    saved(tmp_path / "the-pump-house" / "zh", a_script(language="zh", title="水泵房"))
    saved(tmp_path / "the-pump-house" / "en")
    saved(tmp_path / "alone", a_script(id="alone", language="zh", title="独"))
    (tmp_path / "notes").mkdir()
    saved(tmp_path / ".half.part")
    (tmp_path / "readme.txt").write_text("x")
    return tmp_path


def test_a_library_lists_its_scripts_with_their_languages(library: Path) -> None:
    found = [(entry.id, entry.languages, entry.title) for entry in list_entries(library)]
    assert found == [("alone", ("zh",), "独"), ("the-pump-house", ("en", "zh"), "The Pump House")]


@pytest.mark.slow
def test_what_is_bundled_is_found_by_its_id() -> None:
    assert list_entries(LIBRARY) == list_bundled()
    for entry in list_bundled():
        for language in entry.languages:
            assert find_script(entry.id, language).script.id == entry.id


def test_english_is_taken_unless_another_language_is_asked_for(library: Path) -> None:
    assert find_script("the-pump-house", None, [library]).script.language == "en"
    assert find_script("the-pump-house", "zh", [library]).script.language == "zh"
    assert find_script("alone", None, [library]).script.language == "zh"


def test_a_path_leads_to_a_script_or_to_its_languages(library: Path) -> None:
    folder = library / "the-pump-house"
    assert find_script(str(folder)).script.language == "en"
    assert find_script(str(folder / "zh")).script.language == "zh"
    assert find_script(str(folder / "zh" / "script.json")).script.language == "zh"


@pytest.mark.parametrize(
    ("name", "language", "part"),
    [
        ("the-pumphouse", None, "did you mean 'the-pump-house'; known ids: "),
        ("xyz", None, "known ids: alone, "),
        ("", None, "wanted a script's id"),
        ("./nowhere", None, "'nowhere' does not exist"),
        ("/nowhere/at/all", None, "does not exist"),
        ("x" * 5000, None, "neither a script's id nor a valid path"),
        ("notes", None, "is not a script"),
        ("readme.txt", None, "is a file"),
        ("alone", "en", "is in 'zh', not in 'en'"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(
    library: Path, monkeypatch: pytest.MonkeyPatch, name: str, language: str | None, part: str
) -> None:
    monkeypatch.chdir(library)
    with pytest.raises(ScriptError) as caught:
        find_script(name, "en" if language else None, [library])
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert ".half.part" not in str(caught.value)


def test_a_language_that_a_script_does_not_have_is_told(tmp_path: Path) -> None:
    saved(tmp_path / "one" / "en")
    with pytest.raises(ScriptError, match="is not in 'zh'; it is in en"):
        find_script(str(tmp_path / "one"), "zh")
