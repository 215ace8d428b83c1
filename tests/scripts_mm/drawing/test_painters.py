"""Pictures that a folder's drawing.toml describes with a painter's name."""

from pathlib import Path
from shutil import copytree

import pytest

from scripts_mm.drawing.__main__ import main, redraw_pictures
from scripts_mm.drawing.painters import PAINTERS, read_drawings
from scripts_mm.drawing.primitives.fonts import find_fonts
from scripts_mm.new_command import EXAMPLE
from scripts_mm.script import LANGUAGES, Language, ScriptError


def example(folder: Path, old: str = "", new: str = "") -> Path:
    copytree(EXAMPLE, folder / "mine")
    data = folder / "mine" / "drawing.toml"
    data.write_text(data.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return folder / "mine"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_folder_names_the_painters_of_its_pictures(language: Language) -> None:
    drawings = read_drawings(EXAMPLE, language)
    assert drawings is not None
    assert [*drawings] == ["weights.png", "map.png"]


def test_a_bundled_script_names_none_since_its_package_draws_it(tmp_path: Path) -> None:
    assert read_drawings(tmp_path, "en") is None
    (tmp_path / "drawing.toml").write_text('[map]\ntitle = "Map"\n')
    assert read_drawings(tmp_path, "en") is None


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('painter = "area_map"', 'painter = "camera"', "map: wanted painter, one of area_map, "),
        ('painter = "area_map"\n', "", "map: wanted painter, one of area_map, "),
        ('title = "Weighing book"\n', "", r"weights\.title: "),
        ("size = [760, 560]", 'size = "large"', r"weights\.size"),
        ("[weights]\n", "angle = 1\n[weights]\n", "angle: wanted the table of a picture"),
    ],
)
def test_data_that_cannot_be_drawn_are_refused_with_their_place(
    old: str, new: str, wanted: str, tmp_path: Path
) -> None:
    folder = example(tmp_path, old, new)
    with pytest.raises(ScriptError, match=wanted) as error:
        read_drawings(folder, "en")
    assert "drawing.toml" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_is_drawn_again_byte_for_byte(language: Language, tmp_path: Path) -> None:
    try:
        find_fonts(language)
    except ScriptError as error:
        pytest.skip(str(error))
    folder = tmp_path / EXAMPLE.name
    copytree(EXAMPLE, folder)
    for path in redraw_pictures(folder, (language,)):
        kept = EXAMPLE / language / "pictures" / path.name
        assert path.read_bytes() == kept.read_bytes()


def test_the_page_for_authors_lists_every_painter() -> None:
    page = Path("docs/write-a-script.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in PAINTERS)


def test_a_broken_table_ends_the_command_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = example(tmp_path, 'painter = "area_map"', 'painter = "camera"')
    try:
        find_fonts("en")
    except ScriptError as error:
        pytest.skip(str(error))
    assert main([str(folder), "en"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
