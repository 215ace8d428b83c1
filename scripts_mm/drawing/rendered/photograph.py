"""A finished photograph: a scene rendered, developed, and put on its print."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import adjust_levels, make_noise, shade_image
from scripts_mm.drawing.primitives.photo_print import PLAIN_PRINT, PrintStyle, mount_photo
from scripts_mm.drawing.rendered.development import develop
from scripts_mm.drawing.rendered.labels import draw_labels
from scripts_mm.drawing.rendered.renderer import render
from scripts_mm.drawing.rendered.scene_data import Inset, PhotoStamp, Scene
from scripts_mm.drawing.rendered.scene_files import load_scene

QUALITY = 85
"""JPEG quality of a photograph."""
_GAP = 10
"""Pixels between stills."""
Exposer = Callable[[Scene, Fonts], Image.Image]
"""A function that returns the developed picture of a scene, of its film's size."""


def expose(scene: Scene, fonts: Fonts) -> Image.Image:
    """Return the picture of a scene by the path tracer."""
    film = scene.film
    return develop(render(scene, fonts, film.size, film.samples), film)


def expose_small(share: float, samples: int) -> Exposer:
    """Return an exposer of proofs: `share` of the width, few samples, enlarged to the full size."""

    def proof(scene: Scene, fonts: Fonts) -> Image.Image:
        film = scene.film
        size = (round(film.size[0] * share), round(film.size[1] * share))
        image = develop(render(scene, fonts, size, samples), film)
        return image.resize(film.size, Image.Resampling.BICUBIC)

    return proof


def blank_exposure(scene: Scene, fonts: Fonts) -> Image.Image:
    """Return an empty picture of a scene, whose words are all written: for its size and texts."""
    draw_labels(scene, fonts)
    return Image.new("RGB", scene.film.size)


def take_photograph(script: str, name: str, fonts: Fonts, exposer: Exposer = expose) -> Image.Image:
    """Return a script's photograph in the language of `fonts`, on its print."""
    scene = load_scene(script, name, fonts.language)
    rng = Random(f"{script}/{name}")
    if scene.stills:
        return _join_stills(
            [take_photograph(script, still, fonts, exposer) for still in scene.stills]
        )
    image = exposer(scene, fonts)
    for stamp in scene.stamps:
        _write_stamp(image, stamp, fonts)
    if scene.frame is not None:
        image = _mount(image, scene, scene.frame, fonts, rng)
    for inset in scene.insets:
        image = _lay_inset(image, inset, take_inset(script, inset, fonts, exposer))
    return image


def _join_stills(stills: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size side by side, two in a row, with dark gaps."""
    wide, tall = stills[0].size
    rows = (len(stills) + 1) // 2
    sheet = Image.new("RGB", (2 * wide + 3 * _GAP, rows * tall + (rows + 1) * _GAP), (16, 16, 20))
    for nth, still in enumerate(stills):
        at = (_GAP + nth % 2 * (wide + _GAP), _GAP + nth // 2 * (tall + _GAP))
        sheet.paste(still, at)
    return sheet


def _mount(
    image: Image.Image, scene: Scene, frame: PrintStyle, fonts: Fonts, rng: Random
) -> Image.Image:
    size = (image.width + 2 * frame.border, image.height + frame.border + frame.foot)
    sheet = mount_photo(image, size, frame)
    font = fonts.get(frame.hand, frame.text_size)
    for nth, line in enumerate(reversed(scene.caption)):
        at = (frame.at[0], size[1] - frame.at[1] - nth * frame.text_size * 1.45)
        ImageDraw.Draw(sheet).text(at, line, frame.ink, font, anchor="lm")
    return shade_image(sheet, make_noise(size, frame.grain, rng), frame.depth)


def take_inset(script: str, inset: Inset, fonts: Fonts, exposer: Exposer) -> Image.Image:
    """Return the smaller photograph on its own print."""
    scene = load_scene(script, inset.scene, fonts.language)
    image = exposer(scene, fonts)
    for stamp in scene.stamps:
        _write_stamp(image, stamp, fonts)
    captioned = replace(scene, caption=(inset.caption,))
    return _mount(image, captioned, scene.frame or PLAIN_PRINT, fonts, Random(inset.scene))


def _lay_inset(image: Image.Image, inset: Inset, small: Image.Image) -> Image.Image:
    small = small.resize(inset.size, Image.Resampling.LANCZOS)
    mask = Image.new("L", small.size, 255).rotate(
        inset.angle, Image.Resampling.BICUBIC, expand=True
    )
    turned = small.rotate(inset.angle, Image.Resampling.BICUBIC, expand=True)
    at = (round(inset.at[0]), round(inset.at[1]))
    shadow = Image.new("L", image.size, 0)
    shadow.paste(adjust_levels(mask, 0.5), (at[0] + 5, at[1] + 6))
    dark = Image.composite(Image.new("RGB", image.size, (20, 18, 16)), image, shadow)
    dark.paste(turned, at, mask)
    return dark


def _write_stamp(image: Image.Image, stamp: PhotoStamp, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(image)
    font = fonts.get(stamp.hand, stamp.size)
    if stamp.ground is not None:
        left, top, right, bottom = draw.textbbox(stamp.at, stamp.text, font, anchor=stamp.anchor)
        if stamp.disc:
            x, y, reach = (left + right) / 2, (top + bottom) / 2, stamp.size * 0.72
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), stamp.ground)
        else:
            draw.rectangle((left - 8, top - 6, right + 8, bottom + 6), stamp.ground)
    draw.text(stamp.at, stamp.text, stamp.fill, font, anchor=stamp.anchor)


def encode_jpeg(image: Image.Image, quality: int = QUALITY) -> bytes:
    """Return a finished photograph as JPEG; equal pictures give equal bytes."""
    buffer = BytesIO()
    image.convert("RGB").save(buffer, "JPEG", quality=quality, optimize=True)
    return buffer.getvalue()
