"""From light to a picture: the noise of few samples removed, tones, colour, grain, vignette."""

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

from scripts_mm.drawing.primitives.paper import add_vignette
from scripts_mm.drawing.rendered.mesh import Array
from scripts_mm.drawing.rendered.renderer import Exposure
from scripts_mm.drawing.rendered.scene_data import Film

_REACH = 4
"""Pixels to each side over which light is averaged."""
_MIDDLE = 0.2
"""Light of the middle tones on the film, where white is 1."""
_HALF = 0.5
_LUMA = np.array((0.3, 0.59, 0.11))
"""Weights of red, green and blue in grey: those of Rec. 601, rounded."""
_BRIGHT = 8.0
"""Light above which a pixel is cut, in units of white: fireflies of few samples."""


def develop(exposure: Exposure, film: Film) -> Image.Image:
    """Return the photograph of an exposure."""
    gain = film.exposure * _MIDDLE / _measure(exposure.light)
    light = _clean(exposure, gain) * gain
    tones = _tone(light * _balance(film.warmth), film.contrast)
    tones = _colour(tones, film)
    if film.blur:
        soft = _to_image(tones).filter(ImageFilter.GaussianBlur(film.blur))
        tones = np.asarray(soft, dtype=np.float64) / 255
    noise = np.random.default_rng(0).normal(size=(*tones.shape[:2], 1))
    tones = tones + film.grain * noise * (0.4 + tones.mean(axis=-1, keepdims=True)) * (
        1 - film.haze
    )
    if film.scan:
        tones = tones * (1 - film.scan * (np.arange(len(tones)) % 3 == 0)[:, None, None])
    tones = tones * (1 - film.haze) + film.haze
    return add_vignette(_to_image(tones), film.vignette)


def _measure(light: Array) -> float:
    """Return the light of a scene's middle tones, as a camera's meter does."""
    grey = light @ _LUMA
    return max(float(np.quantile(grey, 0.6)), 1e-6)


def _to_image(tones: Array) -> Image.Image:
    return Image.fromarray(np.round(np.clip(tones, 0, 1) * 255).astype(np.uint8))


def _clean(exposure: Exposure, gain: float) -> Array:
    """Return the light with its noise averaged over neighbours on the same surface."""
    albedo = np.maximum(exposure.albedo, 0.02)
    light = np.minimum(exposure.light, _BRIGHT / gain)
    shade = _cut_fireflies(light / albedo)
    level = _box_mean(np.log(shade.mean(axis=-1) + 1e-3), 2)
    surface = _Surface(
        albedo=_to_planes(exposure.albedo),
        normal=_to_planes(exposure.normal),
        depth=np.ascontiguousarray(exposure.depth),
        step=np.maximum(exposure.depth * 0.02, 1e-3),
        level=level,
    )
    planes = _to_planes(shade)
    total, weights = np.zeros_like(planes), np.zeros_like(planes[0])
    for down in range(-_REACH, _REACH + 1):
        for across in range(-_REACH, _REACH + 1):
            weight = _likeness(surface, (down, across))
            total += weight * np.roll(planes, (down, across), (1, 2))
            weights += weight
    return np.moveaxis(total / weights, 0, -1) * albedo


@dataclass(frozen=True, slots=True)
class _Surface:
    """What tells surfaces apart, each channel as a plane of its own: those are added faster."""

    albedo: Array
    normal: Array
    depth: Array
    step: Array
    """The difference of depth that counts as another surface."""
    level: Array
    """The logarithm of the light around each pixel."""


def _to_planes(values: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(values, -1, 0))


def _cut_fireflies(shade: Array) -> Array:
    """Return the light on a white surface with single bright pixels cut to their neighbours'."""
    grey = shade.mean(axis=-1)
    around = (_box_mean(grey, 2) * 25 - grey) / 24
    factor = np.minimum(1, 2 * around / np.maximum(grey, 1e-6))
    return shade * factor[..., None]


def _likeness(surface: _Surface, step: tuple[int, int]) -> Array:
    """Return how much each pixel resembles its neighbour at `step`: 1 for the same surface."""

    def near(values: Array) -> Array:
        return np.roll(values, step, (-2, -1))

    away = (step[0] ** 2 + step[1] ** 2) / (2 * (_REACH * 0.6) ** 2)
    turned = 1 - _add_planes(surface.normal * near(surface.normal))
    deeper = np.abs(surface.depth - near(surface.depth)) / surface.step
    other = _add_planes(np.abs(surface.albedo - near(surface.albedo)))
    brighter = np.abs(surface.level - near(surface.level))
    return np.exp(-away - turned * 12 - deeper**2 - other * 6 - (brighter / 0.5) ** 2)


def _add_planes(planes: Array) -> Array:
    return planes[0] + planes[1] + planes[2]


def _box_mean(values: Array, reach: int) -> Array:
    steps = range(-reach, reach + 1)
    total = sum(np.roll(values, (down, across), (0, 1)) for down in steps for across in steps)
    return np.asarray(total, dtype=np.float64) / (2 * reach + 1) ** 2


def _balance(warmth: float) -> Array:
    return np.array((1 + warmth, 1, 1 - warmth))


def _tone(light: Array, contrast: float) -> Array:
    """Return light as tones from 0 to 1: Narkowicz's fit of the ACES film curve, then gamma."""
    high = np.maximum(light, 0)
    soft = high * (2.51 * high + 0.03) / (high * (2.43 * high + 0.59) + 0.14)
    tones = np.clip(soft, 0, 1) ** (1 / 2.2)
    return np.clip(0.5 + (tones - 0.5) * contrast, 0, 1)


def _colour(tones: Array, film: Film) -> Array:
    grey = (tones @ _LUMA)[..., None]
    coloured = grey + (tones - grey) * film.colour
    if film.tone is None:
        return coloured
    tint = np.array(film.tone, dtype=np.float64) / 255
    return np.where(grey < _HALF, 2 * grey * tint, tint + (2 * grey - 1) * (1 - tint))
