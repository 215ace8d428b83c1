"""How many matches get on, as a person sees it."""

import io
import re
import time
from dataclasses import replace
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.cli.console.run_progress import (
    RunProgress,
    closed_requests,
    match_fraction,
    progress_line,
)
from arena.cli.console.screens import open_screen
from arena.cli.console.usage import UsageCounter
from arena.cli.rendering.formatting import (
    UNKNOWN,
    format_count,
    format_duration,
    format_percent,
    format_rate,
)
from arena.core.events import ActionAccepted, MatchStarted, TurnSkipped
from arena.core.state import MatchState, reduce, replay
from arena.games.game_registry import find_game
from arena.games.option_parsing import read_options
from arena.models.chat import CallId
from arena.run.match.match_usage import MatchUsage
from arena.run.observer import PlannedMatch
from arena.view.i18n.en import EN
from arena.view.i18n.zh import ZH
from tests.arena.cli.rendering.test_streams import XTERM, Terminal
from tests.arena.cli.tiny import (
    LAMP,
    call,
    lively,
    paper,
    play,
    summary,
)

EVENTS = play(answer=lively)
REQUESTS = len({e.request for e in EVENTS if isinstance(e, ActionAccepted | TurnSkipped)})


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def progress(clock: Clock, *, every: float = 10.0) -> tuple[RunProgress, io.StringIO]:
    console, stream = paper(80)
    return RunProgress(console, clock=clock, every=every), stream


def plan(*matches: str) -> tuple[PlannedMatch, ...]:
    return tuple(PlannedMatch(match=match, requests=REQUESTS) for match in matches)


def run_match(watcher: RunProgress, match: str, clock: Clock, seconds: float) -> None:
    state = MatchState(script=LAMP)
    assert isinstance(EVENTS[0], MatchStarted)
    for number, event in enumerate(EVENTS):
        state = reduce(state, event)
        watcher.on_event(match, state, event)
        watcher.on_call(match, *call(EVENTS[0].seats[number % 4], request=f"r{number}"))
        clock.now += seconds / len(EVENTS)
    watcher.on_match_end(summary(match=match, outcome="draw"))


def test_a_pipe_gets_one_plain_line_a_match_and_no_control_codes() -> None:
    clock = Clock()
    watcher, stream = progress(clock, every=1e9)
    with watcher:
        watcher.on_log("starting the engine")
        watcher.on_plan(plan("m1", "m2"))
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
    watcher.on_plan(plan("m1"))
    run_match(watcher, "m1", clock, 100)
    quiet = [line for line in stream.getvalue().splitlines() if line.startswith("0/1 match;")]
    assert 8 <= len(quiet) <= 10


def test_half_of_the_asks_in_a_minute_leave_a_minute() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.on_plan(plan("m1", "m2"))
    run_match(watcher, "m1", clock, 60)
    standing = watcher.snapshot()
    assert (standing.done, standing.planned, standing.share) == (1, 2, 0.5)
    assert standing.left == pytest.approx(60)


def test_what_was_done_before_says_nothing_of_the_pace() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.on_plan(plan("m1", "m2", "m3", "m4"))
    watcher.on_match_end(summary(match="m1"))
    watcher.on_match_end(summary(match="m2"))
    clock.now += 1000
    run_match(watcher, "m3", clock, 60)
    assert watcher.snapshot().left == pytest.approx(60)


