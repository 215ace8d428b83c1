"""What a screen makes of its stream and its environment."""

import io
from dataclasses import dataclass

import pytest
from rich.color import Color
from rich.text import Text

from arena.cli.console.screens import MIN_WIDTH, PIPED_WIDTH, open_screen
from arena.cli.rendering.layout import COLORS, Block, UnwrappedLine, heading, print_blocks
from arena.view.i18n.en import EN
from arena.view.i18n.language_choice import messages_for
from arena.view.i18n.zh import ZH


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def written(stream: io.StringIO, env: dict[str, str], *, no_color: bool = False) -> str:
    console = open_screen(stream, env=env, no_color=no_color)
    print_blocks(console, Text("Ada", style="bold color(33)"))
    return stream.getvalue()


XTERM = {"TERM": "xterm-256color", "COLUMNS": "70", "LINES": "30"}


def test_a_terminal_has_colours() -> None:
    assert "\x1b[1;38;5;33mAda" in written(Terminal(), XTERM)


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colour_gets_no_escape(more: dict[str, str]) -> None:
    assert written(Terminal(), XTERM | more) == "Ada\n"


def test_the_flag_turns_colour_off() -> None:
    assert written(Terminal(), XTERM, no_color=True) == "Ada\n"


def test_a_pipe_has_no_colour_unless_it_is_forced() -> None:
    assert written(io.StringIO(), XTERM) == "Ada\n"
    assert "\x1b" in written(io.StringIO(), XTERM | {"FORCE_COLOR": "1"})
    assert written(io.StringIO(), XTERM | {"FORCE_COLOR": "1", "NO_COLOR": "1"}) == "Ada\n"


def test_a_forced_pipe_is_no_place_for_what_moves() -> None:
    assert not open_screen(io.StringIO(), env=XTERM | {"FORCE_COLOR": "1"}).is_interactive


def test_a_pipe_is_a_page_wide_unless_columns_say_more() -> None:
    assert open_screen(io.StringIO(), env={}).width == PIPED_WIDTH
    assert open_screen(io.StringIO(), env={"COLUMNS": "100"}).width == 100


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_no_screen_is_narrower_than_words_can_bear(stream: io.StringIO) -> None:
    assert open_screen(stream, env=XTERM | {"COLUMNS": "5"}).width == MIN_WIDTH
    assert open_screen(stream, env=XTERM, width=3).width == MIN_WIDTH


def test_markup_and_emoji_names_are_words_like_others() -> None:
    stream = io.StringIO()
    open_screen(stream, env={}).print("[bold]x[/bold] :smile:")
    assert stream.getvalue() == "[bold]x[/bold] :smile:\n"


def test_what_an_encoding_lacks_is_replaced_and_rules_are_plain() -> None:
    raw = io.BytesIO()
    console = open_screen(io.TextIOWrapper(raw, encoding="ascii", write_through=True), env={})
    print_blocks(console, heading("灯塔"), Block(head=Text("顾明："), body="在床上\ud800"))
    lines = raw.getvalue().decode("ascii").splitlines()
    assert lines[0].startswith("?? ---")
    assert lines[1] == "???????"


def test_a_stream_that_cannot_carry_chinese_speaks_english() -> None:
    narrow = open_screen(io.TextIOWrapper(io.BytesIO(), encoding="ascii"), env={})
    chinese = open_screen(io.TextIOWrapper(io.BytesIO(), encoding="gb18030"), env={})
    assert messages_for("zh", encoding=narrow.encoding) is EN
    assert messages_for("zh", "zh", encoding=chinese.encoding) is ZH
    assert messages_for("zh", "en", encoding=chinese.encoding) is EN


def test_a_line_to_copy_is_never_broken() -> None:
    stream = io.StringIO()
    print_blocks(
        open_screen(stream, env={}, width=20), UnwrappedLine(text="arena replay " + "x" * 90)
    )
    assert stream.getvalue() == "arena replay " + "x" * 90 + "\n"


@dataclass(frozen=True, slots=True)
class Light:
    """Relative luminance, as WCAG 2 defines it."""

    red: int
    green: int
    blue: int

    @property
    def value(self) -> float:
        parts = [c / 255 for c in (self.red, self.green, self.blue)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_ten_seats_have_ten_colours_that_can_be_read_on_white_and_on_black() -> None:
    assert len(set(COLORS)) == 10
    for name in COLORS:
        light = Light(*Color.parse(name).get_truecolor()).value
        assert min(1.05 / (light + 0.05), (light + 0.05) / 0.05) > 3.5
