"""Documents in scenes: the script's own pictures on sheets of paper."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from scripts_mm.catalog import LIBRARY
from scripts_mm.drawing.primitives.fonts import find_any_fonts
from scripts_mm.drawing.rendered import scene_files
from scripts_mm.drawing.rendered.labels import draw_label
from scripts_mm.drawing.rendered.mesh import Array, Mesh
from scripts_mm.drawing.rendered.renderer import load_mitsuba, render
from scripts_mm.drawing.rendered.scene_data import Camera, Label, Material, Scene, Thing
from scripts_mm.drawing.rendered.scene_files import SCENES, list_scenes, load_scene
from scripts_mm.drawing.rendered.things import build_things
from scripts_mm.script import LANGUAGES, ScriptError

RED, BLUE, GREEN, WHITE = (220, 20, 20), (20, 20, 220), (20, 200, 20), (240, 240, 240)
QUARTERS = ((RED, (0, 0)), (BLUE, (20, 0)), (GREEN, (0, 30)), (WHITE, (20, 30)))
"""Colours of a sheet, and where their quarter starts."""
SHEET = Thing(kind="document", size=(0.2, 0.3, 1), material="sheet")
FONTS = find_any_fonts("en")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A picture of a sheet of four colours, upright on a black table of 60 by 80 pixels."""
    image = Image.new("RGB", (60, 80))
    for colour, (x, y) in QUARTERS:
        image.paste(colour, (x + 10, y + 10, x + 30, y + 40))
    path = tmp_path / "sheet.png"
    image.save(path)
    return path


def label(path: Path, corners: tuple[tuple[float, float], ...] = ()) -> Label:
    return Label(size=(40, 60), picture=str(path), corners=corners)


def build(thing: Thing) -> Mesh:
    ((material, mesh),) = build_things([thing])
    assert material == thing.material
    return mesh


def measure_lengths(mesh: Mesh) -> Array:
    """Return the lengths of a sheet's lines from its lower to its upper edge."""
    steps = round(len(mesh.points) ** 0.5)
    return np.linalg.norm(
        np.diff(mesh.points.reshape(steps, steps, 3), axis=0), axis=-1
    ).sum(axis=0)  # fmt: skip


def test_a_sheet_is_cut_out_of_its_table_by_its_corners(sheet: Path) -> None:
    corners = ((10, 10), (50, 10), (50, 70), (10, 70))
    image = draw_label(label(sheet, corners), FONTS, Random(1))
    assert image.size == (40, 60)
    for colour, (x, y) in QUARTERS:
        assert image.getpixel((x + 10, y + 15)) == colour
    dark = draw_label(replace(label(sheet, corners), gamma=2), FONTS, Random(1))
    assert dark.getpixel((30, 45)) == (226, 226, 226)
    whole = draw_label(label(sheet), FONTS, Random(1))
    assert whole.getpixel((2, 2)) == (0, 0, 0)


def test_a_turned_sheet_is_straightened(tmp_path: Path, sheet: Path) -> None:
    path = tmp_path / "turned.png"
    with Image.open(sheet) as image:
        image.transpose(Image.Transpose.ROTATE_270).save(path)
    corners = ((70, 10), (70, 50), (10, 50), (10, 10))
    image = draw_label(label(path, corners), FONTS, Random(1))
    for colour, (x, y) in QUARTERS:
        assert image.getpixel((x + 10, y + 15)) == colour


def test_three_corners_and_a_missing_picture_are_refused(sheet: Path) -> None:
    with pytest.raises(ScriptError, match="wanted 4 corners of a label's sheet, got 3"):
        draw_label(label(sheet, ((0, 0), (1, 0), (1, 1))), FONTS, Random(1))
    with pytest.raises(ScriptError, match="cannot read the picture of a label"):
        draw_label(label(sheet.with_name("gone.png")), FONTS, Random(1))


def test_a_flat_sheet_lies_on_the_ground_with_its_upper_edge_away_from_the_camera() -> None:
    mesh = build(SHEET)
    assert np.ptp(mesh.points, axis=0) == pytest.approx((0.2, 0.3, 0))
    upper = mesh.points[mesh.uv[:, 1] == 1]
    assert upper[:, 1] == pytest.approx(np.full(len(upper), 0.15))
    right = mesh.points[mesh.uv[:, 0] == 1]
    assert right[:, 0] == pytest.approx(np.full(len(right), 0.1))
    assert mesh.normals == pytest.approx(np.tile((0, 0, 1), (len(mesh.points), 1)))


