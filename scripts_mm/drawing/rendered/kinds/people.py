"""People: a skeleton in a posture, dressed in soft solids.

A figure faces -y and is about 1.75 m tall; its own left is at +x. Joints of the left side start
with `l-`, those of the right with `r-`. `pose` moves joints, `parts` names the materials.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.kinds.heads import build_head
from scripts_mm.drawing.rendered.mesh import Mesh, Vector, make_ball, make_tube
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.drawing.rendered.solid import Rod, make_solid

Joints = Mapping[str, Vector]
_CELL = 0.015
"""Grid of clothes, in metres."""


def _both(joints: Joints) -> dict[str, Vector]:
    """Return joints with every one of the left side repeated on the right."""
    mirrored = {
        f"r{name[1:]}": (-x, y, z) for name, (x, y, z) in joints.items() if name.startswith("l-")
    }
    return {**mirrored, **joints}


_STANDING = _both(
    {
        "hip": (0, 0, 0.95), "waist": (0, 0.01, 1.12), "chest": (0, 0, 1.32),
        "neck": (0, 0.01, 1.46), "head": (0, -0.015, 1.63), "l-shoulder": (0.17, 0.01, 1.40),
        "l-elbow": (0.245, 0.03, 1.13),
        "l-hand": (0.25, -0.06, 0.88), "l-hip": (0.085, 0, 0.92), "l-knee": (0.095, -0.02, 0.5),
        "l-foot": (0.105, 0.02, 0.07), "l-toe": (0.125, -0.15, 0.045),
    }
)  # fmt: skip
_SITTING = _both(
    {
        "hip": (0, 0, 0.5), "waist": (0, 0.02, 0.67), "chest": (0, 0, 0.87), "neck": (0, 0, 1.01),
        "head": (0, -0.025, 1.18), "l-shoulder": (0.165, 0.01, 0.95), "l-elbow": (0.235, 0, 0.69),
        "l-hand": (0.1, -0.28, 0.58), "l-hip": (0.085, -0.02, 0.48), "l-knee": (0.1, -0.42, 0.5),
        "l-foot": (0.1, -0.4, 0.07), "l-toe": (0.11, -0.56, 0.045),
    }
)  # fmt: skip
_KNEELING = _both(
    {
        "hip": (0, 0.12, 0.36), "waist": (0, 0.06, 0.52), "chest": (0, -0.06, 0.70),
        "neck": (0, -0.13, 0.82), "head": (0, -0.21, 0.97), "l-shoulder": (0.165, -0.10, 0.78),
        "l-elbow": (0.2, -0.28, 0.56), "l-hand": (0.1, -0.45, 0.42), "l-hip": (0.09, 0.12, 0.34),
        "l-knee": (0.11, -0.24, 0.09), "l-foot": (0.1, 0.2, 0.07), "l-toe": (0.1, 0.34, 0.04),
    }
)  # fmt: skip
_PRONE = _both(
    {
        "hip": (0, 0.95, 0.13), "waist": (0, 1.12, 0.14), "chest": (0, 1.32, 0.15),
        "neck": (0, 1.47, 0.14), "head": (0, 1.63, 0.13), "l-shoulder": (0.19, 1.40, 0.13),
        "l-elbow": (0.29, 1.13, 0.09), "l-hand": (0.33, 0.86, 0.07), "l-hip": (0.1, 0.92, 0.12),
        "l-knee": (0.14, 0.5, 0.10), "l-foot": (0.17, 0.1, 0.09), "l-toe": (0.22, -0.06, 0.05),
    }
)  # fmt: skip
POSTURES: Mapping[str, Joints] = MappingProxyType(
    {"standing": _STANDING, "sitting": _SITTING, "kneeling": _KNEELING, "prone": _PRONE}
)
"""The joints of each posture by the option that selects it."""


def _figure(thing: Thing) -> Iterator[Part]:
    """Build a person; the posture, hair, hat and clothes are options."""
    posture = next((name for name in thing.options if name in POSTURES), "standing")
    joints = {**POSTURES[posture], **thing.pose}
    prone = posture == "prone"
    yield thing.parts["coat"], _coat(thing, joints, prone)
    if "skirt" in thing.options:
        yield thing.parts["legs"], _skirt(joints)
    else:
        yield thing.parts["legs"], _legs(joints)
    for side in "lr":
        yield thing.parts["boots"], _boot(joints, side)
        yield thing.parts.get("gloves", thing.parts["skin"]), _hand(thing, joints, side)
    yield from build_head(thing, joints["head"], joints["neck"], prone=prone)
    if "apron" in thing.options:
        yield thing.parts["apron"], _apron(joints)


def _coat(thing: Thing, joints: Joints, prone: bool) -> Mesh:
    stout = 1 + thing.amount
    flat = 1.0 if prone else 0.66
    bones = [
        Rod(joints["hip"], joints["waist"], 0.175 * stout, 0.16 * stout, flat=flat),
        Rod(joints["waist"], joints["chest"], 0.16 * stout, 0.185 * stout, flat=flat),
        Rod(joints["chest"], joints["neck"], 0.15 * stout, 0.07, flat=flat),
    ]
    if prone:
        bones = [Rod(bone.start, bone.end, bone.radius * 0.8, bone.other * 0.8) for bone in bones]
        bones += [
            Rod(_beside(joints["hip"], side), _beside(joints["chest"], side), 0.1, 0.105)
            for side in (-0.09, 0.09)
        ]
    if "long" in thing.options:
        knees = _middle(joints["l-knee"], joints["r-knee"])
        hem = (knees[0], knees[1] + 0.02, knees[2] + 0.02)
        bones.append(Rod(joints["hip"], hem, 0.18 * stout, 0.24, flat=flat))
    for side in "lr":
        shoulder, elbow, hand = (joints[f"{side}-{part}"] for part in ("shoulder", "elbow", "hand"))
        wrist = _toward(elbow, hand, 0.86)
        bones += [
            Rod(joints["neck"], shoulder, 0.06, 0.078),
            Rod(shoulder, elbow, 0.078, 0.062),
            Rod(elbow, wrist, 0.062, 0.05),
        ]
    return make_solid(bones, _CELL, 0.05, 0.006, thing.seed)


def _legs(joints: Joints) -> Mesh:
    bones: list[Rod] = []
    for side in "lr":
        hip, knee, foot = (joints[f"{side}-{part}"] for part in ("hip", "knee", "foot"))
        bones += [
            Rod(joints["hip"], hip, 0.12, 0.105),
            Rod(hip, knee, 0.105, 0.078),
            Rod(knee, foot, 0.078, 0.062),
        ]
    return make_solid(bones, _CELL, 0.035, 0.005, 3)


def _skirt(joints: Joints) -> Mesh:
    knees = _middle(joints["l-knee"], joints["r-knee"])
    feet = _middle(joints["l-foot"], joints["r-foot"])
    hem = (feet[0], feet[1], feet[2] + 0.16)
    bones = [
        Rod(joints["hip"], knees, 0.17, 0.18, flat=0.75),
        Rod(knees, hem, 0.18, 0.19, flat=0.75),
    ]
    return make_solid(bones, _CELL, 0.05, 0.010, 5)


def _boot(joints: Joints, side: str) -> Mesh:
    foot, toe = joints[f"{side}-foot"], joints[f"{side}-toe"]
    ankle = _toward(foot, joints[f"{side}-knee"], 0.22)
    bones = [Rod(ankle, foot, 0.066, 0.062), Rod(foot, toe, 0.06, 0.05)]
    return make_solid(bones, 0.012, 0.03)


def _hand(thing: Thing, joints: Joints, side: str) -> Mesh:
    elbow, hand = joints[f"{side}-elbow"], joints[f"{side}-hand"]
    wrist, tip = _toward(elbow, hand, 0.84), _toward(elbow, hand, 1.28)
    if "gloves" in thing.parts:
        thumb = (hand[0] + (0.06 if side == "r" else -0.06), hand[1] - 0.02, hand[2])
        bones = [
            Rod(wrist, hand, 0.055, 0.062),
            Rod(hand, tip, 0.062, 0.05),
            Rod(hand, thumb, 0.03),
        ]
        return make_solid(bones, 0.01, 0.03, 0.003, 8)
    thumb = (hand[0] + (0.03 if side == "r" else -0.03), hand[1] - 0.025, hand[2] - 0.01)
    bones = [
        Rod(wrist, hand, 0.03, 0.036),
        Rod(hand, tip, 0.036, 0.02),
        Rod(hand, thumb, 0.014),
    ]
    return make_solid(bones, 0.007, 0.02)


def _apron(joints: Joints) -> Mesh:
    """Return the front of a skirt and a bib, a little before the clothes under it."""
    knees = _middle(joints["l-knee"], joints["r-knee"])
    feet = _middle(joints["l-foot"], joints["r-foot"])
    bib, lap, hem = (
        (x, y - 0.055, z + 0.03)
        for x, y, z in (joints["waist"], joints["hip"], _toward(knees, feet, 0.4))
    )
    front = (knees[0], knees[1] - 0.05, knees[2] + 0.03)
    bones = [
        Rod(bib, lap, 0.11, 0.15, flat=0.75),
        Rod(lap, front, 0.15, 0.165, flat=0.75),
        Rod(front, hem, 0.165, 0.165, flat=0.75),
    ]
    return make_solid(bones, 0.012, 0.03, 0.004, 6)


def _beside(point: Vector, step: float) -> Vector:
    return (point[0] + step, point[1], point[2])


def _middle(one: Vector, two: Vector) -> Vector:
    return ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2, (one[2] + two[2]) / 2)


def _toward(one: Vector, two: Vector, share: float) -> Vector:
    x, y, z = (a + (b - a) * share for a, b in zip(one, two, strict=True))
    return (x, y, z)


def _ghost(thing: Thing) -> Iterator[Part]:
    """Build a person below a long veil, its left arm stretched out at shoulder height."""
    arm = thing.pose.get("l-hand", (0.62, -0.05, 1.22))
    bones = [
        Rod((0, 0, 1.66), (0, 0, 1.5), 0.115, 0.1),
        Rod((0, 0, 1.5), (0, 0, 1.3), 0.1, 0.2, flat=0.75),
        Rod((0, 0, 1.3), (0, 0, 0.7), 0.2, 0.25, flat=0.8),
        Rod((0, 0, 0.7), (0, 0, 0.05), 0.25, 0.4, flat=0.8),
        Rod((0.1, 0, 1.4), arm, 0.085, 0.06),
        Rod(arm, (arm[0] - 0.05, arm[1], arm[2] - 0.26), 0.05, 0.05),
        Rod((-0.16, 0, 1.36), (-0.27, 0, 0.95), 0.085, 0.08),
    ]
    yield thing.material, make_solid(bones, 0.017, 0.09, 0.016, thing.seed)
    yield (
        thing.parts["skin"],
        make_solid([Rod(arm, (arm[0] + 0.07, arm[1] - 0.01, arm[2] - 0.01), 0.035)], 0.008, 0.02),
    )
    hollow = [
        Rod((0.04 * side, -0.108, 1.67), (0.04 * side, -0.108, 1.655), 0.02) for side in (-1, 1)
    ]
    for bone in hollow:
        yield thing.other, make_solid([bone], 0.006, 0)


def _shoulders(thing: Thing) -> Iterator[Part]:
    """Build a spectator's head and shoulders from behind."""
    body = [Rod((-0.2, 0, 0.1), (0.2, 0, 0.1), 0.11), Rod((0, 0, 0.1), (0, 0, 0.26), 0.07)]
    yield thing.material, make_solid(body, 0.02, 0.08)
    head = [Rod((0, 0, 0.36), (0, 0, 0.42), 0.095, 0.1)]
    yield thing.other, make_solid(head, 0.014, 0)


