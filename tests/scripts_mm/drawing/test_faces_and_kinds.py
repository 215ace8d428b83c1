"""Typefaces that may be missing, camera stills and till slips."""

from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops

from scripts_mm.drawing.documents.receipt import ReceiptSpec, draw_receipt
from scripts_mm.drawing.photos.cctv import CctvSetting, CctvSpec, draw_cctv, height_share
from scripts_mm.drawing.primitives.cctv_figure import (
    CctvFigure,
    CctvHat,
    CctvProp,
    draw_cctv_figure,
)
from scripts_mm.drawing.primitives.fonts import FACES, Fonts, find_any_fonts, find_fonts
from scripts_mm.drawing.primitives.paper import encode_png
from scripts_mm.script import LANGUAGES, ScriptError

SETTINGS: tuple[CctvSetting, ...] = ("corridor", "door", "yard")
HELD: tuple[CctvProp, ...] = (
    "umbrella", "case", "bag", "stick", "roll", "bottle", "lantern", "box",
)  # fmt: skip
HATS: tuple[CctvHat, ...] = ("cap", "brim", "hood", "beret", "knit")
ONE = CctvFigure(at=(0.5, 0.9), height=0.6, coat=(150, 40, 40))


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_bytes(b"a face")
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_any_face_the_two_of_the_package_serve_every_hand(
    language: str, tmp_path: Path
) -> None:
    known = "zh" if language == "zh" else "en"
    fonts = find_any_fonts(known, [tmp_path])
    assert set(fonts.files) == set(FACES[known])
    assert {path.name for path, _ in fonts.files.values()} == {"ArenaHand.ttf", "ArenaSans.otf"}
    assert fonts.pick_faces(Random(1)) == fonts
    assert all(path.is_file() for path, _ in fonts.files.values())


def test_a_hand_without_its_faces_takes_another_of_the_language(tmp_path: Path) -> None:
    put(tmp_path, "uming.ttc")
    fonts = find_any_fonts("zh", [tmp_path])
    assert {path.name for path, _ in fonts.files.values()} == {"uming.ttc"}
    assert set(fonts.files) == set(FACES["zh"])


def test_the_strict_search_wants_the_first_face_and_takes_no_other(tmp_path: Path) -> None:
    others = {face.file for faces in FACES["zh"].values() for face in faces[1:]}
    firsts = {faces[0].file for faces in FACES["zh"].values()}
    put(tmp_path, *sorted(others - firsts))
    with pytest.raises(ScriptError, match="NotoSerifCJK-Regular"):
        find_fonts("zh", [tmp_path])
    put(tmp_path, *sorted(firsts))
    found = find_fonts("zh", [tmp_path])
    assert {hand: path.name for hand, (path, _) in found.files.items()} == {
        hand: faces[0].file for hand, faces in FACES["zh"].items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_varied_faces_are_among_those_of_their_hand(language: str, tmp_path: Path) -> None:
    known = "zh" if language == "zh" else "en"
    files = {face.file for faces in FACES[known].values() for face in faces}
    fonts = find_any_fonts(known, [put(tmp_path, *sorted(files))])
    drawn = [fonts.pick_faces(Random(seed)) for seed in range(40)]
    for hand, faces in FACES[known].items():
        seen = {one.files[hand][0].name for one in drawn}
        assert seen == {face.file for face in faces}
    assert fonts.pick_faces(Random(3)) == drawn[3]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_still_is_repeatable_and_shows_its_words(setting: CctvSetting) -> None:
    spec = CctvSpec(camera="CAM 1", stamp="21:17", figures=(ONE,), setting=setting, sign="Cellar",
                    marks=(190, 170, 150))  # fmt: skip
    first, again = (draw_cctv(spec, Fonts("en"), Random(5)) for _ in range(2))
    assert first.size == spec.size
    assert encode_png(first) == encode_png(again)
    bare = draw_cctv(CctvSpec(camera="", stamp="", figures=(ONE,), setting=setting), Fonts("en"),
                Random(5))  # fmt: skip
    assert ImageChops.difference(first, bare).getbbox() is not None


def test_who_is_taller_stands_higher_at_the_strip() -> None:
    assert height_share(190, 190) == pytest.approx(0.66)
    assert height_share(95, 190) == pytest.approx(0.33)


@pytest.mark.parametrize("held", HELD)
def test_what_a_hand_holds_is_seen_on_its_own_side(held: CctvProp) -> None:
    ground = Image.new("RGB", (600, 800), (200, 200, 200))
    empty = draw_cctv_figure(ground, ONE)
    sides: dict[str, float] = {}
    for hand in ("left", "right"):
        side = "left" if hand == "left" else "right"
        holding = draw_cctv_figure(ground, CctvFigure(at=ONE.at, height=ONE.height,
            coat=ONE.coat, held=held,
                                        hand=side, held_colour=(240, 20, 240)))  # fmt: skip
        box = ImageChops.difference(holding, empty).getbbox()
        assert box is not None
        sides[hand] = (box[0] + box[2]) / 2
    assert sides["right"] < 300 < sides["left"]


@pytest.mark.parametrize("hat", HATS)
def test_every_hat_changes_the_head(hat: CctvHat) -> None:
    ground = Image.new("RGB", (600, 800), (200, 200, 200))
    worn = draw_cctv_figure(
        ground, CctvFigure(at=ONE.at, height=ONE.height, coat=ONE.coat, hat=hat)
    )
    box = ImageChops.difference(worn, draw_cctv_figure(ground, ONE)).getbbox()
    assert box is not None
    assert box[3] < 400


@pytest.mark.slow
@pytest.mark.parametrize("torn", [True, False])
def test_a_slip_grows_with_what_stands_on_it(torn: bool) -> None:
    short = ReceiptSpec(head=("Bar",), lines=("21:17",), rows=(("tea", "2.00"),), torn=torn)
    long = ReceiptSpec(head=("Bar",), lines=("21:17",), rows=(("tea", "2.00"),) * 9, torn=torn,
                       total=("Total", "18.00"), foot=("Thank you",), number="0417",
                       remark="for N.")  # fmt: skip
    fonts = Fonts("en")
    pale = [sum(draw_receipt(one, fonts, Random(1)).convert("L").histogram()[190:])
            for one in (short, long)]  # fmt: skip
    assert pale[1] > pale[0] * 1.5
    assert encode_png(draw_receipt(long, fonts, Random(1))) == encode_png(
        draw_receipt(long, fonts, Random(1))
    )
