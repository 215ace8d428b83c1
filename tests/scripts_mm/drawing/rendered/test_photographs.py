"""The photographs of the library: all parts known, every word told, the committed pictures true."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image, ImageFilter

from scripts_mm.catalog import LIBRARY
from scripts_mm.drawing.primitives.fonts import Fonts, find_fonts
from scripts_mm.drawing.primitives.paper import Size
from scripts_mm.drawing.rendered import renderer
from scripts_mm.drawing.rendered.__main__ import SharedExposures, main
from scripts_mm.drawing.rendered.development import develop
from scripts_mm.drawing.rendered.labels import MARKER, draw_label, draw_labels
from scripts_mm.drawing.rendered.mesh import Mesh
from scripts_mm.drawing.rendered.photograph import (
    blank_exposure,
    encode_jpeg,
    expose_small,
    take_photograph,
)
from scripts_mm.drawing.rendered.projection import project
from scripts_mm.drawing.rendered.renderer import Exposure, Window, load_mitsuba, merge_bodies
from scripts_mm.drawing.rendered.scene_data import Film, Label, Lamp, Scene, Thing
from scripts_mm.drawing.rendered.scene_files import SCENES, list_scenes, load_scene
from scripts_mm.drawing.rendered.things import build_things
from scripts_mm.script import LANGUAGES, Language, ScriptError

PHOTOGRAPHS = tuple(
    (folder.parent.name, name)
    for folder in sorted(LIBRARY.glob(f"*/{SCENES}"))
    for name in list_scenes(folder.parent.name)
)
ALL_SCENES = tuple(
    (path.parent.parent.name, path.stem) for path in sorted(LIBRARY.glob(f"*/{SCENES}/*.toml"))
)
every_photograph = pytest.mark.parametrize(("script", "name"), PHOTOGRAPHS)
SHARE = 0.3
"""Width of a proof as a share of the photograph's."""


def require_fonts(language: Language) -> Fonts:
    """Return the fonts of a language; leave the test out where they are not installed."""
    try:
        return find_fonts(language)
    except ScriptError as error:
        pytest.skip(str(error))


def require_mitsuba() -> None:
    """Leave the test out where the path tracer is not installed."""
    try:
        load_mitsuba()
    except ScriptError as error:
        pytest.skip(str(error))


def blurred(image: Image.Image, size: tuple[int, int]) -> np.ndarray:
    """Return a picture without its grain, small."""
    small = image.convert("RGB").filter(ImageFilter.GaussianBlur(6)).resize(size)
    return np.asarray(small, dtype=np.float64)


@pytest.fixture(scope="module", autouse=True)
def bodies_once() -> Iterator[None]:
    """Build the bodies of each scene once: two tests look at all scenes."""
    built: dict[str, Mapping[str, Mesh]] = {}

    def build(scene: Scene) -> Mapping[str, Mesh]:
        things = repr(scene.things)
        if things not in built:
            built[things] = merge_bodies(scene)
        return built[things]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer, "merge_bodies", build)
        yield


def test_there_are_photographs() -> None:
    assert len(PHOTOGRAPHS) >= 15


@pytest.mark.slow
@pytest.mark.parametrize(("script", "name"), ALL_SCENES)
def test_every_body_of_a_scene_has_a_material_that_the_scene_uses(script: str, name: str) -> None:
    scene = load_scene(script, name, "en")
    if scene.stills:
        return
    bodies = renderer.merge_bodies(scene)
    pictures = draw_labels(scene, require_fonts("en"))
    assert {one for one in bodies if one not in scene.materials and one not in pictures} == set()
    files = {path.stem: path.read_text("utf-8") for path in (LIBRARY / script / SCENES).iterdir()}
    if not any(f'based_on = "{name}"' in text for text in files.values()):
        own = {one for one in scene.materials if f"\n{one} = {{" in files[name]}
        assert own <= bodies.keys()
    assert all(np.isfinite(mesh.points).all() for mesh in bodies.values())


