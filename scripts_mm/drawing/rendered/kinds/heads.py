"""Heads: a face, hair, a beard and what is worn on them."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from scripts_mm.drawing.rendered.kinds import Part
from scripts_mm.drawing.rendered.mesh import Mesh, Vector, make_ball, make_lathe, rotate
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.drawing.rendered.solid import Rod, make_solid

_FINE = 0.006
"""Grid of a face, in metres."""


def _ball(at: Vector, radius: float, flat: float = 1) -> Rod:
    return Rod(at, at, radius, flat=flat)


def build_head(thing: Thing, head: Vector, neck: Vector, *, prone: bool) -> Iterator[Part]:
    """Yield the parts of a head with its centre at `head`, looking to -y."""
    if prone:
        yield thing.parts["coat"], _hood_from_behind(head, neck)
        return
    low = (neck[0] - head[0], neck[1] - head[1], neck[2] - head[2])
    tilt = rotate(thing.pose.get("gaze", (0, 0, 0))[0], thing.pose.get("gaze", (0, 0, 0))[1])
    pieces: list[Part] = [(thing.parts["skin"], _face(thing))]
    pieces += [(thing.parts["eye"], one) for one in _eyes()]
    pieces.append((thing.parts.get("lips", thing.parts["skin"]), _lips()))
    for option in thing.options:
        if option in WORN:
            part, build = WORN[option]
            pieces.append((thing.parts[part], build()))
    if "bobble" in thing.options:
        pieces.append((thing.parts["bobble"], make_ball(0.04, 16).move((0, 0.02, 0.155))))
    for material, mesh in pieces:
        yield material, mesh.move(head, tilt)
    throat = make_solid([Rod((0, 0, -0.04), low, 0.052, 0.062)], 0.01, 0)
    yield thing.parts["skin"], throat.move(head)


def _face(thing: Thing) -> Mesh:
    wide = 1 + 0.06 * ((thing.seed * 7) % 5 - 2) / 2
    jaw = 0.058 + 0.004 * (thing.seed % 3)
    nose = 0.104 + 0.005 * (thing.seed % 4)
    bones = [
        _ball((0, 0.012, 0.03), 0.098 * wide),
        Rod((0, -0.03, -0.02), (0, -0.045, -0.085), 0.07 * wide, jaw * 0.72),
        Rod((-0.038, -0.072, 0.026), (0.038, -0.072, 0.026), 0.020),
        Rod((0, -0.085, 0.012), (0, -nose, -0.026), 0.010, 0.014),
        Rod((-0.014, -0.09, -0.030), (0.014, -0.09, -0.030), 0.009),
        _ball((-0.045, -0.055, -0.025), 0.032),
        _ball((0.045, -0.055, -0.025), 0.032),
        Rod((-0.018, -0.078, -0.056), (0.018, -0.078, -0.056), 0.013),
        _ball((0, -0.078, -0.088), 0.018),
        Rod((-0.096 * wide, 0.01, -0.015), (-0.1 * wide, 0.016, 0.018), 0.012, 0.018),
        Rod((0.096 * wide, 0.01, -0.015), (0.1 * wide, 0.016, 0.018), 0.012, 0.018),
        Rod((-0.034, -0.1, 0.002), (-0.034, -0.1, 0.002), 0.019, hollow=True),
        Rod((0.034, -0.1, 0.002), (0.034, -0.1, 0.002), 0.019, hollow=True),
    ]
    return make_solid(bones, _FINE, 0.022)


def _eyes() -> list[Mesh]:
    return [
        make_ball(0.0125, 14).scale((1.15, 1, 0.7)).move((side * 0.034, -0.081, -0.007))
        for side in (-1, 1)
    ]


def _lips() -> Mesh:
    return make_solid([Rod((-0.019, -0.087, -0.056), (0.019, -0.087, -0.056), 0.0055)], 0.003, 0)


def _short_hair() -> Mesh:
    bones = [
        _ball((0, 0.025, 0.048), 0.098),
        Rod((-0.06, 0.05, -0.02), (0.06, 0.05, -0.02), 0.05),
        Rod((-0.05, -0.055, 0.088), (0.05, -0.05, 0.088), 0.022),
        Rod((-0.088, 0.0, 0.0), (-0.088, 0.0, 0.05), 0.016, 0.022),
        Rod((0.088, 0.0, 0.0), (0.088, 0.0, 0.05), 0.016, 0.022),
    ]
    return make_solid(bones, _FINE, 0.03, 0.004, 2)


def _long_hair() -> Mesh:
    bones = [
        _ball((0, 0.024, 0.05), 0.103),
        Rod((-0.05, -0.058, 0.085), (0.05, -0.058, 0.085), 0.02),
        Rod((-0.088, 0.01, 0.04), (-0.095, 0.03, -0.14), 0.03, 0.036),
        Rod((0.088, 0.01, 0.04), (0.095, 0.03, -0.14), 0.03, 0.036),
        Rod((0, 0.07, 0), (0, 0.075, -0.16), 0.07, 0.06),
    ]
    return make_solid(bones, _FINE, 0.03, 0.005, 4)


def _bun() -> Mesh:
    bones = [
        _ball((0, 0.024, 0.046), 0.101),
        Rod((-0.05, -0.055, 0.086), (0.05, -0.055, 0.086), 0.02),
        Rod((-0.088, 0.0, 0.0), (-0.086, 0.0, 0.05), 0.014, 0.022),
        Rod((0.088, 0.0, 0.0), (0.086, 0.0, 0.05), 0.014, 0.022),
        _ball((0, 0.075, 0.14), 0.052),
    ]
    return make_solid(bones, _FINE, 0.022, 0.003, 6)


def _plait() -> Mesh:
    bones = [
        _ball((0, 0.024, 0.046), 0.101),
        Rod((-0.05, -0.055, 0.086), (0.05, -0.055, 0.086), 0.02),
        Rod((-0.088, 0.0, -0.02), (-0.086, 0.0, 0.05), 0.016, 0.022),
        Rod((0.088, 0.0, -0.02), (0.086, 0.0, 0.05), 0.016, 0.022),
        *(
            _ball((0.1 + 0.008 * nth, -0.01 - 0.012 * nth, -0.05 - 0.045 * nth), 0.03)
            for nth in range(6)
        ),
    ]
    return make_solid(bones, _FINE, 0.016, 0.003, 7)


def _beard() -> Mesh:
    bones = [
        Rod((-0.07, -0.03, -0.05), (-0.03, -0.075, -0.1), 0.026, 0.035),
        Rod((0.07, -0.03, -0.05), (0.03, -0.075, -0.1), 0.026, 0.035),
        Rod((0, -0.075, -0.095), (0, -0.07, -0.16), 0.045, 0.028),
        Rod((-0.03, -0.092, -0.045), (0.03, -0.092, -0.045), 0.011),
    ]
    return make_solid(bones, _FINE, 0.02, 0.004, 8)


def _cap() -> Mesh:
    bones = [
        _ball((0, 0.02, 0.085), 0.105, 1.0),
        Rod((-0.05, -0.10, 0.085), (0.05, -0.10, 0.085), 0.02),
        Rod((-0.03, -0.125, 0.075), (0.03, -0.125, 0.075), 0.012),
    ]
    return make_solid(bones, _FINE, 0.03).scale((1.1, 1.12, 0.86)).move((0, 0, 0.012))


def _broad_hat() -> Mesh:
    profile = (
        (0.2, 0.062),
        (0.14, 0.05),
        (0.105, 0.052),
        (0.1, 0.12),
        (0.085, 0.165),
        (0.03, 0.17),
        (0, 0.165),
    )
    return make_lathe(profile).scale((0.95, 1.1, 1)).move((0, 0.015, 0.02))


def _knit_hat() -> Mesh:
    profile = (
        (0.112, 0.035),
        (0.118, 0.05),
        (0.118, 0.075),
        (0.111, 0.08),
        (0.108, 0.12),
        (0.085, 0.165),
        (0.04, 0.185),
        (0, 0.188),
    )
    return make_lathe(profile).move((0, 0.015, -0.002))


def _scarf() -> Mesh:
    bones = [
        _ball((0, 0.03, 0.05), 0.107),
        Rod((-0.09, -0.02, 0.03), (-0.045, -0.06, -0.105), 0.03, 0.022),
        Rod((0.09, -0.02, 0.03), (0.045, -0.06, -0.105), 0.03, 0.022),
        Rod((0, 0.07, -0.02), (0, 0.09, -0.13), 0.07, 0.05),
        Rod((-0.05, -0.058, 0.09), (0.05, -0.058, 0.09), 0.022),
        _ball((0, -0.07, -0.125), 0.03),
    ]
    return make_solid(bones, _FINE, 0.025, 0.003, 9)


def _bald_ring() -> Mesh:
    bones = [
        Rod((-0.085, 0.02, 0.0), (-0.06, 0.08, 0.0), 0.028),
        Rod((0.085, 0.02, 0.0), (0.06, 0.08, 0.0), 0.028),
        Rod((-0.06, 0.08, 0.0), (0.06, 0.08, 0.0), 0.034),
    ]
    return make_solid(bones, _FINE, 0.02, 0.004, 3)


def _hood() -> Mesh:
    bones = [
        _ball((0, 0.035, 0.03), 0.125),
        Rod((0, 0.03, 0), (0, 0.04, -0.12), 0.12, 0.1),
        Rod((0, -0.11, 0.0), (0, -0.11, -0.03), 0.085, hollow=True),
    ]
    return make_solid(bones, 0.008, 0.03, 0.003, 5)


def _hood_from_behind(head: Vector, neck: Vector) -> Mesh:
    bones = [Rod(neck, head, 0.11, 0.13), _ball((head[0], head[1] + 0.03, head[2]), 0.13)]
    return make_solid(bones, 0.012, 0.05, 0.006, 3)


Worn = tuple[str, Callable[[], Mesh]]
"""The part whose material it has, and the function that builds it around a head's centre."""
WORN: Mapping[str, Worn] = MappingProxyType(
    {
        "short-hair": ("hair", _short_hair),
        "long-hair": ("hair", _long_hair),
        "bun": ("hair", _bun),
        "plait": ("hair", _plait),
        "bald": ("hair", _bald_ring),
        "beard": ("beard", _beard),
        "cap": ("hat", _cap),
        "broad-hat": ("hat", _broad_hat),
        "knit-hat": ("hat", _knit_hat),
        "scarf": ("hat", _scarf),
        "hood": ("coat", _hood),
    }
)
"""Hair and hats by the option that selects them."""