def test_calls_of_replayed_requests_are_no_turns_of_this_sitting() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.on_plan(plan("m1", "m2"))
    run_match(watcher, "m1", clock, 60)
    state = replay(LAMP, EVENTS[: len(EVENTS) // 2])
    before = watcher.snapshot()
    watcher.on_resume("m2", state)
    for request in sorted(closed_requests(state)):
        asked, completion = call()
        asked = replace(asked, call_id=replace(asked.call_id, request=request))
        watcher.on_call("m2", asked, completion)
    assert watcher.snapshot().turns == before.turns
    assert watcher.snapshot().share > before.share
    # One match in a minute: what is left of the other takes its share of a minute.
    assert watcher.snapshot().left == pytest.approx(120 * (1 - watcher.snapshot().share))
    watcher.on_call("m2", *call(request="new"))
    assert watcher.snapshot().turns == before.turns + 1


def test_before_anything_happened_nothing_is_estimated() -> None:
    watcher, _ = progress(Clock())
    watcher.on_plan(plan("m1"))
    said = progress_line(watcher.snapshot(), EN)
    assert said.endswith("- turns/s; - tokens/s; cache -; - left")


def test_the_share_of_a_match_only_grows_and_ends_whole_for_every_preset() -> None:
    game = find_game("whodunit")
    for preset in game.presets:
        events = play(options=read_options(game, preset, {}))
        closed = {e.request for e in events if isinstance(e, ActionAccepted | TurnSkipped)}
        state, shares = MatchState(script=LAMP), [0.0]
        for event in events:
            state = reduce(state, event)
            shares.append(match_fraction(state, len(closed)))
        assert shares == sorted(shares)
        assert shares[-3] == shares[-1] == 1.0


def test_a_match_that_takes_more_requests_than_planned_is_no_more_than_whole() -> None:
    state = replay(LAMP, EVENTS[:-1])
    assert match_fraction(state, 3) == 1.0
    assert match_fraction(state, 0) == 0.0


def test_rates_count_turns_and_tokens_of_all_matches() -> None:
    clock = Clock()
    watcher, _ = progress(clock)
    watcher.on_plan(plan("m1", "m2"))
    run_match(watcher, "m1", clock, len(EVENTS) / 2)
    said = progress_line(watcher.snapshot(), EN)
    assert "2.00 turns/s; 20.0 tokens/s; cache 60.0 %" in said


def test_errors_and_forfeits_are_named_with_their_cause() -> None:
    watcher, stream = progress(Clock())
    watcher.on_plan(plan("m1"))
    watcher.on_match_end(summary(match="m1", outcome="error", error_cause="the engine died\x1b[2J"))
    assert stream.getvalue().startswith("m1: error (the engine died␛[2J); 1/1 match; ")


def test_a_terminal_gets_a_bar_that_leaves_no_trace_and_lines_for_errors() -> None:
    terminal, clock = Terminal(), Clock()
    with RunProgress(open_screen(terminal, env=XTERM), clock=clock) as watcher:
        watcher.on_plan(plan("m1", "m2"))
        run_match(watcher, "m1", clock, 60)
        give_up = time.monotonic() + 10
        while "1/2 matches" not in terminal.getvalue() and time.monotonic() < give_up:
            time.sleep(0.02)
        watcher.on_match_end(summary(match="m2", outcome="error", error_cause="boom"))
    said = terminal.getvalue()
    assert "━" in said
    assert "1/2 matches; civilians win 0" in said
    assert "m2: error (boom)" in said
    assert re.search(r"\x1b\[\?25h\r(\x1b\[1A\x1b\[2K)+$", said)


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(20, 140))
def test_the_words_of_a_bar_fit_the_screen(width: int) -> None:
    watcher, _ = progress(Clock())
    for words in (EN, ZH):
        console, stream = paper(width)
        for line in progress_line(watcher.snapshot(), words).split(words.semicolon):
            console.print(line)
        assert all(cell_len(line) <= width for line in stream.getvalue().split("\n"))


def test_a_server_that_does_not_tell_leaves_a_dash() -> None:
    usage = UsageCounter()
    usage.add("m1", *call(cached=None))
    assert usage.hit_rate == UNKNOWN
    usage.add("m1", *call(attempt=2))
    assert usage.hit_rate == "60.0 %"


def test_a_corrected_answer_is_no_second_turn() -> None:
    usage = UsageCounter()
    for attempt in (1, 2):
        usage.add("m1", *call(attempt=attempt))
    assert (usage.turns, usage.output_tokens) == (1, 20)


def test_the_same_request_of_two_matches_is_two_turns() -> None:
    usage = UsageCounter()
    for match in ("m1", "m2"):
        usage.add(match, *call())
        usage.finish(match)
    assert usage.turns == 2


KINDS = get_args(get_type_hints(CallId)["kind"])


def test_the_live_line_counts_as_the_verdict_does() -> None:
    live, verdict = UsageCounter(), MatchUsage()
    for number, kind in enumerate((*KINDS, "reading", "reading")):
        for off_path in (False, True):
            request, completion = call()
            call_id = replace(request.call_id, kind=kind, chunk=str(number), off_path=off_path)
            request = replace(request, call_id=call_id)
            live.add("m1", request, completion)
            verdict.add(request, completion)
    assert (live.turns, live.readings, live.summaries, live.steps) == (
        len(verdict.turns),
        verdict.auxiliary["reading"],
        verdict.auxiliary["summary"],
        verdict.auxiliary["step"],
    )
    assert (live.turns, live.readings, live.summaries, live.steps) == (1, 6, 2, 1)
    assert (
        live.output_tokens
        == verdict.output_tokens
        == 2 * (len(KINDS) + 2) * call()[1].output_tokens
    )
    assert EN.auxiliary_counts(live.readings, live.summaries, live.steps) == (
        "6 pictures read",
        "2 summaries",
        "1 step",
    )
    assert ZH.auxiliary_counts(0, 0, 0) == ()


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
