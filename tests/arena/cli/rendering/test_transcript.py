"""A match as a play to read."""

import io
import threading
import time
import unicodedata
from dataclasses import replace
from typing import Literal, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image
from rich.cells import cell_len

from arena.cli.console.screens import open_screen
from arena.cli.console.transcript import Transcript
from arena.cli.rendering.event_blocks import render_event
from arena.cli.rendering.render_context import ViewOptions, render_context
from arena.core.actions import Action, Skip, choose, fill, say
from arena.core.events import (
    ActionAccepted,
    Adjustment,
    Announced,
    Event,
    MatchEnded,
    PromptAdjusted,
    Rated,
    RequestsOpened,
    SeatEliminated,
    StageStarted,
    TurnNoted,
    VotesTallied,
)
from arena.core.options import GameOptions, Pictures
from arena.core.outcome import abort
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, reduce, replay
from arena.games.whodunit.options import WhodunitOptions
from arena.view.i18n.en import EN
from scripts_mm.script import Picture, Script
from tests.arena.cli.console.test_sanitize import HOSTILE
from tests.arena.cli.golden_files import as_kept
from tests.arena.cli.rendering.test_streams import XTERM, Terminal
from tests.arena.cli.tiny import (
    ISLAND,
    LAMP,
    LONG,
    WORDS,
    Answer,
    call,
    fixed,
    lively,
    paper,
    play,
    shown,
    summary,
)

ONE_ROUND = WhodunitOptions(rounds=1)
LIVELY = play(answer=lively, options=replace(ONE_ROUND, attempts=2), flags=("untrained stand-in",))
ADA, BRAM, CORA = SeatId("Ada Vale"), SeatId("Bram Finch"), SeatId("Cora Lund")


def in_two(request: DecisionRequest) -> Action | None:
    """Ask the last of the others, after a statement of its own."""
    if request.kind == "ask":
        return fill(target=last_of(request), question="What did you hear?")
    return fixed(LAMP)(request)


def last_of(request: DecisionRequest) -> str:
    others = [name for name in LAMP.names if name != request.seat]
    return others[-1]


def saying(text: str, script: Script = LAMP) -> Answer:
    """Return answers that say `text` wherever something can be said."""
    words = text.replace("{", "(").replace("}", ")").strip() or "-"
    return fixed(script, **dict.fromkeys(WORDS["en"], words))


def voting(**votes: str) -> Answer:
    """Return fixed answers with other votes, by first name."""

    def answer(request: DecisionRequest) -> Action | None:
        choice = votes.get(request.seat.split()[0])
        return choose(choice) if request.kind == "vote" and choice else fixed(LAMP)(request)

    return answer


def test_a_lively_match_reads_as_it_should() -> None:
    assert as_kept("lively-80", shown(LIVELY))


def test_a_match_reads_well_on_a_narrow_screen() -> None:
    assert as_kept("lively-40", shown(LIVELY, width=40))


def test_a_match_with_its_truth_reads_as_it_should() -> None:
    assert as_kept("truth-80", shown(LIVELY, view=ViewOptions(truth=True)))


def test_a_chinese_match_reads_as_it_should() -> None:
    options = WhodunitOptions(rounds=2, vote="open", vote_with_reason=True, quorum="majority")
    assert as_kept("chinese-60", shown(play(ISLAND, options=options), ISLAND, width=60))


WAVES = WhodunitOptions(
    rounds=1, introductions="together", answers="batched", duties="two_asks", reasoning="secret"
)


def test_a_match_in_waves_says_who_hears_what() -> None:
    assert as_kept("waves-80", shown(play(answer=in_two, options=WAVES)))


SILENT = (RequestsOpened, ActionAccepted, TurnNoted, Rated)
NOTED = (
    PromptAdjusted(seat=ADA, request="x", adjustment="log_dropped", lines=12),
    SeatEliminated(seat=BRAM, cause="vote"),
    StageStarted(stage=2),
)