def _chain(thing: Thing) -> Iterator[Part]:
    """Build a necklace along a path that goes round a neck."""
    yield thing.material, make_tube(thing.path, thing.radius, 8)


def _seal(thing: Thing) -> Iterator[Part]:
    """Build a swimming seal about 1.1 m long, its head up at -y."""
    body = [
        Rod((0, -0.4, 0.2), (0, -0.34, 0.1), 0.085, 0.11),
        Rod((0, -0.34, 0.1), (0, 0.0, 0.02), 0.12, 0.16),
        Rod((0, 0.0, 0.02), (0, 0.5, 0.0), 0.16, 0.06),
        Rod((0, -0.48, 0.18), (0, -0.5, 0.17), 0.045),
    ]
    yield thing.material, make_solid(body, 0.016, 0.05).scale(thing.size)
    for side in (-1, 1):
        fin = [Rod((side * 0.03, 0.5, 0), (side * 0.1, 0.68, 0.02), 0.035, 0.05, flat=1)]
        yield thing.material, make_solid(fin, 0.012, 0.02).scale(thing.size)
        flipper = [Rod((side * 0.14, -0.1, 0), (side * 0.26, 0.06, -0.03), 0.045, 0.03)]
        yield thing.material, make_solid(flipper, 0.012, 0.02).scale(thing.size)
        eye = make_ball(0.018, 12).move((side * 0.055, -0.455, 0.2)).scale(thing.size)
        yield "eye", eye
    nose = make_ball(0.02, 12).move((0, -0.545, 0.155)).scale(thing.size)
    yield "black", nose


PEOPLE: Mapping[str, Builder] = MappingProxyType(
    {"figure": _figure, "ghost": _ghost, "seal": _seal, "shoulders": _shoulders, "chain": _chain}
)
"""People by the name that scenes use."""
