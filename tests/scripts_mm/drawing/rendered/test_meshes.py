"""Bodies of the scenes: closed, the right way round, as large as asked."""

from collections import Counter

import numpy as np
import pytest

from scripts_mm.drawing.rendered.mesh import (
    Mesh,
    make_ball,
    make_box,
    make_lathe,
    make_panel,
    make_tube,
    rotate,
)
from scripts_mm.drawing.rendered.outlines import make_plate
from scripts_mm.drawing.rendered.solid import Rod, make_solid

L_SHAPE = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
BODIES = {
    "box": (make_box((1, 2, 3)), 6.0),
    "ball": (make_ball(0.5, 60), 4 / 3 * np.pi * 0.125),
    "rod": (make_tube(((0, 0, 0), (0, 0, 2)), 0.5, 60), np.pi * 0.5),
    "tapered rod": (make_tube(((0, 0, 0), (1, 0, 0)), (0.3, 0.1), 60), np.pi * 0.13 / 3),
    "plate": (make_plate(L_SHAPE, 0.5), 1.5),
    "plate the other way round": (make_plate(L_SHAPE[::-1], 0.5), 1.5),
    "solid": (make_solid([Rod((0, 0, 0), (0, 0, 0), 0.5)], 0.03, 0), 4 / 3 * np.pi * 0.125),
}


def volume(mesh: Mesh) -> float:
    """Return the signed volume inside the triangles; negative if they are seen from inside."""
    one, two, three = (mesh.points[mesh.faces[:, nth]] for nth in range(3))
    return float(np.sum(one * np.cross(two, three)) / 6)


def open_edges(mesh: Mesh) -> int:
    """Return how many edges have not exactly one triangle at each side."""
    _, number = np.unique(mesh.points.round(7) + 0.0, axis=0, return_inverse=True)
    edges: Counter[tuple[int, int]] = Counter()
    for one, two, three in number.reshape(-1)[mesh.faces].tolist():
        if len({one, two, three}) == 3:
            edges.update([(one, two), (two, three), (three, one)])
    return sum(edges[one, two] != edges[two, one] for one, two in edges)


@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_closed_and_encloses_its_volume(name: str) -> None:
    mesh, wanted = BODIES[name]
    assert open_edges(mesh) == 0
    assert volume(mesh) == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize("name", BODIES)
def test_normals_have_length_1_and_point_outward(name: str) -> None:
    mesh = BODIES[name][0]
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1, abs=1e-6)
    one, two, three = (mesh.points[mesh.faces[:, nth]] for nth in range(3))
    flat = np.cross(two - one, three - one)
    mean = sum(mesh.normals[mesh.faces[:, nth]] for nth in range(3))
    assert np.all(np.sum(flat * mean, axis=1) >= -1e-9)


def test_a_box_keeps_its_size_and_stands_on_the_ground() -> None:
    points = make_box((1, 2, 3), 0.1).points
    assert points.min(axis=0) == pytest.approx((-0.5, -1, 0))
    assert points.max(axis=0) == pytest.approx((0.5, 1, 3))


def test_a_sharp_corner_of_a_profile_keeps_two_normals_and_a_round_one_shares_them() -> None:
    sharp = make_lathe(((1, 0), (1, 1), (0, 1)), 8)
    at_rim = sharp.normals[np.isclose(sharp.points[:, 2], 1) & np.isclose(sharp.points[:, 0], 1)]
    assert len({tuple(normal.round(3)) for normal in at_rim}) == 2
    round_body = make_lathe(((1, 0), (1.02, 0.5), (1, 1)), 8)
    middle = np.isclose(round_body.points[:, 2], 0.5) & np.isclose(round_body.points[:, 0], 1.02)
    assert len({tuple(normal.round(3)) for normal in round_body.normals[middle]}) == 1


def test_turns_go_counter_clockwise_from_above_and_a_tilted_panel_faces_up() -> None:
    assert rotate(turn=90) @ (1, 0, 0) == pytest.approx((0, 1, 0))
    panel = make_panel(1, 1)
    assert panel.normals[0] == pytest.approx((0, -1, 0))
    assert panel.move((0, 0, 0), rotate(tilt=-90)).normals[0] == pytest.approx((0, 0, 1))


def test_bones_melt_together_and_a_hollow_one_cuts_out() -> None:
    two = [Rod((-0.4, 0, 0), (-0.4, 0, 0), 0.3), Rod((0.4, 0, 0), (0.4, 0, 0), 0.3)]
    apart = volume(make_solid(two, 0.03, 0))
    assert volume(make_solid(two, 0.03, 0.6)) > apart * 1.02
    bite = Rod((0.4, 0, 0.3), (0.4, 0, 0.3), 0.2, hollow=True)
    assert volume(make_solid([*two, bite], 0.03, 0.01)) < apart * 0.97
