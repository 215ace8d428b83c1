"""A match as a play to read."""

import io
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from rich.cells import cell_len

from arena.cli.console import screen
from arena.cli.look import Look
from arena.cli.rendering import render
from arena.cli.transcript import Transcript
from arena.cli.words.en import EN
from arena.core.actions import Action, Ask, Choose, SeatId
from arena.core.events import Closed, Event, Noted
from arena.core.options import Options
from arena.core.rules import fail
from arena.core.state import MatchState, fold, replay
from scripts_mm.script import Picture, Script
from tests.cli.golden_files import as_kept
from tests.cli.test_console import XTERM, Terminal
from tests.cli.test_safe import HOSTILE
from tests.cli.tiny import (
    ISLAND,
    LAMP,
    call,
    fixed,
    lively,
    paper,
    play,
    shown,
)

LIVELY = play(answer=lively, options=Options(tries=2), marks=("untrained stand-in",))
SERVED = {"civilians": "standin-qwen2.5-vl", "murderer": "naive"}


def test_a_lively_match_reads_as_it_should() -> None:
    assert as_kept("lively-80", shown(LIVELY, look=Look(served=SERVED, show_pictures=True)))


def test_a_match_reads_well_on_a_narrow_screen() -> None:
    assert as_kept("lively-40", shown(LIVELY, width=40))


def test_a_chinese_match_reads_as_it_should() -> None:
    options = Options(rounds=2, vote="open", vote_with_reason=True, quorum="majority")
    assert as_kept("chinese-60", shown(play(ISLAND, options=options), ISLAND, width=60))


def test_a_match_in_waves_says_who_hears_what() -> None:
    options = Options(
        introductions="together", answers="batched", duties="two_asks", reasoning="secret"
    )
    assert as_kept("waves-80", shown(play(answer=_in_two, options=options)))


def _in_two(ask: Ask) -> Action:
    from_both = fixed(LAMP)(ask)
    return from_both if ask.verb != "ask" else _question(ask)


def _question(ask: Ask) -> Action:
    from arena.core.actions import Question

    return Question(target=SeatId(ask.options[-1]), text="What did you hear?")


def gallery() -> list[tuple[MatchState, Event]]:
    """Return every state and event of matches that together hold every kind of event."""
    noted = Noted(seat=SeatId("Ada Vale"), ask="x", note="prompt log reset")
    moments: list[tuple[MatchState, Event]] = []
    for match in (play(options=Options(vote="open")), (*LIVELY[:-1], noted, LIVELY[-1])):
        state = MatchState(script=LAMP)
        for event in match:
            state = fold(state, event)
            moments.append((state, event))
    return moments


def test_every_kind_of_event_is_shown() -> None:
    seen: set[str] = set()
    for state, event in gallery():
        console, stream = paper(80)
        for block in render(_scene(state), event):
            console.print(block)
        if stream.getvalue().strip():
            seen.add(event.kind)
    assert seen == {kind.__dataclass_fields__["kind"].default for kind in get_args(Event)}


def _scene(state: MatchState):  # noqa: ANN202 - a helper of this test
    from arena.cli.look import scene

    return scene(state, Look(), EN)
