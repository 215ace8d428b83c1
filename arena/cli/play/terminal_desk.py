"""Desk in the terminal: prompts a person for an answer, field by field, until it is legal."""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Protocol

from rich.text import Text

from arena.cli.play.briefing import render_options
from arena.cli.play.seat_screen import SeatScreen
from arena.cli.rendering.layout import Block, heading, note
from arena.core.action_validation import Invalid, validate
from arena.core.actions import Reply
from arena.core.game import Texts
from arena.core.observation import Observation
from arena.core.option_labels import option_label
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, Field, OneOf, Variant, spec_fields, variants
from arena.errors import PersonLeftError
from arena.games.game_registry import find_game
from arena.view.request_text import drop_reply_format, name_part, name_turn
from arena.view.sanitize import sanitize_line

_COMMAND = re.compile(r"[/／、]([a-z]+)")
"""A command; with a Chinese keyboard, another mark can replace the slash."""
_SLASH = "/"
_MINUTE = 60
_ALMOST = 0.5
"""Tolerance in seconds: the time began a moment before the desk received the request."""


class LineReader(Protocol):
    """Reads one answer of a person."""

    async def read(self, label: str, *, default: str = "", below: Callable[[], str]) -> str:
        """Return the text typed after `label`; `below` is shown under it.

        `default` is the text that the person can change. Raises `PersonLeftError` for Ctrl-C and
        Ctrl-D.
        """
        ...


class TerminalDesk:
    """Desk of the person at a terminal. Commands such as `/log` work at every prompt."""

    def __init__(
        self, screen: SeatScreen, reader: LineReader, *, clock: Callable[[], float] = monotonic
    ) -> None:
        """Print on `screen` and read with `reader`."""
        self._screen, self._reader, self._clock = screen, reader, clock
        self._end: float | None = None
        """Deadline of the answer, on `clock`; None: unlimited."""
        self.has_left = False

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Reply:
        """Return a legal answer of the person; a command or a wrong answer prompts again."""
        self._end = None if seconds is None else self._clock() + seconds
        self._screen.begin_asking(request.id)
        try:
            return await _RequestDialog(self, observation, request).run()
        except PersonLeftError:
            self.has_left = True
            raise
        except asyncio.CancelledError:
            if (left := self._seconds_left()) is not None and left < _ALMOST:
                self.print_note(self._screen.say.time_over)
            raise
        finally:
            self._screen.end_asking()

    @property
    def screen(self) -> SeatScreen:
        """Return the screen that the desk prints on."""
        return self._screen

    async def read(self, label: str, default: str = "") -> str:
        """Return what the person types, except commands."""
        while True:
            typed = (
                await self._reader.read(label, default=default, below=self._status_text)
            ).strip()
            found = _COMMAND.fullmatch(typed)
            if found is None:
                return typed[1:] if typed.startswith(_SLASH * 2) else typed
            self._run_command(f"{_SLASH}{found.group(1)}")

    def print_note(self, line: str) -> None:
        """Print a line that is not part of the match."""
        self._screen.print(note(line))

    def _run_command(self, command: str) -> None:
        screen, say = self._screen, self._screen.say
        match command:
            case "/script":
                screen.show_script()
            case "/log":
                screen.show_log()
            case "/clues":
                screen.show_clues()
            case "/leave":
                raise PersonLeftError("the person has left the match")
            case "/help":
                rows = (f"{name:<9}{about}" for name, about in say.help.items())
                screen.print(*(note(row) for row in rows))
            case _:
                self.print_note(say.no_command.format(text=command))

    def _seconds_left(self) -> float | None:
        """Return the seconds left; None: unlimited."""
        return None if self._end is None else max(self._end - self._clock(), 0)

    def _status_text(self) -> str:
        say, left = self._screen.say, self._seconds_left()
        if left is None:
            return say.hint
        minutes, seconds = divmod(round(left), _MINUTE)
        return f"{say.time.format(time=f'{minutes}:{seconds:02}')}   {say.hint}"