@pytest.mark.parametrize(("folds", "flat"), [(1, 0), (2, 1 / 3), (3, 1 / 2)])
def test_a_folded_sheet_keeps_its_length_and_rises_beyond_its_folds(
    folds: int, flat: float
) -> None:
    thing = Thing(
        kind="document", size=(0.2, 0.3, 1), material="sheet", options=("folded",), count=folds,
        amount=0.05,
    )  # fmt: skip
    mesh = build(thing)
    assert mesh.points[:, 2].max() == pytest.approx(0.05)
    lying = np.abs(2 * mesh.uv[:, 1] - 1) <= flat + 1e-9
    assert mesh.points[lying, 2] == pytest.approx(np.zeros(lying.sum()))
    assert np.all(mesh.points[~lying, 2] > 0)
    assert measure_lengths(mesh) == pytest.approx(0.3, rel=1e-6)


def test_an_upright_sheet_faces_the_camera_and_its_ends_curl_forward() -> None:
    thing = Thing(
        kind="document", size=(0.2, 0.3, 1), material="sheet", options=("upright",), amount=0.02
    )
    mesh = build(thing)
    upper = mesh.points[mesh.uv[:, 1] == 1]
    assert upper[:, 2] == pytest.approx(np.full(len(upper), 0.15))
    assert upper[:, 1] == pytest.approx(np.full(len(upper), -0.02))


def test_the_renderer_shows_a_document_the_right_way_round(sheet: Path) -> None:
    try:
        load_mitsuba()
    except ScriptError as error:
        pytest.skip(str(error))
    corners = ((10, 10), (50, 10), (50, 70), (10, 70))
    scene = Scene(
        camera=Camera(at=(0, 0, 1), aim=(0, 0, 0), up=(0, 1, 0), angle=20),
        sky=(1, 1, 1),
        things=(SHEET,),
        materials={"sheet": Material(label="sheet", rough=0.9)},
        labels={"sheet": label(sheet, corners)},
    )
    light = render(scene, FONTS, (40, 40), 16).albedo
    red, blue, green, white = (
        light[20 - 6 + y // 3, 20 - 5 + x // 2] for x, y in ((0, 0), (20, 0), (0, 30), (20, 30))
    )
    assert red.argmax() == 0
    assert blue.argmax() == 2
    assert green.argmax() == 1
    assert white.min() > 0.5


def test_a_scene_takes_the_picture_of_its_language_or_of_its_own_folder(
    tmp_path: Path, sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_files, "LIBRARY", tmp_path)
    load_scene.cache_clear()
    folder = tmp_path / "case" / SCENES
    folder.mkdir(parents=True)
    for language in LANGUAGES:
        place = tmp_path / "case" / language / "pictures"
        place.mkdir(parents=True)
        (place / "deed.png").write_bytes(sheet.read_bytes())
    (folder / "stain.png").write_bytes(sheet.read_bytes())
    start = "[camera]\nat = [0, -1, 1]\naim = [0, 0, 0]\n[labels]\n"
    (folder / "room.toml").write_text(
        start + "deed = { picture = 'deed.png' }\n" + "stain = { picture = 'stain.png' }\n",
        encoding="utf-8",
    )
    for language in LANGUAGES:
        labels = load_scene("case", "room", language).labels
        assert Path(labels["deed"].picture) == tmp_path / f"case/{language}/pictures/deed.png"
        assert Path(labels["stain"].picture) == folder / "stain.png"
    (folder / "bad.toml").write_text(start + "deed = { picture = 'will.png' }\n", encoding="utf-8")
    with pytest.raises(ScriptError, match=r"'will.png' for a label in case/en/pictures or case/sc"):
        load_scene("case", "bad", "en")
    load_scene.cache_clear()


@pytest.mark.slow
def test_scenes_of_the_library_show_documents_of_their_own_script() -> None:
    shown = {
        (folder.parent.name, Path(one.picture).name)
        for folder in sorted(LIBRARY.glob(f"*/{SCENES}"))
        for name in list_scenes(folder.parent.name)
        for one in load_scene(folder.parent.name, name, "en").labels.values()
        if one.picture
    }
    assert {script for script, _ in shown} >= {"first-night", "mill-meadow", "ward-nine"}
