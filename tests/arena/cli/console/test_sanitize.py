"""Messages of others on a terminal, and how they are wrapped."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.cli.console.cells import wrap_cells
from arena.view.sanitize import sanitize, sanitize_line

HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\x1b\x07\r\t\x9b\x7f\u202e\u2066\u200b\u0301\ufe0f\u200d守塔人，。“”（）a "
        ),
    ),
    max_size=200,
)


@settings(deadline=None)
@given(HOSTILE)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    kinds = {unicodedata.category(char) for char in sanitize(text).replace("\n", "")}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@settings(deadline=None)
@given(HOSTILE)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert sanitize(sanitize(text)) == sanitize(text)
    assert sanitize_line(sanitize_line(text)) == sanitize_line(text)
    assert "\n" not in sanitize_line(text)


@settings(deadline=None)
@given(HOSTILE, st.integers(2, 40), st.integers(0, 40))
def test_a_wrapped_line_fits_and_nothing_is_lost(text: str, width: int, taken: int) -> None:
    text, first = sanitize(text), min(taken, width)
    lines = wrap_cells(text, width, first=first)
    assert cell_len(lines[0]) <= width - first
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_an_escape_becomes_visible() -> None:
    assert sanitize("\x1b[31mred\x1b]0;title\x07") == "␛[31mred␛]0;title␇"


def test_a_direction_override_becomes_a_mark_and_invisible_characters_vanish() -> None:
    assert sanitize("a\u202eb\u2066c\u200bd\ufeffe") == "a�b�cde"


def test_lines_of_every_kind_are_lines_and_blank_ones_are_few() -> None:
    assert sanitize("a\r\nb\rc\u2028d\n\n \n\n\ne") == "a\nb\nc\nd\n\ne"


def test_a_letter_bears_few_accents() -> None:
    assert sanitize("e" + "\u0301" * 50) == "e" + "\u0301" * 3


def test_chinese_is_broken_anywhere_but_before_a_closing_mark() -> None:
    assert wrap_cells("我在船屋，没有人看见。", 8) == ["我在船", "屋，没有", "人看见。"]
    assert wrap_cells("他说（在船屋）", 6) == ["他说", "（在船", "屋）"]


def test_a_number_stays_with_its_percent_sign() -> None:
    assert wrap_cells("cache 60.0 % now", 11) == ["cache", "60.0 % now"]


def test_a_run_without_spaces_is_cut_where_the_line_ends() -> None:
    assert wrap_cells("x" * 10, 4, first=2) == ["xx", "xxxx", "xxxx"]
    assert wrap_cells("xxxxxxx aa", 6, first=2) == ["xxxx", "xxx aa"]
    assert wrap_cells("see xxxxxx", 4) == ["see", "xxxx", "xx"]