def test_every_kind_of_event_but_those_that_others_follow_is_shown() -> None:
    seen: set[str] = set()
    events = (*LIVELY[:-1], *NOTED, LIVELY[-1])
    for match in (play(options=replace(ONE_ROUND, vote="open")), events):
        state = MatchState(script=LAMP)
        for event in match:
            state = reduce(state, event)
            console, stream = paper(80)
            for block in render_event(render_context(state, ViewOptions(), EN), event):
                console.print(block)
            seen |= {event.kind} if stream.getvalue().strip() else set()
    kinds = {get_args(event.__annotations__["kind"])[0] for event in get_args(Event)}
    silent = {get_args(e.__annotations__["kind"])[0] for e in SILENT}
    assert seen == kinds - silent - {"announced"}, "this game announces nothing"


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(HOSTILE, st.integers(20, 130), st.booleans(), st.booleans())
def test_no_line_is_wider_than_the_screen_and_nothing_steers_it(
    text: str, width: int, is_open: bool, truth: bool
) -> None:
    options = replace(ONE_ROUND, vote_with_reason=True, vote="open" if is_open else "secret")
    view = ViewOptions(truth=truth)
    for script in (LAMP, ISLAND):
        events = play(script, saying(text, script), options=options)
        transcript = shown(events, script, width=width, view=view)
        assert all(cell_len(line) <= width for line in transcript.split("\n"))
        kinds = {unicodedata.category(char) for char in transcript.replace("\n", "")}
        assert not kinds & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(HOSTILE, st.integers(20, 60))
@example("\ud800", 20)
def test_hostile_names_of_a_script_fit_the_screen_as_well(text: str, width: int) -> None:
    odd = f"{text}!"
    script = replace(
        LAMP,
        title=odd,
        opening=odd,
        roles=tuple(replace(role, name=f"{odd}{i}") for i, role in enumerate(LAMP.roles)),
        clues=tuple(replace(clue, title=odd, text=odd, owner=None) for clue in LAMP.clues),
        truth=replace(LAMP.truth, culprits=(f"{odd}1",), text=odd),
    )
    transcript = shown(play(script, saying("Hm.")), script, width=width)
    assert all(cell_len(line) <= width for line in transcript.split("\n"))


def test_markup_in_a_speech_is_shown_as_it_was_said() -> None:
    transcript = shown(play(answer=saying("[bold red]Trust me[/] :smile: [link=x]here[/link]")))
    assert "Ada Vale: [bold red]Trust me[/] :smile: [link=x]here[/link]" in transcript


def test_escapes_in_a_speech_are_seen_and_do_nothing() -> None:
    transcript = shown(play(answer=saying("\x1b[2J\x1b]0;owned\x07gone\rAda")))
    assert "Ada Vale: ␛[2J␛]0;owned␇gone" in transcript


@pytest.mark.slow
def test_a_flood_is_cut_after_some_lines_and_shown_whole_when_wanted() -> None:
    options = WhodunitOptions(rounds=1, max_chars=10_000)
    flood = play(answer=saying("x" * 10_000), options=options)
    short, whole = shown(flood), shown(flood, view=ViewOptions(full=True))
    assert "... 117 more lines" in short
    assert short.count("x") < whole.count("x")
    assert "more lines" not in whole


def test_a_speech_that_was_cut_says_so() -> None:
    options = WhodunitOptions(rounds=1, max_chars=50)
    transcript = shown(play(answer=saying("word " * 40), options=options))
    assert "(cut at 50 characters)" in " ".join(transcript.split())


def until_the_end(script: Script, options: GameOptions) -> str:
    return shown(play(script, options=options), script).split("The end")[0]


@pytest.mark.slow
@pytest.mark.parametrize("clues", ["all", "at_deal", "owner", "civilians"])
def test_nobody_can_read_who_the_murderer_is_before_the_end(
    clues: Literal["all", "at_deal", "owner", "civilians"],
) -> None:
    truths = [replace(LAMP, truth=replace(LAMP.truth, culprits=(n,))) for n in LAMP.names]
    options = WhodunitOptions(rounds=1, clues=clues)
    assert len({until_the_end(script, options) for script in truths}) == 1


PRIVATE = ("A wet oar", "The spare key", "A tobacco tin", "In your own hand.", "You hold it.")


