"""The bones of a shoulder and of a hand as outlines on a film of width 1 and height 1."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scripts_mm.drawing.primitives.paper import Point

_STEPS = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Bone:
    """A bone: its outlines, its absorption, its rim and its cracks."""

    outlines: tuple[tuple[Point, ...], ...]
    grey: int = 86
    rim: float = 0.011
    """Thickness as a share of the film's width."""
    crack: tuple[Point, ...] = ()


def bones_of(part: str, broken: Sequence[str]) -> tuple[Bone, ...]:
    """Return the bones of a right `shoulder` or `hand`; those named in `broken` are broken."""
    return _shoulder_bones(broken) if part == "shoulder" else _hand_bones(broken)


def flesh_of(part: str) -> tuple[tuple[tuple[Point, ...], int], ...]:
    """Return the soft parts: outlines and the grey that each adds."""
    if part == "hand":
        return (_PALM, 44), *((_limb(path, 0.062, 0.05), 38) for path in _FINGERS.values())
    return (_CHEST, 40), (_ARM, 34), (_NECK, 22)


def _limb(path: Sequence[Point], start: float, end: float, waist: float = 1.0) -> tuple[Point, ...]:
    """Return a rod along `path` with widths at `start` and `end`; `waist`: share in the middle."""
    left: list[Point] = []
    right: list[Point] = []
    points = _smooth(path)
    last = len(points) - 1
    for nth, (x, y) in enumerate(points):
        before, after = points[max(0, nth - 1)], points[min(last, nth + 1)]
        turn = math.atan2(after[1] - before[1], after[0] - before[0])
        share = nth / last
        wide = (start + (end - start) * share) / 2
        wide *= waist + (1 - waist) * abs(2 * share - 1) ** 1.6
        left.append((x - math.sin(turn) * wide, y + math.cos(turn) * wide))
        right.append((x + math.sin(turn) * wide, y - math.cos(turn) * wide))
    return (*left, *reversed(right))


def _round_limb(
    path: Sequence[Point], start: float, end: float, waist: float = 1.0
) -> tuple[tuple[Point, ...], ...]:
    """Return a limb with rounded ends."""
    knobs = (
        _ellipse_outline(path[0], start / 2, start / 2.6),
        _ellipse_outline(path[-1], end / 2, end / 2.6),
    )
    return (_limb(path, start, end, waist), *knobs)


def _splinter_end(limb: tuple[Point, ...], far: bool) -> tuple[Point, ...]:
    """Return a limb with a splintered far or near end."""
    half = len(limb) // 2
    one, other = (limb[half - 1], limb[half]) if far else (limb[-1], limb[0])
    x, y = other[0] - one[0], other[1] - one[1]
    out = (-y * 0.5, x * 0.5) if far else (y * 0.5, -x * 0.5)
    jags = tuple(
        (one[0] + x * share + out[0] * long, one[1] + y * share + out[1] * long)
        for share, long in ((0.18, 0.7), (0.34, -0.5), (0.55, 1.0), (0.72, -0.2), (0.86, 0.5))
    )
    return (*limb[:half], *jags, *limb[half:]) if far else (*limb, *jags)


def _smooth(path: Sequence[Point]) -> list[Point]:
    """Return a curve through the points (Catmull and Rom 1974)."""
    points = [path[0], *path, path[-1]]
    found: list[Point] = []
    for nth in range(1, len(points) - 2):
        a, b, c, d = points[nth - 1 : nth + 3]
        for step in range(_STEPS):
            t = step / _STEPS
            found.append((_curve(a[0], b[0], c[0], d[0], t), _curve(a[1], b[1], c[1], d[1], t)))
    return [*found, path[-1]]


def _curve(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )


def _ellipse_outline(at: Point, wide: float, tall: float, turn: float = 0.0) -> tuple[Point, ...]:
    angle = math.radians(turn)
    points: list[Point] = []
    for nth in range(36):
        x = wide * math.cos(nth / 18 * math.pi)
        y = tall * math.sin(nth / 18 * math.pi)
        points.append(
            (
                at[0] + x * math.cos(angle) - y * math.sin(angle),
                at[1] + x * math.sin(angle) + y * math.cos(angle),
            )
        )
    return tuple(points)


_CHEST = (
    (0.30, 0.34), (0.52, 0.22), (0.74, 0.12), (1.02, 0.05), (1.02, 1.02),
    (0.36, 1.02), (0.33, 0.62),
)  # fmt: skip
_ARM = (
    (0.34, 0.28), (0.18, 0.32), (0.10, 0.46), (0.07, 0.72), (0.06, 1.02),
    (0.31, 1.02), (0.36, 0.62),
)  # fmt: skip
_NECK = ((0.80, -0.02), (1.02, -0.02), (1.02, 0.3), (0.78, 0.2))


def _shoulder_bones(broken: Sequence[str]) -> tuple[Bone, ...]:
    ribs = tuple(
        Bone(
            outlines=(_limb(
                ((0.93, 0.20 + nth * 0.125), (0.74, 0.17 + nth * 0.125), (0.57, 0.25 + nth * 0.128),
                 (0.49 - nth * 0.004, 0.40 + nth * 0.13)),
                0.036, 0.034,
            ),),
            grey=30, rim=0.006,
        )
        for nth in range(6)
    )  # fmt: skip
    spine = tuple(
        Bone(
            outlines=(_ellipse_outline((0.985, 0.06 + nth * 0.115), 0.062, 0.045),),
            grey=44,
            rim=0.008,
        )
        for nth in range(9)
    )
    blade = Bone(
        outlines=((
            (0.335, 0.365), (0.40, 0.345), (0.52, 0.33), (0.63, 0.325),
            (0.645, 0.40), (0.615, 0.54), (0.555, 0.70), (0.51, 0.765), (0.475, 0.70),
            (0.405, 0.55), (0.365, 0.48), (0.335, 0.47),
        ),),
        grey=40, rim=0.009,
    )  # fmt: skip
    ridge = ((0.62, 0.40), (0.48, 0.35), (0.34, 0.285), (0.265, 0.275))
    spike = Bone(outlines=_round_limb(ridge, 0.03, 0.05), grey=46)
    beak = Bone(outlines=(_ellipse_outline((0.415, 0.385), 0.034, 0.024, 30),), grey=52)
    return (*spine, *ribs, blade, spike, beak, *_arm_bones(broken), *_collar_bones(broken))


