"""Scenes as data: strict, in both languages, taken over from one another."""

from pathlib import Path

import pytest

from scripts_mm.drawing.rendered import scene_files
from scripts_mm.drawing.rendered.scene_files import SCENES, list_scenes, load_scene
from scripts_mm.script import ScriptError

CAMERA = "[camera]\nat = [0, -1, 1]\naim = [0, 0, 0]\n"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one script, `case`, whose scenes the test writes."""
    monkeypatch.setattr(scene_files, "LIBRARY", tmp_path)
    load_scene.cache_clear()
    folder = tmp_path / "case" / SCENES
    folder.mkdir(parents=True)
    return folder


def test_words_of_a_language_replace_the_common_ones_table_by_table(library: Path) -> None:
    (library / "room.toml").write_text(
        CAMERA
        + "[labels.sign]\nsize = [10, 20]\ntext = ['?']\n"
        + "[en.labels.sign]\ntext = ['EXIT']\n[zh.labels.sign]\ntext = ['出口']\n",
        encoding="utf-8",
    )
    for language, text in (("en", "EXIT"), ("zh", "出口")):
        label = load_scene("case", "room", language).labels["sign"]
        assert (label.size, label.text) == ((10, 20), (text,))


def test_a_scene_takes_over_what_it_is_based_on_and_adds_its_things(library: Path) -> None:
    (library / "still+all.toml").write_text(
        CAMERA + "[film]\nsize = [8, 6]\ngrain = 0.5\n[[things]]\nkind = 'box'\n", encoding="utf-8"
    )
    (library / "still.toml").write_text(
        "based_on = 'still+all'\n[film]\ngrain = 0.1\n[[things]]\nkind = 'ball'\n",
        encoding="utf-8",
    )
    scene = load_scene("case", "still", "en")
    assert (scene.film.size, scene.film.grain) == ((8, 6), 0.1)
    assert [thing.kind for thing in scene.things] == ["box", "ball"]
    assert list_scenes("case") == ("still",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[camera]\nat = [0, 0, 0]\n", "camera.aim: Field required"),
        (CAMERA + "[[things]]\nkind = 'box'\nsice = [1, 1, 1]\n", "things.0.sice: Unexpected"),
        (CAMERA + "[film]\nsize = '9'\n", "film.size: Input should be a valid array"),
        ("camera = [", "cannot read case/scenes/room.toml"),
    ],
)
def test_a_bad_scene_is_refused_with_its_file_and_key(library: Path, text: str, told: str) -> None:
    (library / "room.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError) as error:
        load_scene("case", "room", "en")
    assert told in str(error.value)
    assert "case/scenes/room.toml" in str(error.value)


def test_the_palette_is_known_to_every_scene_and_can_be_replaced(library: Path) -> None:
    (library / "room.toml").write_text(
        CAMERA + "[materials]\noak = { colour = [1, 2, 3] }\n", encoding="utf-8"
    )
    materials = load_scene("case", "room", "en").materials
    assert materials["oak"].colour == (1, 2, 3)
    assert materials["brass"].metal == 1