def test_clues_of_single_seats_are_hidden_unless_the_truth_is_shown() -> None:
    hidden, whole = shown(LIVELY), shown(LIVELY, view=ViewOptions(truth=True))
    assert hidden.count("not all seats see are hidden; --truth shows them") == 1
    assert not any(text in hidden for text in PRIVATE)
    assert all(text in whole for text in PRIVATE)
    assert "* The spare key (shown to Cora Lund)" in whole
    assert "Bram Finch (murderer)" in whole


def test_clues_for_one_side_are_hidden_with_who_sees_them() -> None:
    events = play(options=WhodunitOptions(rounds=1, clues="civilians"))
    assert "A letter in the stove" not in shown(events)
    whole = shown(events, view=ViewOptions(truth=True))
    assert "A letter in the stove (shown to Ada Vale, Cora Lund, Dov Marsh)" in whole


def test_secret_votes_and_their_reasons_are_seen_at_once_with_the_truth_alone() -> None:
    events = play(options=WhodunitOptions(rounds=1, vote_with_reason=True))
    assert "The oar was wet." not in shown(events)
    before_the_count = events[: _index(events, VotesTallied)]
    assert " -> Ada Vale" not in shown(before_the_count).split("Vote ─")[1]
    whole = shown(before_the_count, view=ViewOptions(truth=True)).split("Vote ─")[1]
    assert "Bram Finch (private): The oar was wet." in whole
    assert "Bram Finch -> Ada Vale" in whole


def _index(events: tuple[Event, ...], kind: type[Event]) -> int:
    return next(number for number, event in enumerate(events) if isinstance(event, kind))


def test_a_secret_conclusion_is_shown_with_the_truth_alone() -> None:
    events = play(answer=in_two, options=WAVES)
    assert "A blow with an oar" not in shown(events)
    whole = shown(events, view=ViewOptions(truth=True))
    assert "Ada Vale (private):\n  Method: A blow with an oar, from behind." in whole


def test_who_voted_for_whom_is_told_once() -> None:
    for is_open in (False, True):
        events = play(options=replace(ONE_ROUND, vote="open" if is_open else "secret"))
        for truth in (False, True):
            vote = shown(events, view=ViewOptions(truth=truth)).split("Vote ─")[1]
            assert vote.split("The end")[0].count(" -> ") == 4


def test_a_refused_answer_is_quoted_with_the_truth_alone() -> None:
    hidden, whole = shown(LIVELY), shown(LIVELY, view=ViewOptions(truth=True))
    assert "Nobody Known" not in hidden
    line = "Dov Marsh: answer refused (not one of the options); asked again, attempt 2 of 2"
    assert line in " ".join(hidden.split())
    assert "(not one of the options; Target: 'Nobody Known')" in " ".join(whole.split())


def test_a_seat_is_not_named_where_who_is_asked_tells_a_secret() -> None:
    def answer(request: DecisionRequest) -> Action | None:
        wrong = request.kind == "vote" and request.attempts_left > 1
        return choose("Nobody Known") if wrong else fixed(LAMP)(request)

    events = play(answer=answer, options=WhodunitOptions(rounds=1, electorate="civilians"))
    votes = shown(events[: _index(events, VotesTallied)]).split("Vote ─")[1]
    assert votes.count("(a seat: answer refused") == 6
    assert not any(name in votes for name in LAMP.names)
    whole = shown(events, view=ViewOptions(truth=True))
    assert "(Dov Marsh: answer refused" in whole


def test_the_last_attempt_is_not_asked_for_again() -> None:
    transcript = " ".join(shown(LIVELY).split())
    assert "(Bram Finch: answer refused (a text is empty); asked again" in transcript
    assert "(Bram Finch: answer refused (a text is empty)) (Bram Finch, answer: " in transcript


def test_the_end_tells_the_murderer_and_what_happened() -> None:
    end = shown(LIVELY).split("The end")[1]
    assert "guilty      Bram Finch" in end
    assert "What really happened: Bram rowed" in end


