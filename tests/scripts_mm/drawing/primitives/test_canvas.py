"""Lines of the supersampled canvas."""

from scripts_mm.drawing.primitives.canvas import round_corners


def test_a_corner_is_cut_at_a_quarter_of_its_sides_and_the_ends_stay() -> None:
    corner = ((0.0, 0.0), (4.0, 0.0), (4.0, 8.0))
    assert round_corners(corner, 0) == [*corner]
    assert round_corners(corner, 1) == [(0, 0), (1, 0), (3, 0), (4, 2), (4, 6), (4, 8)]
    assert len(round_corners(corner, 3)) == 24
