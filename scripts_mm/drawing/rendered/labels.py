"""Pictures on things: signs, pages of a book, dials, charts, maps, stains."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from PIL import Image, ImageFilter

from scripts_mm.drawing.primitives.canvas import MARKER_COLOUR, Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import make_paper
from scripts_mm.drawing.rendered.label_kinds import Painter
from scripts_mm.drawing.rendered.label_kinds.instruments import INSTRUMENTS
from scripts_mm.drawing.rendered.label_kinds.papers import PAPERS
from scripts_mm.drawing.rendered.label_kinds.traces import TRACES
from scripts_mm.drawing.rendered.scene_data import Label, Scene
from scripts_mm.script import ScriptError

LABELS: Mapping[str, Painter] = MappingProxyType({**INSTRUMENTS, **PAPERS, **TRACES})
"""Every kind of label by the name that scenes use."""

MARKER = "marker:"
"""Start of the material of a police card; the rest is its sign."""
_CARD = Label(size=(150, 170), ground=MARKER_COLOUR, ink=(24, 22, 20), text_size=120)


_CORNERS = 4
"""Corners of a sheet."""


def draw_labels(scene: Scene, fonts: Fonts) -> Mapping[str, Image.Image]:
    """Return the picture of every material of a scene that has one, by the material's name."""
    labels = {
        name: _find_label(scene, material.label)
        for name, material in scene.materials.items()
        if material.label
    }
    for thing in scene.things:
        card = f"{MARKER}{thing.label}" if thing.kind == "marker" else thing.material
        if card.startswith(MARKER):
            labels[card] = replace(_CARD, text=(card.removeprefix(MARKER),))
    return {name: draw_label(label, fonts, Random(name)) for name, label in labels.items()}


def _find_label(scene: Scene, name: str) -> Label:
    if name not in scene.labels:
        raise ScriptError(f"no label {name!r} in the scene; it has {', '.join(scene.labels)}")
    return scene.labels[name]


def draw_label(label: Label, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the picture of a label; with an alpha channel if its ground is clear."""
    if label.picture:
        return _read_picture(label)
    if label.kind not in LABELS:
        raise ScriptError(f"no label of kind {label.kind!r}; there are {', '.join(LABELS)}")
    large = scale_size(label.size)
    if label.alpha:
        image = Image.new("RGBA", large, (*label.ink, 0))
    else:
        image = make_paper(large, label.ground, rng, 0.05)
    LABELS[label.kind](Canvas(image, fonts, edge=label.ink), label, rng)
    small = image.resize(label.size, Image.Resampling.LANCZOS)
    return small.filter(ImageFilter.GaussianBlur(label.soft)) if label.soft else small


def _read_picture(label: Label) -> Image.Image:
    """Return the sheet in a picture file, straightened to the label's size."""
    try:
        with Image.open(label.picture) as file:
            image = file.convert("RGB")
    except OSError as error:
        raise ScriptError(f"cannot read the picture of a label: {error}") from error
    wide, tall = image.size
    corners = label.corners or ((0, 0), (wide, 0), (wide, tall), (0, tall))
    if len(corners) != _CORNERS:
        raise ScriptError(f"wanted {_CORNERS} corners of a label's sheet, got {len(corners)}")
    upper_left, upper_right, lower_right, lower_left = corners
    ring = (*upper_left, *lower_left, *lower_right, *upper_right)
    size = scale_size(label.size)
    large = image.transform(size, Image.Transform.QUAD, ring, Image.Resampling.BICUBIC)
    small = large.resize(label.size, Image.Resampling.LANCZOS)
    return small.point([round(255 * (tone / 255) ** label.gamma) for tone in range(256)] * 3)
