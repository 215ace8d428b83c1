"""Printed figures are rounded half up on the decimal value."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.rounding import exact_mean, round_half_up


@pytest.mark.parametrize(
    ("value", "places", "wanted"),
    [
        (16.25, 1, 16.3),
        (21.35, 1, 21.4),
        (2.675, 2, 2.68),
        (1.005, 2, 1.01),
        (-16.25, 1, -16.3),
        (0.5, 0, 1.0),
        (1e-07, 3, 0.0),
        (1e22, 1, 1e22),
        (7, 2, 7.0),
        (Fraction(1, 8), 2, 0.13),
    ],
)
def test_a_half_goes_away_from_zero(value: float | Fraction, places: int, wanted: float) -> None:
    assert round_half_up(value, places) == wanted


def test_a_mean_of_printed_cells_has_no_binary_error() -> None:
    assert exact_mean([0.1, 0.2]) == Fraction(15, 100)
    assert exact_mean([]) is None


@given(value=st.floats(-1e6, 1e6), places=st.integers(0, 6))
def test_a_rounded_value_is_near_and_stays_as_it_is(value: float, places: int) -> None:
    rounded = round_half_up(value, places)
    assert abs(rounded - value) <= 0.5 * 10**-places * (1 + 1e-9)
    assert round_half_up(rounded, places) == rounded