class _RequestDialog:
    """Dialog of one open request."""

    def __init__(
        self, desk: TerminalDesk, observation: Observation, request: DecisionRequest
    ) -> None:
        self._desk, self._observation, self._request = desk, observation, request
        self._say, self._messages = desk.screen.say, desk.screen.messages
        self._texts: Texts = find_game(observation.game).texts(observation)

    async def run(self) -> Reply:
        """Show the request, and return a legal answer."""
        self._show()
        while True:
            way = await self._ask_variant()
            values = [(field.name, await self._ask_field(field)) for field in spec_fields(way.spec)]
            reply = Reply(values=tuple(values), variant=way.name)
            result = validate(self._request, reply)
            if not isinstance(result, Invalid):
                return reply
            error = self._messages.errors[result.error.code]
            self._desk.print_note(self._say.refused.format(error=error))

    def _show(self) -> None:
        request = self._request
        self._desk.screen.print(
            Text(""),
            heading(name_turn(request, self._texts, self._say, self._messages)),
            Block(head=Text(), body=drop_reply_format(self._texts.instruction(request)), indent=0),
        )

    async def _ask_variant(self) -> Variant:
        """Return the form of answer that the person chooses."""
        ways = variants(self._request.spec)
        if not isinstance(self._request.spec, OneOf):
            return ways[0]
        if len(ways) == 1:
            return ways[0]
        labels = tuple(name_part(way.name, self._texts, self._say) for way in ways)
        number = await self._pick(self._say.ways, labels)
        assert number is not None, "one of the forms must be chosen"
        return ways[number]

    async def _ask_field(self, field: Field) -> str:
        name = name_part(field.name, self._texts, self._say)
        if isinstance(field.spec, Choice):
            options = field.spec.options
            labels = tuple(option_label(one, self._observation.language) for one in options)
            number = await self._pick(name, labels, is_optional=field.optional)
            return "" if number is None else options[number]
        return await self._read_text(name, is_optional=field.optional)

    async def _pick(
        self, title: str, labels: Sequence[str], *, is_optional: bool = False
    ) -> int | None:
        """Return the index of the label that the person chooses; None: it is left open."""
        numbered = not any(label.isdecimal() for label in labels)
        say, joined = self._say, self._messages.join(tuple(labels))
        wanted = (
            say.option.format(n=len(labels))
            if numbered
            else say.option_named.format(options=joined)
        )
        self._desk.screen.print(*render_options(labels, numbered=numbered))
        remark = f" ({say.optional})" if is_optional else ""
        while True:
            typed = await self._desk.read(f"{title}{remark} > ")
            if not typed and is_optional:
                return None
            found = _match_labels(typed, labels, numbered=numbered)
            if len(found) == 1:
                shown = f"{title}{self._messages.colon}{sanitize_line(labels[found[0]])}"
                self._desk.print_note(shown)
                return found[0]
            self._desk.print_note(self._explain(typed, [labels[one] for one in found], wanted))

    def _explain(self, typed: str, meant: Sequence[str], wanted: str) -> str:
        if not typed:
            return self._say.no_number.format(wanted=wanted)
        if meant:
            names = self._messages.join(tuple(meant))
            return self._say.several.format(text=typed, names=names)
        return self._say.no_option.format(text=typed, wanted=wanted)

    async def _read_text(self, name: str, *, is_optional: bool) -> str:
        """Return a text within the limit; one that is too long is shown again for editing."""
        say, limit, typed = self._say, self._request.max_chars, ""
        remark = f" ({say.optional})" if is_optional else ""
        while True:
            typed = await self._desk.read(f"{name}{remark} > ", typed)
            if len(typed) > limit:
                over = len(typed) - limit
                self._desk.print_note(say.too_long.format(over=over, limit=limit))
            elif typed or is_optional:
                return typed
            else:
                self._desk.print_note(say.empty)


def _match_labels(typed: str, labels: Sequence[str], *, numbered: bool) -> list[int]:
    """Return the labels that `typed` can mean: by number, in full, or by prefix."""
    if not typed:
        return []
    if numbered:
        with suppress(ValueError):
            number = int(typed)
            return [number - 1] if 1 <= number <= len(labels) else []
    folded = [label.casefold() for label in labels]
    if typed.casefold() in folded:
        return [folded.index(typed.casefold())]
    return [n for n, label in enumerate(folded) if label.startswith(typed.casefold())]
