"""Times of day are read in digits and in words, within a half day."""

import pytest

from arena.players.script_text.clock_times import read_times


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("At 20:15 he called.", [8 * 60 + 15]),
        ("From 0:05 to 12:50", [5, 50]),
        ("He came at half past eight.", [8 * 60 + 30]),
        ("A quarter to seven it was.", [6 * 60 + 45]),
        ("At nine the clock played, until twelve.", [9 * 60, 0]),
        ("At two years of age, at one stroke.", []),
        ("六点二十七分，你上了船。", [6 * 60 + 27]),
        ("八点零三分", [8 * 60 + 3]),
        ("八点半，十一点三刻", [8 * 60 + 30, 11 * 60 + 45]),
        ("十二点钟，两点", [0, 2 * 60]),
        ("一点也没有，一点儿。", []),
        ("23：50", [11 * 60 + 50]),
    ],
)
def test_a_time_is_read(text: str, minutes: list[int]) -> None:
    assert [*read_times(text)] == minutes
