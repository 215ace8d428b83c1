"""What a script's drawing.toml says of its pictures."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts_mm.catalog import LIBRARY, list_bundled
from scripts_mm.drawing.cases import load_drawings, picture_data
from scripts_mm.drawing.cases.picture_data import DATA_FILE, PictureData
from scripts_mm.script import LANGUAGES, Language, ScriptError

TABLES = """
[plan]
boxes = [[0, 1, 2], [3, 4, 5]]
angle = 2
words.en = "lobby"

[plan.en]
title = "Plan"

[plan.zh]
title = "平面图"
extra = 1

[note]
text = "one"
zh.text = "二"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    title: str
    boxes: tuple[tuple[int, int, int], ...]
    angle: float
    words: dict[str, str]


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / DATA_FILE).write_text(TABLES, encoding="utf-8")
    monkeypatch.setattr(picture_data, "LIBRARY", tmp_path)


def test_a_table_has_the_keys_of_both_languages_and_those_of_one() -> None:
    boxes = ((0, 1, 2), (3, 4, 5))
    wanted = Plan(title="Plan", boxes=boxes, angle=2.0, words={"en": "lobby"})
    assert PictureData("one", "en").read("plan", Plan) == wanted
    assert PictureData("one", "en").texts("note") == {"text": "one"}
    assert PictureData("one", "zh").texts("note") == {"text": "二"}


def test_an_unknown_key_is_an_error_that_names_file_picture_and_key() -> None:
    with pytest.raises(ScriptError, match=r"^one/drawing\.toml: plan\.extra: "):
        PictureData("one", "zh").read("plan", Plan)


def test_a_picture_without_a_table_lacks_its_keys() -> None:
    with pytest.raises(ScriptError, match=r"drawing\.toml: map\.title: Field required"):
        PictureData("one", "en").read("map", Plan)


def test_a_file_that_is_no_toml_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "one" / DATA_FILE).write_text("[plan\n", encoding="utf-8")
    with pytest.raises(ScriptError, match=r"^cannot read one/drawing\.toml: ") as error:
        PictureData("one", "en")
    assert "\n" not in str(error.value)


def test_a_number_where_a_text_belongs_is_an_error() -> None:
    with pytest.raises(ScriptError, match=r"plan\.boxes: "):
        PictureData("one", "en").texts("plan")


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.id for entry in list_bundled()])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_table_of_a_bundled_script_is_a_picture(
    name: str, language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_data, "LIBRARY", LIBRARY)
    tables = tomllib.loads((LIBRARY / name / DATA_FILE).read_text(encoding="utf-8"))
    files = [f"{table}.png" for table in tables]
    assert [*load_drawings(name, language)] == files