@pytest.mark.slow
@every_photograph
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_photograph_is_committed_in_its_size(script: str, name: str, language: Language) -> None:
    drawn = take_photograph(script, name, require_fonts(language), blank_exposure)
    with Image.open(LIBRARY / script / language / "pictures" / f"{name}.jpg") as kept:
        assert kept.size == drawn.size
        assert kept.format == "JPEG"


@pytest.mark.slow
@every_photograph
def test_the_committed_photograph_shows_its_scene(script: str, name: str) -> None:
    """A proof of few samples has the same light at the same places.

    The committed file has more pixels and samples, so only the mean over an area can be compared.
    """
    require_mitsuba()
    proof = take_photograph(script, name, require_fonts("en"), expose_small(SHARE, 4))
    size = (proof.width // 20, proof.height // 20)
    with Image.open(LIBRARY / script / "en" / "pictures" / f"{name}.jpg") as kept:
        apart = np.abs(blurred(proof, size) - blurred(kept, size)).mean(axis=-1)
    assert apart.mean() < 9
    assert np.quantile(apart, 0.98) < 22


def test_the_same_scene_gives_the_same_bytes() -> None:
    require_mitsuba()
    scene = Scene(
        camera=load_scene("last-tram", "scene", "en").camera,
        film=Film(size=(40, 30), samples=4),
        sky=(1, 1, 1),
        things=(Thing(kind="box", at=(0, 2, 0), material="oak"),),
        materials={"oak": load_scene("last-tram", "scene", "en").materials["oak"]},
    )
    fonts = require_fonts("en")
    images = [
        encode_jpeg(develop(renderer.render(scene, fonts, (40, 30), 4), scene.film))
        for _ in range(2)
    ]
    assert images[0] == images[1]
    assert len({*Image.open(BytesIO(images[0])).convert("L").tobytes()}) > 10


def test_without_the_path_tracer_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in LANGUAGES:
        require_fonts(language)

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(renderer, "import_module", missing)
    (tmp_path / "last-tram").mkdir()
    assert main([str(tmp_path / "last-tram"), "scene"]) == 2
    assert ".[photos]" in capsys.readouterr().err


def test_the_command_names_the_scenes_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "last-tram"), "kitchen"]) == 2
    assert "no scene kitchen of script 'last-tram'; it has" in capsys.readouterr().err
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("thing", "told"),
    [(Thing(kind="spaceship"), "no kind of thing 'spaceship'; there are box")],
)
def test_an_unknown_kind_is_named(thing: Thing, told: str) -> None:
    with pytest.raises(ScriptError, match=told):
        list(build_things([thing]))


def test_an_unknown_label_material_or_lamp_is_named() -> None:
    with pytest.raises(ScriptError, match="no label of kind 'poem'"):
        draw_label(Label(kind="poem"), require_fonts("en"), Random("a"))
    require_mitsuba()
    scene = load_scene("last-tram", "scene", "en")
    fonts = require_fonts("en")
    bare = Scene(camera=scene.camera, things=(Thing(kind="box", material="felt"),))
    with pytest.raises(ScriptError, match="no material 'felt' in the scene"):
        renderer.render(bare, fonts, (8, 8), 1)
    odd = Scene(camera=scene.camera, lamps=(Lamp(kind="candle"),))
    with pytest.raises(ScriptError, match="no lamp of kind 'candle'"):
        renderer.render(odd, fonts, (8, 8), 1)


