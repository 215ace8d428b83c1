"""Mitsuba's description of a material: its colours, its gloss, its bumps."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

from scripts_mm.drawing.primitives.paper import Colour
from scripts_mm.drawing.rendered.mesh import Array
from scripts_mm.drawing.rendered.patterns import PATTERNS, Surface
from scripts_mm.drawing.rendered.scene_data import Material, Scene
from scripts_mm.script import ScriptError

Description = dict[str, Any]
"""What `mitsuba.load_dict` takes."""
_LINEAR = 0.04045
"""sRGB value below which its curve is a line."""
_CARD = Material(rough=0.5)
"""The surface of a police card."""
_DARKER = 0.62
"""The second colour where a material names none, as a share of the first."""


def linear(colours: Array) -> Array:
    """Return sRGB values from 0 to 1 as light."""
    return np.where(colours <= _LINEAR, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)


def light_of(colour: Colour) -> list[float]:
    """Return a colour as light, 0 to 1."""
    return [float(part) for part in linear(np.array(colour, dtype=np.float64) / 255)]


def describe_material(
    mitsuba: Any, scene: Scene, name: str, pictures: Mapping[str, Image.Image]
) -> Description:
    """Return the description of a scene's material, with its picture if it has one.

    Raises ScriptError for an unknown name.
    """
    if name in pictures:
        material = scene.materials.get(name, _CARD)
        front = _describe_picture(mitsuba, material, pictures[name])
        if not material.under:
            return front
        back = describe_material(mitsuba, scene, material.under, {})
        clear = np.asarray(pictures[name], dtype=np.float64)[::-1, :, 3:] / 255
        weight = _image(mitsuba, clear, 1)
        return {"type": "blendbsdf", "weight": weight, "back": back, "front": front}
    if name not in scene.materials:
        known = ", ".join(sorted(scene.materials))
        raise ScriptError(f"no material {name!r} in the scene; it has {known}")
    material = scene.materials[name]
    if material.glass:
        kind = "thindielectric" if material.thin else "dielectric"
        return {
            "type": kind,
            "int_ior": float(material.glass),
            "specular_transmittance": _flat(material.colour),
        }
    surface = PATTERNS[material.pattern](np.random.default_rng([material.seed, len(name)]))
    body = _make_principled(material, _image(mitsuba, _colours(material, surface), material.tile))
    return _bump(mitsuba, material, surface, {"type": "twosided", "bsdf": body})


def _flat(colour: Colour) -> Description:
    return {"type": "rgb", "value": light_of(colour)}


def _make_principled(material: Material, colour: Description) -> Description:
    return {
        "type": "principled",
        "base_color": colour,
        "roughness": float(material.rough),
        "metallic": float(material.metal),
        "clearcoat": float(material.coat),
        "clearcoat_gloss": 0.9,
        "sheen": float(material.sheen),
        "specular": 0.5,
    }


def _colours(material: Material, surface: Surface) -> Array:
    first = np.array(material.colour, dtype=np.float64) / 255
    second = (
        np.array(material.second, dtype=np.float64) / 255 if material.second else (first * _DARKER)
    )
    mixed = first + (second - first) * surface.mix[..., None]
    return linear(np.clip(mixed * surface.light[..., None], 0, 1))


def _image(mitsuba: Any, pixels: Array, tile: float, *, filtered: bool = True) -> Description:
    scale = mitsuba.ScalarTransform4f().scale([1 / tile, 1 / tile, 1])
    return {
        "type": "bitmap",
        "bitmap": mitsuba.Bitmap(np.ascontiguousarray(pixels, dtype=np.float32)),
        "raw": True,
        "filter_type": "bilinear" if filtered else "nearest",
        "to_uv": scale,
    }


def _bump(mitsuba: Any, material: Material, surface: Surface, body: Description) -> Description:
    if not material.bump:
        return body
    heights = _image(mitsuba, surface.height[..., None], material.tile)
    return {"type": "bumpmap", "arbitrary": heights, "scale": float(material.bump), "bsdf": body}


def _describe_picture(mitsuba: Any, material: Material, picture: Image.Image) -> Description:
    pixels = np.asarray(picture, dtype=np.float64)[::-1] / 255
    colours = _image(mitsuba, linear(pixels[..., :3]), 1)
    return {"type": "twosided", "bsdf": _make_principled(material, colours)}