def _arm_bones(broken: Sequence[str]) -> tuple[Bone, ...]:
    shaft = ((0.262, 0.42), (0.225, 0.56), (0.195, 0.76), (0.178, 1.03))
    crack = ((0.13, 0.70), (0.19, 0.73), (0.21, 0.71), (0.27, 0.75)) if "humerus" in broken else ()
    outlines = (_limb(shaft, 0.118, 0.088, 0.84), _ellipse_outline((0.283, 0.385), 0.077, 0.073))
    return (Bone(outlines=outlines, grey=70, rim=0.014, crack=crack),)


def _collar_bones(broken: Sequence[str]) -> tuple[Bone, ...]:
    whole = ((0.90, 0.255), (0.78, 0.235), (0.63, 0.225), (0.48, 0.245), (0.35, 0.262))
    if "clavicle" not in broken:
        return (Bone(outlines=_round_limb(whole, 0.062, 0.05, 0.72), grey=92),)
    # the muscle pulls the inner piece up, the arm's weight the outer one down
    inner = _round_limb(
        ((0.90, 0.258), (0.80, 0.226), (0.70, 0.187), (0.605, 0.152)), 0.062, 0.036, 0.92
    )
    outer = _round_limb(
        ((0.655, 0.262), (0.56, 0.270), (0.45, 0.274), (0.35, 0.276)), 0.036, 0.05, 0.95
    )
    splinter = _limb(((0.628, 0.208), (0.592, 0.226)), 0.010, 0.018)
    return (
        Bone(outlines=(_splinter_end(inner[0], far=True), inner[1]), grey=92),
        Bone(outlines=(_splinter_end(outer[0], far=False), outer[2]), grey=92),
        Bone(outlines=(splinter,), grey=100, rim=0.007),
    )


_PALM = (
    (0.26, 0.50), (0.38, 0.40), (0.62, 0.38), (0.76, 0.46), (0.74, 0.72), (0.68, 1.02),
    (0.36, 1.02), (0.30, 0.76), (0.14, 0.60),
)  # fmt: skip
_FINGERS: dict[str, tuple[Point, ...]] = {
    "thumb": ((0.35, 0.70), (0.245, 0.575), (0.17, 0.475), (0.125, 0.395)),
    "index": ((0.42, 0.68), (0.365, 0.44), (0.325, 0.27), (0.30, 0.165), (0.285, 0.09)),
    "middle": ((0.49, 0.67), (0.475, 0.42), (0.462, 0.235), (0.455, 0.125), (0.452, 0.045)),
    "ring": ((0.56, 0.68), (0.59, 0.44), (0.605, 0.27), (0.615, 0.165), (0.622, 0.09)),
    "little": ((0.62, 0.70), (0.69, 0.49), (0.735, 0.36), (0.765, 0.28), (0.785, 0.22)),
}
"""Every finger as a path through its joints, from the wrist to the tip."""


def _hand_bones(broken: Sequence[str]) -> tuple[Bone, ...]:
    found: list[Bone] = []
    for name, joints in _FINGERS.items():
        for nth in range(len(joints) - 1):
            (x, y), (far_x, far_y) = joints[nth], joints[nth + 1]
            near = (x + (far_x - x) * 0.11, y + (far_y - y) * 0.11)
            far = (x + (far_x - x) * 0.91, y + (far_y - y) * 0.91)
            middle = ((x + far_x) / 2, (y + far_y) / 2)
            crack = _break_line(near, far) if name in broken and nth == 1 else ()
            wide = 0.056 - nth * 0.007
            outlines = _round_limb((near, middle, far), wide, wide * 0.86, 0.62)
            found.append(Bone(outlines=outlines, grey=84, rim=0.009, crack=crack))
    for nth, at in enumerate(_WRIST):
        found.append(
            Bone(outlines=(_ellipse_outline(at, 0.043, 0.033, nth * 35),), grey=60, rim=0.008)
        )
    radius = ((0.43, 0.875), (0.42, 0.94), (0.42, 1.03))
    crack = _break_line((0.425, 0.90), (0.42, 1.0)) if "radius" in broken else ()
    found.append(Bone(outlines=_round_limb(radius, 0.135, 0.085), grey=76, rim=0.012, crack=crack))
    ulna = ((0.575, 0.86), (0.58, 0.94), (0.58, 1.03))
    found.append(Bone(outlines=_round_limb(ulna, 0.075, 0.06), grey=76))
    return tuple(found)


def _break_line(near: Point, far: Point) -> tuple[Point, ...]:
    """Return a jagged line across the middle of a bone."""
    x, y = (near[0] + far[0]) / 2, (near[1] + far[1]) / 2
    return ((x - 0.07, y - 0.012), (x - 0.012, y + 0.014), (x + 0.012, y - 0.006),
            (x + 0.07, y + 0.02))  # fmt: skip


_WRIST: tuple[Point, ...] = (
    (0.40, 0.735), (0.47, 0.72), (0.53, 0.725), (0.595, 0.745),
    (0.42, 0.795), (0.49, 0.79), (0.565, 0.80),
)  # fmt: skip