def test_another_language_renders_only_where_other_words_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    windows: list[Window | None] = []
    rendered: list[np.ndarray] = []

    def note(
        scene: Scene, _: Fonts, size: Size, samples: int, window: Window | None = None
    ) -> Exposure:
        windows.append(window)
        wide, tall = window[2:] if window else size
        ones = np.full((tall, wide, 3), 0.5 if window else 1.0)
        return Exposure(light=ones, albedo=ones, normal=ones, depth=ones[..., 0])

    def keep(exposure: Exposure, film: Film) -> Image.Image:
        rendered.append(exposure.light)
        return Image.new("RGB", film.size)

    monkeypatch.setattr("scripts_mm.drawing.rendered.__main__.render", note)
    monkeypatch.setattr("scripts_mm.drawing.rendered.__main__.develop", keep)
    exposer = SharedExposures()
    for language in LANGUAGES:
        take_photograph("last-tram", "scene", require_fonts(language), exposer)
    assert windows == [None]
    for language in LANGUAGES:
        take_photograph("last-tram", "recorder", require_fonts(language), exposer)
    first, second = windows[1:]
    assert first is None
    assert second is not None
    left, top, width, height = second
    size = load_scene("last-tram", "recorder", "zh").film.size
    assert 0 < left < left + width < size[0]
    assert size[1] * 0.7 < top < top + height < size[1]
    wanted = np.ones_like(rendered[-1])
    assert np.array_equal(rendered[-2], wanted)
    wanted[top : top + height, left : left + width] = 0.5
    assert np.array_equal(rendered[-1], wanted)


def test_a_point_is_projected_to_where_the_path_tracer_sees_it() -> None:
    require_mitsuba()
    scene = load_scene("last-tram", "recorder", "en")
    ball = Thing(kind="ball", at=(0.15, 0.1, 0.5), radius=0.02, material="bulb")
    lone = Scene(camera=scene.camera, things=(ball,), materials={"bulb": scene.materials["bulb"]})
    light = renderer.render(lone, require_fonts("en"), (80, 80), 16).light.sum(axis=-1)
    rows, columns = np.nonzero(light > light.max() / 2)
    wanted = project(scene.camera, (80, 80), np.array([(0.15, 0.1, 0.52)]))[0]
    assert (columns.mean(), rows.mean()) == pytest.approx((wanted[0], wanted[1]), abs=1.5)


def test_noise_is_averaged_on_one_surface_and_an_edge_stays() -> None:
    rng = np.random.default_rng(1)
    left = np.arange(60)[None, :, None] < 30
    albedo = np.broadcast_to(np.where(left, 0.8, 0.2), (40, 60, 3)).astype(float)
    normal = np.broadcast_to((0.0, 0.0, 1.0), (40, 60, 3))
    light = albedo * 0.5 * rng.uniform(0.6, 1.4, (40, 60, 1))
    exposure = Exposure(light=light, albedo=albedo, normal=normal, depth=np.ones((40, 60)))
    film = Film(grain=0, vignette=0)
    image = np.asarray(develop(exposure, film), dtype=np.float64)
    flat = np.asarray(
        develop(Exposure(light=albedo * 0.5, albedo=albedo, normal=normal,
                         depth=np.ones((40, 60))), film), dtype=np.float64
    )  # fmt: skip
    assert image[:, :28].std() < 6
    step = flat[:, 31].mean() - flat[:, 28].mean()
    assert image[:, 31].mean() - image[:, 28].mean() == pytest.approx(step, rel=0.2)


def test_a_toned_print_has_the_colour_of_its_tone_and_black_and_white_has_none() -> None:
    ones = np.ones((4, 4, 3))
    exposure = Exposure(light=ones * (0.6, 0.3, 0.1), albedo=ones, normal=ones, depth=ones[..., 0])
    grey = develop(exposure, Film(colour=0, grain=0, vignette=0)).tobytes()[:3]
    assert len({*grey}) == 1
    brown = develop(exposure, Film(colour=0, tone=(134, 112, 84), grain=0, vignette=0))
    red, green, blue = brown.tobytes()[:3]
    assert red > green > blue


def test_the_card_of_the_police_carries_its_sign() -> None:
    cards = draw_labels(load_scene("last-tram", "scene", "en"), require_fonts("en"))
    signs = {name.removeprefix(MARKER) for name in cards if name.startswith(MARKER)}
    assert signs == {"1", "2", "3", "4"}