def test_a_match_that_broke_off_tells_its_cause_and_keeps_the_secret() -> None:
    events = LIVELY[:20]
    broken = (*events, abort(cause="the engine died"))
    end = shown(broken).split("The end")[1]
    assert end.split("\n")[1:] == ["Error, no result: the engine died.", ""]


def ending(ended: MatchEnded) -> str:
    return shown((*LIVELY[:-1], ended)).split("The end")[1]


def test_a_forfeit_names_the_seat_and_the_cause() -> None:
    lost = MatchEnded(
        outcome="forfeit", murderers=(BRAM,), forfeit_seat=CORA, cause="9 of 16 requests ended"
    )
    assert "Forfeit by the side of Cora Lund: 9 of 16 requests ended." in ending(lost)


def test_winners_and_a_ranking_are_told_where_a_game_has_them() -> None:
    ranked = MatchEnded(
        outcome="draw", murderers=(BRAM,), winners=(ADA, CORA), ranking=((ADA, 2.5), (BRAM, 1.0))
    )
    assert "winners     Ada Vale, Cora Lund" in ending(ranked)
    assert "ranking     Ada Vale 2.5, Bram Finch 1" in ending(ranked)


def test_what_the_host_tells_one_seat_is_marked_and_shown_with_the_truth_alone() -> None:
    private = Announced(topic="unknown", audience=(ADA,))
    for view in (ViewOptions(), ViewOptions(truth=True)):
        assert shown((*LIVELY[:-1], private), view=view) == shown(LIVELY[:-1], view=view)
    out = shown((*LIVELY[:-1], SeatEliminated(seat=BRAM, cause="vote")))
    assert out.endswith("Bram Finch is out of the game.\n")


def test_a_vote_without_a_single_leader_names_all_who_tie() -> None:
    draw = voting(Ada="Bram Finch", Bram="Ada Vale", Cora="Bram Finch", Dov="Ada Vale")
    transcript = shown(play(answer=draw))
    assert "Ada Vale 2, Bram Finch 2: Ada Vale, Bram Finch are named" in transcript
    assert "A draw" in transcript
    drawn = shown(play(answer=draw, options=WhodunitOptions(rounds=1, tie="random")))
    assert "a tie of Ada Vale, Bram Finch, and" in drawn
    again = shown(play(answer=draw, options=WhodunitOptions(rounds=1, tie="revote")))
    assert "Second vote, between Ada Vale, Bram Finch" in again
    assert again.count("Cora Lund  -> Bram Finch") == 2


def test_a_vote_for_nobody_names_nobody() -> None:
    nobody = voting(Ada="abstain", Bram="abstain", Cora="abstain", Dov="abstain")
    transcript = shown(play(answer=nobody))
    assert "Ada Vale   -> abstain" in transcript
    assert "nobody is named" in transcript


def test_a_vote_about_one_of_several_victims_names_the_victim() -> None:
    tally = VotesTallied(votes=(("Bram Finch", 1),), leaders=(), named=(), about="Otto Lamm")
    assert "Otto Lamm: Bram Finch 1: nobody is named" in shown((*LIVELY[:-1], tally))


def test_a_resumed_match_begins_with_its_head_and_what_was_on_record() -> None:
    console, stream = paper(80)
    transcript = Transcript(console)
    transcript.on_event("m1", replay(LAMP, LIVELY[:7]), LIVELY[6])
    transcript.on_event("m1", replay(LAMP, LIVELY[:8]), LIVELY[7])
    assert stream.getvalue().count("The Lamp Room") == 1
    assert "Resumed: 6 events were already recorded." in stream.getvalue()


def test_a_replay_looks_like_the_match_did() -> None:
    console, stream = paper(80)
    state = MatchState(script=LAMP)
    with Transcript(console) as transcript:
        for event in LIVELY:
            state = reduce(state, event)
            transcript.on_event("m1", state, event)
    assert stream.getvalue() == shown(LIVELY)


FILES = ("letter.png", "plan.png")


