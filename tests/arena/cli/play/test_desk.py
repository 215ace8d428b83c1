"""The desk asks until an answer is legal, and obeys commands wherever something is typed."""

import asyncio
import io
from collections.abc import Callable, Mapping
from string import Formatter

import pytest
from rich.console import Console

from arena.cli.play.seat_screen import SeatScreen
from arena.cli.play.terminal_desk import TerminalDesk
from arena.cli.rendering.render_context import ViewOptions
from arena.core.actions import Reply
from arena.core.observation import observe
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Field, Form, FreeText, OneOf, Variant
from arena.errors import PersonLeftError
from arena.games.game_registry import find_game
from arena.view.i18n.desk_messages import DESK_MESSAGES, DeskMessages
from scripts_mm.script import LANGUAGES
from tests.arena.games.cases import setup_of

NAMES = ("Bram Stone", "Cleo Marsh", "Clio Marsh")


class Typist:
    """Types given lines."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.labels: list[str] = []
        self.defaults: list[str] = []
        self.below = ""
        self.is_patient = False

    async def read(self, label: str, *, default: str = "", below: Callable[[], str]) -> str:
        """Return the next line."""
        self.labels.append(label)
        self.defaults.append(default)
        self.below = below()
        if not self._lines:
            assert self.is_patient, "nothing is left to type"
            await asyncio.sleep(3600)
        return self._lines.pop(0)


class Table:
    """A person at a table."""

    def __init__(self, *lines: str) -> None:
        game = find_game("whodunit")
        self.out = io.StringIO()
        self.state = start_state(game, setup_of(game))
        seat = self.state.started.seats[1]
        self.observation = observe(self.state, seat)
        console = Console(file=self.out, width=200, color_system=None, markup=False)
        screen = SeatScreen(console, ViewOptions(full=True, seat=seat))
        screen.on_resume("m", self.state)
        self.typist = Typist(*lines)
        self.now = 0.0
        self.desk = TerminalDesk(screen, self.typist, clock=lambda: self.now)

    def ask(self, spec: ActionSpec, *, seconds: float | None = None, most: int = 4000) -> Reply:
        request = DecisionRequest(
            id="r",
            seat=self.observation.seat,
            kind="introduce",
            phase="introduction",
            spec=spec,
            max_chars=most,
        )
        return asyncio.run(self.desk.ask(self.observation, request, seconds))

    @property
    def shown(self) -> str:
        return self.out.getvalue()


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("1", "Bram Stone"),
        (" 3 ", "Clio Marsh"),
        ("cleo marsh", "Cleo Marsh"),
        ("b", "Bram Stone"),
        ("4", ABSTAIN),
        ("Abstain", ABSTAIN),
    ],
)
def test_an_option_is_chosen_by_number_by_name_or_by_how_it_begins(typed: str, chosen: str) -> None:
    table = Table(typed)
    assert table.ask(Choice(options=(*NAMES, ABSTAIN)))["choice"] == chosen
    assert "4  abstain" in table.shown


@pytest.mark.parametrize("wrong", ["0", "5", "-1", "Nobody", "", "1.5", "cl", "九"])
def test_anything_else_is_asked_again_with_the_reason(wrong: str) -> None:
    table = Table(wrong, wrong, "2")
    assert table.ask(Choice(options=(*NAMES, ABSTAIN)))["choice"] == "Cleo Marsh"
    said = "can mean Cleo Marsh, Clio Marsh" if wrong == "cl" else "a number from 1 to 4"
    assert table.shown.count(said) == 2


def test_options_that_are_numbers_have_no_other_numbers() -> None:
    table = Table("3", "1")
    assert table.ask(Choice(options=("0", "1", "2")))["choice"] == "1"
    assert "one of: 0, 1, 2" in table.shown


def test_a_text_over_the_limit_is_shown_back_for_cutting() -> None:
    table = Table("x" * 13, "x" * 11, "x" * 10)
    assert table.ask(FreeText(), most=10)["text"] == "x" * 10
    assert table.typist.defaults == ["", "x" * 13, "x" * 11]
    assert "3 characters too long; the limit is 10" in table.shown


def test_an_empty_text_is_asked_again() -> None:
    table = Table("", "  ", "words")
    assert table.ask(FreeText())["text"] == "words"
    assert table.shown.count("You must say something here.") == 2


def test_a_form_is_asked_field_by_field_and_optional_fields_may_be_left_out() -> None:
    form = Form(
        fields=(
            Field(name="share", spec=FreeText(), optional=True),
            Field(name="target", spec=Choice(options=NAMES)),
            Field(name="about", spec=Choice(options=NAMES), optional=True),
            Field(name="question", spec=FreeText()),
        )
    )
    table = Table("", "1", "", "Why?")
    reply = table.ask(form)
    wanted = (("share", ""), ("target", "Bram Stone"), ("about", ""), ("question", "Why?"))
    assert reply.values == wanted
    assert "optional" in table.typist.labels[0]
    assert table.typist.labels[-1] == "Question > "


def test_one_of_several_ways_is_chosen_first() -> None:
    ways = OneOf(
        variants=(
            Variant(name="talk", spec=FreeText()),
            Variant(name="over", spec=Form(fields=())),
        )
    )
    assert Table("1", "Hello").ask(ways) == Reply(values=(("text", "Hello"),), variant="talk")
    table = Table("say nothing", "2")
    assert table.ask(ways) == Reply(values=(), variant="over")


def test_commands_are_obeyed_and_the_same_thing_is_asked_again() -> None:
    table = Table("/help", "/script", "/clues", "/log", "/dance", "／help", "、help", "words")
    assert table.ask(FreeText())["text"] == "words"
    assert table.shown.count("leave the match; you can continue it later") == 3
    assert "SECRET-OF-BRAM" in table.shown
    assert "CLUE-OF-BRAM" in table.shown
    assert "There is no command '/dance'" in table.shown
    assert len(set(table.typist.labels)) == 1


def test_a_text_may_begin_with_a_slash_or_contain_one() -> None:
    assert Table("//leave").ask(FreeText())["text"] == "/leave"
    assert Table("/leave him alone").ask(FreeText())["text"] == "/leave him alone"
    assert Table("either/or").ask(FreeText())["text"] == "either/or"


def test_leave_is_heard_at_every_prompt() -> None:
    form = Form(fields=(Field(name="target", spec=Choice(options=NAMES)),))
    for spec in (FreeText(), Choice(options=NAMES), form):
        table = Table("/leave")
        with pytest.raises(PersonLeftError):
            table.ask(spec)
        assert table.desk.has_left


def test_the_time_left_is_shown_and_its_end_is_said() -> None:
    table = Table()
    table.typist.is_patient = True
    with pytest.raises(TimeoutError):
        asyncio.run(_be_late(table))
    assert table.typist.below.startswith("time left 1:35")
    assert "Time is up." in table.shown
    assert "time left" not in _without_limit()


async def _be_late(table: Table) -> None:
    async def pass_time() -> None:
        await asyncio.sleep(0.01)
        table.now = 94.999

    request = DecisionRequest(
        id="r", seat=table.observation.seat, kind="introduce", phase="p", spec=FreeText()
    )
    async with asyncio.timeout(0.05), asyncio.TaskGroup() as group:
        group.create_task(pass_time())
        await table.desk.ask(table.observation, request, 95)


def _without_limit() -> str:
    table = Table("words")
    table.ask(FreeText())
    return table.typist.below


def test_hostile_names_cannot_steer_the_terminal() -> None:
    table = Table("1")
    table.ask(Choice(options=("\x1b[2Jgone", "other")))
    assert "\x1b" not in table.shown


def _texts(say: DeskMessages) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in DeskMessages.__dataclass_fields__:
        value: object = getattr(say, name)
        if isinstance(value, str):
            found[name] = value
        else:
            assert isinstance(value, Mapping)
            found |= {f"{name}.{key}": str(text) for key, text in value.items()}  # pyright: ignore
    return found


def test_both_languages_say_the_same_things() -> None:
    texts = {language: _texts(DESK_MESSAGES[language]) for language in LANGUAGES}
    assert texts["en"].keys() == texts["zh"].keys()
    for key, text in texts["en"].items():
        places = [
            {name for _, name, _, _ in Formatter().parse(one) if name}
            for one in (text, texts["zh"][key])
        ]
        assert places[0] == places[1], key
