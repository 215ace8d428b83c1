"""How many matches get on, as a person sees it."""

import io
import re
import time
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.cli.console.streams import screen
from arena.cli.rendering.formatting import UNKNOWN, Tally, format_rate, format_percent, format_count, format_duration
from arena.cli.console.progress import Progress, answered, told
from arena.cli.i18n.en import EN
from arena.cli.i18n.zh import ZH
from arena.core.options import Options
from arena.core.state import MatchState, fold
from tests.cli.test_console import XTERM, Terminal
from tests.cli.tiny import LAMP, call, lively, paper, play, summary

EVENTS = play(answer=lively)


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def progress(clock: Clock, *, every: float = 10.0) -> tuple[Progress, io.StringIO]:
    console, stream = paper(80)
    return Progress(console, clock=clock, every=every), stream


def run_match(watcher: Progress, match: str, clock: Clock, seconds: float) -> None:
    state = MatchState(script=LAMP)
    for event in EVENTS:
        state = fold(state, event)
        watcher.event(match, state, event)
        watcher.called(match, *call())
        clock.now += seconds / len(EVENTS)
    watcher.ended(summary(match=match, outcome="draw"))


def test_a_pipe_gets_one_plain_line_a_match_and_no_control_codes() -> None:
    clock = Clock()
    watcher, stream = progress(clock, every=1e9)
    with watcher:
        watcher.said("starting the engine")
        watcher.planned(("m1", "m2"))
        run_match(watcher, "m1", clock, 50)
        run_match(watcher, "m2", clock, 50)
    lines = stream.getvalue().split("\n")
    assert lines[0] == "starting the engine"
    assert lines[1].startswith("m1: draw; 1/2 matches; civilians win 0, murderer wins 0, draw 1,")
    assert lines[2].startswith("m2: draw; 2/2 matches; ")
    assert lines[3:] == [""]
    assert stream.getvalue().replace("\n", "").isprintable()


def test_between_matches_a_pipe_gets_a_line_every_so_often() -> None:
    clock = Clock()
    watcher, stream = progress(clock, every=10.0)
    watcher.planned(("m1",))
    run_match(watcher, "m1", clock, 100)
    quiet = [line for line in stream.getvalue().splitlines() if line.startswith("0/1 match;")]
    assert 8 <= len(quiet) <= 10


def test_half_of_the_asks_in_a_minute_leave_a_minute() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.planned(("m1", "m2"))
    run_match(watcher, "m1", clock, 60)
    standing = watcher.standing()
    assert (standing.done, standing.planned, standing.share) == (1, 2, 0.5)
    assert standing.left == pytest.approx(60)


def test_what_was_done_before_says_nothing_of_the_pace() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.planned(("m1", "m2", "m3", "m4"))
    watcher.ended(summary(match="m1"))
    watcher.ended(summary(match="m2"))
    clock.now += 1000
    run_match(watcher, "m3", clock, 60)
    assert watcher.standing().left == pytest.approx(60)


def test_before_anything_happened_nothing_is_estimated() -> None:
    watcher, _ = progress(Clock())
    watcher.planned(("m1",))
    said = told(watcher.standing(), EN)
    assert said.endswith("- turns/s; - tokens/s; cache -; - left")


def test_the_share_of_a_match_only_grows_and_ends_whole() -> None:
    for options in (Options(), Options(duties="one_ask", rounds=3)):
        state, shares = MatchState(script=LAMP), [0.0]
        for event in play(options=options):
            state = fold(state, event)
            shares.append(answered(state))
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
        assert shares[-3] == 1.0


def test_rates_count_turns_and_tokens_of_all_matches() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.planned(("m1", "m2"))
    run_match(watcher, "m1", clock, len(EVENTS) / 2)
    said = told(watcher.standing(), EN)
    assert "2.00 turns/s; 20.0 tokens/s; cache 60.0 %" in said


def test_errors_and_forfeits_are_named_with_their_cause() -> None:
    watcher, stream = progress(Clock())
    watcher.planned(("m1",))
    watcher.ended(summary(match="m1", outcome="error", error_cause="the engine died\x1b[2J"))
    assert stream.getvalue().startswith("m1: error (the engine died␛[2J); 1/1 match; ")


def test_a_terminal_gets_a_bar_that_leaves_no_trace_and_lines_for_errors() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress(screen(terminal, env=XTERM), clock=clock) as watcher:
        watcher.planned(("m1", "m2"))
        run_match(watcher, "m1", clock, 60)
        give_up = time.monotonic() + 10
        while "1/2 matches" not in terminal.getvalue() and time.monotonic() < give_up:
            time.sleep(0.02)
        watcher.ended(summary(match="m2", outcome="error", error_cause="boom"))
    said = terminal.getvalue()
    assert "━" in said
    assert "1/2 matches; civilians win 0" in said
    assert "m2: error (boom)" in said
    assert re.search(r"\x1b\[\?25h\r(\x1b\[1A\x1b\[2K)+$", said)


@settings(deadline=None)
@given(st.integers(20, 140))
def test_the_words_of_a_bar_fit_the_screen(width: int) -> None:
    watcher, _ = progress(Clock())
    for words in (EN, ZH):
        console, stream = paper(width)
        for line in told(watcher.standing(), words).split(words.semicolon):
            console.print(line)
        assert all(cell_len(line) <= width for line in stream.getvalue().split("\n"))


def test_a_server_that_does_not_tell_leaves_a_dash() -> None:
    tally = Tally()
    tally.add(call(cached=None)[0].call_id, call(cached=None)[1])
    assert tally.hit_rate == UNKNOWN
    tally.add(call()[0].call_id, call()[1])
    assert tally.hit_rate == "60.0 %"


def test_a_corrected_answer_is_no_second_turn() -> None:
    tally = Tally()
    for attempt in (1, 2):
        request, completion = call(attempt=attempt)
        tally.add(request.call_id, completion)
    assert (tally.turns, tally.output_tokens) == (1, 20)


def test_pictures_that_are_read_and_texts_made_shorter_are_no_turns() -> None:
    tally = Tally()
    parts: tuple[Literal["reading", "summary", "thought", "answer"], ...] = (
        "reading",
        "reading",
        "reading",
        "summary",
        "thought",
        "answer",
    )
    for part in parts:
        request, completion = call()
        tally.add(replace(request.call_id, part=part), completion)
    assert (tally.turns, tally.readings, tally.summaries) == (1, 3, 1)
    assert tally.output_tokens == 6 * call()[1].output_tokens
    assert EN.asides(tally.readings, tally.summaries) == ("3 pictures read", "1 summary")
    assert ZH.asides(0, 0) == ()


def test_shares_are_rounded_half_up_on_the_decimal_value() -> None:
    assert format_percent(1625, 10_000) == "16.3 %"
    assert format_percent(1, 3) == "33.3 %"
    assert format_percent(2, 2) == "100.0 %"
    assert format_percent(0, 0) == "-"


def test_times_and_counts_are_said_as_a_person_says_them() -> None:
    assert [format_duration(s) for s in (8.24, 59.96, 61.2, 3599.7, 7620)] == [
        "8.2 s",
        "1 min 00 s",
        "1 min 01 s",
        "1 h 00 min",
        "2 h 07 min",
    ]
    assert [format_count(n) for n in (812, 8123, 2_410_000)] == ["812", "8.1k", "2.4M"]
    assert [format_rate(n, 10) for n in (1, 123, 12_345)] == ["0.10", "12.3", "1,234"]
    assert format_rate(5, 0) == "-"