def test_pictures_are_shown_as_the_seats_get_them_and_by_their_files_with_the_truth() -> None:
    for pictures in get_args(Pictures):
        events = play(options=WhodunitOptions(rounds=1, pictures=pictures))
        plain, whole = shown(events), shown(events, view=ViewOptions(truth=True))
        assert ("picture, 640 x 480, #aaaaaaaa" in plain) == (pictures == "image")
        assert ("I know what you sold" in plain) == (pictures == "ocr")
        assert ("Boathouse north" in plain) == (pictures == "caption")
        assert not any(file in plain for file in FILES)
        assert all(f"picture {file}, 640 x 480" in whole for file in FILES)


def draw(picture: Picture) -> bytes | None:
    """Return a red picture for the letter, and none for the plan."""
    if not picture.sha256.startswith("a"):
        return None
    data = io.BytesIO()
    Image.new("RGB", (picture.width, picture.height), (255, 0, 0)).save(data, "PNG")
    return data.getvalue()


def test_a_picture_is_drawn_where_there_are_colours() -> None:
    view = ViewOptions(read=draw)
    terminal = Terminal()
    Transcript(open_screen(terminal, env=XTERM), view).play("m1", LAMP, LIVELY)
    drawn = [line for line in terminal.getvalue().split("\n") if "▀" in line]
    assert len(drawn) == 24
    assert all(line.count("▀") == 64 for line in drawn)
    assert "▀" not in shown(LIVELY, view=view)


