"""The path tracer: Mitsuba 3, installed by the extra `photos`, on the processor.

The variant `scalar_rgb` needs nothing else, and the same version gives the same light on every run.
"""

import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Size
from scripts_mm.drawing.rendered.labels import draw_labels
from scripts_mm.drawing.rendered.mesh import Array, Mesh, join
from scripts_mm.drawing.rendered.scene_data import Camera, Lamp, Scene
from scripts_mm.drawing.rendered.surfaces import Description, describe_material, light_of
from scripts_mm.drawing.rendered.things import build_things
from scripts_mm.script import ScriptError

_STEEP = 0.95
"""Rise of a direction above which it counts as upright."""
_DEPTH = 4
"""Bounces of a path of light."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """The light that reached the film, and what it came from, pixel by pixel."""

    light: Array
    albedo: Array
    normal: Array
    depth: Array

    def replace_window(self, part: "Exposure", window: "Window") -> "Exposure":
        """Return the exposure with another one in place of a window of it."""
        left, top, width, height = window
        rows, columns = slice(top, top + height), slice(left, left + width)

        def patch(whole: Array, piece: Array) -> Array:
            copy = whole.copy()
            copy[rows, columns] = piece
            return copy

        return Exposure(
            light=patch(self.light, part.light),
            albedo=patch(self.albedo, part.albedo),
            normal=patch(self.normal, part.normal),
            depth=patch(self.depth, part.depth),
        )


def load_mitsuba() -> Any:
    """Return Mitsuba with its variant set. Raises ScriptError where it is not installed."""
    try:
        mitsuba = import_module("mitsuba")
    except ImportError as error:
        raise ScriptError(
            "photographs are rendered by Mitsuba, which is not installed here: "
            "pip install -e '.[photos]' in the checkout"
        ) from error
    mitsuba.set_variant("scalar_rgb")
    return mitsuba


Window = tuple[int, int, int, int]
"""A part of the film: left, top, width, height in pixels."""


def render(
    scene: Scene, fonts: Fonts, size: Size, samples: int, window: Window | None = None
) -> Exposure:
    """Return the light of a scene on a film of `size`, or of a window of that film."""
    mitsuba = load_mitsuba()
    with tempfile.TemporaryDirectory() as folder:
        description = _describe(mitsuba, scene, fonts, Path(folder))
        sensor = _describe_camera(mitsuba, scene.camera, size, samples)
        if window is not None:
            names = ("crop_offset_x", "crop_offset_y", "crop_width", "crop_height")
            sensor["film"].update(zip(names, window, strict=True))
        description["sensor"] = sensor
        image = np.array(mitsuba.render(mitsuba.load_dict(description)), dtype=np.float64)
    return _split(image)


def _split(image: Array) -> Exposure:
    """Return the channels of the integrator by name: light, albedo, normal, depth."""
    light = np.nan_to_num(image[..., :3], nan=0, posinf=0, neginf=0)
    extra = np.nan_to_num(image[..., -7:], nan=0, posinf=0, neginf=0)
    return Exposure(light=light, albedo=extra[..., :3], normal=extra[..., 3:6], depth=extra[..., 6])


def _describe(mitsuba: Any, scene: Scene, fonts: Fonts, folder: Path) -> Description:
    description: Description = {
        "type": "scene",
        "integrator": {
            "type": "aov",
            "aovs": "albedo:albedo,normal:sh_normal,depth:depth",
            "light": {"type": "path", "max_depth": _DEPTH},
        },
    }
    if max(scene.sky) > 0:
        sky = {"type": "rgb", "value": list(scene.sky)}
        description["sky"] = {"type": "constant", "radiance": sky}
    for nth, lamp in enumerate(scene.lamps):
        description[f"lamp{nth}"] = _describe_lamp(mitsuba, lamp)
    description.update(_describe_bodies(mitsuba, scene, fonts, folder))
    return description


def _describe_bodies(mitsuba: Any, scene: Scene, fonts: Fonts, folder: Path) -> Description:
    bodies: Description = {}
    pictures = draw_labels(scene, fonts)
    for nth, (name, mesh) in enumerate(merge_bodies(scene).items()):
        path = folder / f"{nth}.ply"
        save_mesh(mesh, path)
        body: Description = {"type": "ply", "filename": str(path)}
        body["bsdf"] = describe_material(mitsuba, scene, name, pictures)
        material = scene.materials.get(name)
        if material is not None and material.glow:
            light = [part * material.glow for part in light_of(material.colour)]
            body["emitter"] = {"type": "area", "radiance": {"type": "rgb", "value": light}}
        bodies[f"body{nth}"] = body
    return bodies


def merge_bodies(scene: Scene) -> Mapping[str, Mesh]:
    """Return one mesh per material: the things of a scene that are made of it."""
    parts: dict[str, list[Mesh]] = defaultdict(list)
    for material, mesh in build_things(scene.things):
        parts[material].append(mesh)
    return {material: join(meshes) for material, meshes in parts.items()}


def save_mesh(mesh: Mesh, path: Path) -> None:
    """Write a mesh as a binary PLY file."""
    fields = ("x", "y", "z", "nx", "ny", "nz", "u", "v")
    head = ["ply", "format binary_little_endian 1.0", f"element vertex {len(mesh.points)}"]
    head += [f"property float {field}" for field in fields]
    head += [f"element face {len(mesh.faces)}", "property list uchar int vertex_indices"]
    rows = np.concatenate([mesh.points, mesh.normals, mesh.uv], axis=1).astype("<f4")
    faces = np.empty(len(mesh.faces), dtype=[("count", "u1"), ("points", "<i4", 3)])
    faces["count"], faces["points"] = 3, mesh.faces
    text = "\n".join([*head, "end_header", ""])
    path.write_bytes(text.encode("ascii") + rows.tobytes() + faces.tobytes())


def _describe_camera(mitsuba: Any, camera: Camera, size: Size, samples: int) -> Description:
    place = mitsuba.ScalarTransform4f().look_at(
        origin=list(camera.at), target=list(camera.aim), up=list(camera.up)
    )
    description: Description = {
        "type": "thinlens" if camera.aperture else "perspective",
        "to_world": place,
        "fov": camera.angle,
        "fov_axis": "x",
        "near_clip": 0.01,
        "film": {
            "type": "hdrfilm",
            "width": size[0],
            "height": size[1],
            "rfilter": {"type": "box"},
            "pixel_format": "rgb",
        },
        "sampler": {"type": "independent", "sample_count": samples, "seed": 0},
    }
    if camera.aperture:
        away = float(np.linalg.norm(np.subtract(camera.aim, camera.at)))
        description["aperture_radius"] = camera.aperture
        description["focus_distance"] = camera.focus or away
    return description


def _describe_lamp(mitsuba: Any, lamp: Lamp) -> Description:
    light = {"type": "rgb", "value": list(lamp.light)}
    if lamp.kind == "sun":
        return {"type": "directional", "irradiance": light, "direction": _toward(lamp.aim, lamp.at)}
    if lamp.kind == "spot":
        place = mitsuba.ScalarTransform4f().look_at(
            origin=list(lamp.at), target=list(lamp.aim), up=[0, 0, 1]
        )
        return {
            "type": "spot",
            "to_world": place,
            "intensity": light,
            "cutoff_angle": lamp.size[0],
            "beam_width": lamp.size[0] * 0.8,
        }
    emitter = {"type": "area", "radiance": light}
    if lamp.kind == "bulb":
        return {
            "type": "sphere",
            "center": list(lamp.at),
            "radius": lamp.radius,
            "emitter": emitter,
        }
    if lamp.kind != "panel":
        raise ScriptError(f"no lamp of kind {lamp.kind!r}; there are bulb, panel, spot and sun")
    up = [0, 0, 1] if abs(_toward(lamp.aim, lamp.at)[2]) < _STEEP else [0, 1, 0]
    place = mitsuba.ScalarTransform4f().look_at(
        origin=list(lamp.at), target=list(lamp.aim), up=up
    ) @ mitsuba.ScalarTransform4f().scale([lamp.size[0] / 2, lamp.size[1] / 2, 1])
    return {"type": "rectangle", "to_world": place, "emitter": emitter}


def _toward(aim: Sequence[float], at: Sequence[float]) -> list[float]:
    ahead = np.subtract(aim, at)
    return [float(part) for part in ahead / np.linalg.norm(ahead)]