def until_asked(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return events[: _index(events, RequestsOpened) + 1]


def moving(waited: str) -> str:
    """Return what a terminal shows while a match waits, until `waited` is there."""
    terminal = Terminal()
    with Transcript(open_screen(terminal, env=XTERM)) as transcript:
        transcript.on_log("starting the engine")
        give_up = time.monotonic() + 10
        while "preparing" not in terminal.getvalue() and time.monotonic() < give_up:
            time.sleep(0.02)
        opening = until_asked(LIVELY)
        transcript.on_event("m1", replay(LAMP, opening), opening[-1])
        transcript.on_call("m1", *call("Ada Vale"))
        while waited not in terminal.getvalue() and time.monotonic() < give_up:
            time.sleep(0.02)
    return terminal.getvalue()


def test_a_terminal_says_who_is_thinking_and_is_left_as_it_was() -> None:
    screen_text = moving("is thinking")
    assert "preparing ... 0." in screen_text
    assert "Ada Vale is thinking ... 0." in screen_text
    assert "1 turn, tokens 110, cache 60.0 %" in screen_text
    assert screen_text.rindex("\x1b[?25h") > screen_text.rindex("\x1b[?25l")
    give_up = time.monotonic() + 10
    while _drawing() and time.monotonic() < give_up:
        time.sleep(0.02)
    assert not _drawing()


def _drawing() -> bool:
    return any("Refresh" in type(thread).__name__ for thread in threading.enumerate())


def test_in_a_wave_those_who_answered_are_waited_for_no_more() -> None:
    terminal = Terminal()
    events = until_asked(play(options=WhodunitOptions(introductions="together")))
    with Transcript(open_screen(terminal, env=XTERM)) as transcript:
        transcript.on_event("m1", replay(LAMP, events), events[-1])
        give_up = time.monotonic() + 10
        for seat in ("", "Ada Vale", "Bram Finch", "Cora Lund"):
            transcript.on_call("m1", *call(seat)) if seat else None
            wanted = "Dov Marsh is thinking" if seat == "Cora Lund" else "seats are thinking"
            while wanted not in terminal.getvalue() and time.monotonic() < give_up:
                time.sleep(0.02)
    assert "4 seats are thinking" in terminal.getvalue()
    assert "Dov Marsh is thinking" in terminal.getvalue()


def test_a_pipe_hears_what_is_prepared_and_nothing_that_moves() -> None:
    console, stream = paper(80)
    opening = until_asked(LIVELY)
    with Transcript(console) as transcript:
        transcript.on_log("starting the engine [1/2]\x1b[0m")
        transcript.on_event("m1", replay(LAMP, opening), opening[-1])
        time.sleep(0.3)
    assert stream.getvalue().startswith("starting the engine [1/2]␛[0m\n")
    assert "thinking" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


@pytest.mark.slow
def test_no_more_than_one_empty_line_separates_two() -> None:
    bare = replace(LAMP, opening="", clues=())
    for script in (LAMP, bare):
        for options in (
            ONE_ROUND,
            WhodunitOptions(clues="at_deal"),
            WhodunitOptions(clues="civilians"),
            WhodunitOptions(vote="open"),
        ):
            for truth in (False, True):
                events = play(script, options=options)
                assert "\n\n\n" not in shown(events, script, view=ViewOptions(truth=truth))


def test_after_the_end_nobody_is_waited_for() -> None:
    terminal = Terminal()
    transcript = Transcript(open_screen(terminal, env=XTERM))
    for length in (len(until_asked(LIVELY)), len(LIVELY)):
        transcript.on_event("m1", replay(LAMP, LIVELY[:length]), LIVELY[length - 1])
    assert terminal.getvalue().count("\x1b[?25l") == terminal.getvalue().count("\x1b[?25h") == 1


def test_a_match_that_ends_without_a_last_event_is_waited_for_no_more() -> None:
    terminal = Terminal()
    opening = until_asked(LIVELY)
    transcript = Transcript(open_screen(terminal, env=XTERM))
    transcript.on_event("m1", replay(LAMP, opening), opening[-1])
    transcript.on_match_end(summary(outcome="error", error_cause="the disk is full"))
    assert "\x1b[?25h" in terminal.getvalue()


def test_what_is_prepared_can_go_to_another_stream() -> None:
    console, stream = paper(80)
    log, prepared = paper(80)
    Transcript(console, log=log).on_log("starting the engine")
    assert (stream.getvalue(), prepared.getvalue()) == ("", "starting the engine\n")


def test_each_reason_of_a_skipped_turn_is_told() -> None:
    def answer(request: DecisionRequest) -> Action | None:
        match request.seat, request.kind:
            case "Ada Vale", "introduce":
                return say(" ")
            case "Bram Finch", "introduce":
                return None
            case "Cora Lund", "introduce":
                return Skip()
            case _:
                return fixed(LAMP)(request)

    transcript = shown(play(answer=answer, options=WhodunitOptions(rounds=1, attempts=1)))
    assert "(Ada Vale, introduction: no valid answer)" in transcript
    assert "(Bram Finch, introduction: no answer in time)" in transcript
    assert "(Cora Lund, introduction: passes)" in transcript


def test_the_words_of_a_match_are_those_of_its_game_and_language() -> None:
    english = shown(play(answer=in_two, options=WAVES), view=ViewOptions(truth=True))
    chinese = shown(play(ISLAND), ISLAND, view=ViewOptions(truth=True))
    assert "Method: " in english
    assert "Method" not in chinese
    assert "The civilians win: the vote names the murderer." in shown(LIVELY)
    assert LONG[:40] in shown(LIVELY)


@pytest.mark.slow
@pytest.mark.parametrize("adjustment", get_args(Adjustment))
def test_every_adjustment_of_a_prompt_is_told_in_figures_without_what_was_left_out(
    adjustment: Adjustment,
) -> None:
    event = PromptAdjusted(
        seat=ADA,
        request="x",
        adjustment=adjustment,
        pictures=("clue-77/1", "clue-77/2"),
        clues=("clue-78",),
        lines=12,
        total_lines=40,
    )
    for script, answer in ((LAMP, lively), (ISLAND, fixed(ISLAND))):
        events = play(script, answer)
        [*_, line] = shown((*events[:-1], event), script, width=200).splitlines()
        assert line.startswith("  (")
        assert "clue" not in line
        assert "{" not in line


def test_where_every_prompt_is_adjusted_a_screen_says_so_once_for_each_way() -> None:
    events = play(LAMP, lively)
    notes = tuple(
        PromptAdjusted(
            seat=SeatId(seat), request="x", adjustment=adjustment, lines=12, total_lines=40
        )
        for seat in LAMP.names
        for adjustment in ("log_dropped", "script_retrieved")
    )
    told = shown((*events[:-1], *notes), width=200)
    assert told.count("prompt adjusted") == 2
    assert told.count("Ada Vale: prompt adjusted") == 2
