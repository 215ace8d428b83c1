"""A match as a play to read."""

import io
import threading
import time
import unicodedata
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from rich.cells import cell_len

from arena.cli.console.streams import screen
from arena.cli.rendering.context import ViewOptions, scene
from arena.cli.rendering.events import render_event
from arena.cli.console.transcript import Transcript
from arena.cli.i18n.en import EN
from arena.core.actions import Action, Ask, Choose, Question, SeatId, Speak
from arena.core.events import Event, Noted
from arena.core.options import Options, Pictures
from arena.core.rules import fail
from arena.core.state import MatchState, fold, replay
from scripts_mm.script import Picture, Script
from tests.cli.golden_files import as_kept
from tests.cli.test_console import XTERM, Terminal
from tests.cli.test_safe import HOSTILE
from tests.cli.tiny import ISLAND, LAMP, Answer, call, fixed, lively, paper, play, shown, summary

KINDS = get_args(Pictures)
LIVELY = play(answer=lively, options=Options(tries=2), marks=("untrained stand-in",))


def in_two(ask: Ask) -> Action:
    """Ask the last of the others, after a statement of its own."""
    if ask.verb == "ask":
        return Question(target=SeatId(ask.options[-1]), text="What did you hear?")
    return fixed(LAMP)(ask)


def saying(text: str, script: Script = LAMP) -> Answer:
    """Return answers that say `text` wherever something can be said."""
    names = ("introduce", "share", "ask", "answer", "method", "motive", "reason")
    return fixed(script, **dict.fromkeys(names, text.replace("{", "(").replace("}", ")") or "-"))


def voting(**votes: str) -> Answer:
    """Return fixed answers with other votes, by first name."""

    def answer(ask: Ask) -> Action:
        choice = votes.get(ask.seat.split()[0])
        return Choose(option=choice) if ask.verb == "vote" and choice else fixed(LAMP)(ask)

    return answer


def test_a_lively_match_reads_as_it_should() -> None:
    assert as_kept("lively-80", shown(LIVELY, look=ViewOptions(show_pictures=True)))


def test_a_match_reads_well_on_a_narrow_screen() -> None:
    assert as_kept("lively-40", shown(LIVELY, width=40))


def test_a_chinese_match_reads_as_it_should() -> None:
    options = Options(rounds=2, vote="open", vote_with_reason=True, quorum="majority")
    assert as_kept("chinese-60", shown(play(ISLAND, options=options), ISLAND, width=60))


def test_a_match_in_waves_says_who_hears_what() -> None:
    options = Options(
        introductions="together", answers="batched", duties="two_asks", reasoning="secret"
    )
    assert as_kept("waves-80", shown(play(answer=in_two, options=options)))


def test_every_kind_of_event_is_shown() -> None:
    noted = Noted(seat=SeatId("Ada Vale"), ask="x", note="prompt log reset")
    seen: set[str] = set()
    for match in (play(options=Options(vote="open")), (*LIVELY[:-1], noted, LIVELY[-1])):
        state = MatchState(script=LAMP)
        for event in match:
            state = fold(state, event)
            console, stream = paper(80)
            for block in render(scene(state, ViewOptions(), EN), event):
                console.print(block)
            seen |= {event.kind} if stream.getvalue().strip() else set()
    assert seen == {get_args(event.__annotations__["kind"])[0] for event in get_args(Event)}


@settings(max_examples=40, deadline=None)
@given(HOSTILE, st.integers(20, 130), st.sampled_from(["secret", "open"]))
def test_no_line_is_wider_than_the_screen_and_nothing_steers_it(
    text: str, width: int, vote: str
) -> None:
    options = Options(vote_with_reason=True, vote="open" if vote == "open" else "secret")
    for script in (LAMP, ISLAND):
        said = shown(play(script, saying(text, script), options=options), script, width=width)
        assert all(cell_len(line) <= width for line in said.split("\n"))
        kinds = {unicodedata.category(char) for char in said.replace("\n", "")}
        assert not kinds & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@settings(max_examples=20, deadline=None)
@given(HOSTILE, st.integers(20, 60))
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
    said = shown(play(script), script, width=width)
    assert all(cell_len(line) <= width for line in said.split("\n"))


def test_markup_in_a_speech_is_shown_as_it_was_said() -> None:
    said = shown(play(answer=saying("[bold red]Trust me[/] :smile: [link=x]here[/link]")))
    assert "Ada Vale: [bold red]Trust me[/] :smile: [link=x]here[/link]" in said


def test_escapes_in_a_speech_are_seen_and_do_nothing() -> None:
    said = shown(play(answer=saying("\x1b[2J\x1b]0;owned\x07gone\rAda")))
    assert "Ada Vale: ␛[2J␛]0;owned␇gone" in said


def test_a_flood_is_cut_after_some_lines_and_shown_whole_when_wanted() -> None:
    flood = play(answer=saying("x" * 10_000), options=Options(max_chars=20_000))
    short, whole = shown(flood), shown(flood, look=ViewOptions(full=True))
    assert "... 117 more lines" in short
    assert short.count("x") < whole.count("x")
    assert "more lines" not in whole


def test_a_speech_that_was_cut_says_so() -> None:
    said = shown(play(answer=saying("word " * 40), options=Options(max_chars=50)))
    assert "(cut at 50 characters)" in " ".join(said.split())


def until_the_end(script: Script, options: Options) -> str:
    return shown(play(script, options=options), script).split("The end")[0]


@pytest.mark.parametrize("options", [Options(), Options(clues="at_deal"), Options(clues="owner")])
def test_nobody_can_read_who_the_murderer_is_before_the_end(options: Options) -> None:
    truths = [replace(LAMP, truth=replace(LAMP.truth, culprits=(n,))) for n in LAMP.names]
    assert len({until_the_end(script, options) for script in truths}) == 1


def test_clues_for_civilians_do_not_name_them() -> None:
    said = until_the_end(LAMP, Options(clues="civilians"))
    assert "(shown to the civilians only)" in said


def test_private_clues_have_no_title_unless_all_is_revealed() -> None:
    hidden, bare = shown(LIVELY), shown(LIVELY, look=ViewOptions(reveal=True))
    assert "dealt to Cora Lund: 2 clues (titles hidden)" in hidden
    assert "A wet oar" not in hidden
    assert "dealt to Cora Lund: 2 clues (The spare key, A tobacco tin)" in bare
    assert "Bram Finch (murderer)" in bare


def test_the_end_tells_the_murderer_and_what_happened() -> None:
    end = shown(LIVELY).split("The end")[1]
    assert "guilty      Bram Finch" in end
    assert "What really happened: Bram rowed" in end


def test_a_match_that_broke_off_tells_its_cause_and_keeps_the_secret() -> None:
    events = LIVELY[:20]
    broken = (*events, fail(replay(LAMP, events), cause="the engine died"))
    end = shown(broken).split("The end")[1]
    assert end.split("\n")[1:] == ["Error, no result: the engine died.", ""]


def test_a_vote_without_a_single_leader_names_all_who_tie() -> None:
    draw = voting(Ada="Bram Finch", Bram="Ada Vale", Cora="Bram Finch", Dov="Ada Vale")
    said = shown(play(answer=draw))
    assert "Ada Vale 2, Bram Finch 2: Ada Vale, Bram Finch are named" in said
    assert "A draw" in said
    drawn = shown(play(answer=draw, options=Options(tie="random")))
    assert "a tie of Ada Vale, Bram Finch, and" in drawn
    again = shown(play(answer=draw, options=Options(tie="revote")))
    assert "Vote, again, between Ada Vale, Bram Finch" in again
    assert again.count("Cora Lund  -> Bram Finch") == 2


def test_a_vote_for_nobody_names_nobody() -> None:
    said = shown(play(answer=voting(Ada="abstain", Bram="abstain", Cora="abstain", Dov="abstain")))
    assert "Ada Vale   -> abstains" in said
    assert "nobody is named" in said


def test_a_resumed_match_begins_with_its_head_and_what_was_on_record() -> None:
    console, stream = paper(80)
    transcript = Transcript(console)
    transcript.event("m1", replay(LAMP, LIVELY[:7]), LIVELY[6])
    transcript.event("m1", replay(LAMP, LIVELY[:8]), LIVELY[7])
    said = stream.getvalue()
    assert said.count("The Lamp Room") == 1
    assert "Resumed: 6 events were on record already." in said


def test_a_replay_looks_like_the_match_did() -> None:
    console, stream = paper(80)
    state = MatchState(script=LAMP)
    with Transcript(console) as transcript:
        for event in LIVELY:
            state = fold(state, event)
            transcript.event("m1", state, event)
    assert stream.getvalue() == shown(LIVELY)


def test_pictures_that_seats_did_not_get_are_marked() -> None:
    words = {name: shown(play(options=Options(pictures=name)), width=100) for name in KINDS}
    assert "seats get its text instead" in words["ocr"]
    assert "seats get its description instead" in words["caption"]
    assert "not shown to the seats" in words["none"]
    assert "seats get" not in words["image"]


def draw(picture: Picture) -> bytes | None:
    """Return a red picture for the letter, and none for the plan."""
    if picture.file != "letter.png":
        return None
    data = io.BytesIO()
    Image.new("RGB", (picture.width, picture.height), (255, 0, 0)).save(data, "PNG")
    return data.getvalue()


def test_a_picture_is_drawn_where_there_are_colours_and_described_elsewhere() -> None:
    look = ViewOptions(show_pictures=True, read=draw)
    terminal = Terminal()
    Transcript(screen(terminal, env=XTERM), look).play("m1", LAMP, LIVELY)
    drawn = [line for line in terminal.getvalue().split("\n") if "▀" in line]
    assert len(drawn) == 24
    assert all(line.count("▀") == 64 for line in drawn)
    plain = shown(LIVELY, look=look)
    assert "▀" not in plain
    assert "Boathouse north, tower south." in plain


def moving(waited: str) -> str:
    """Return what a terminal shows while a match waits, until `waited` stands there."""
    terminal = Terminal()
    with Transcript(screen(terminal, env=XTERM)) as transcript:
        transcript.said("starting the engine")
        give_up = time.monotonic() + 10
        while "preparing" not in terminal.getvalue() and time.monotonic() < give_up:
            time.sleep(0.02)
        opening = play(answer=lively)[:5]
        transcript.event("m1", replay(LAMP, opening), opening[-1])
        transcript.called("m1", *call("Ada Vale"))
        while waited not in terminal.getvalue() and time.monotonic() < give_up:
            time.sleep(0.02)
    return terminal.getvalue()


def test_a_terminal_says_who_is_thinking_and_is_left_as_it_was() -> None:
    said = moving("is thinking")
    assert "preparing ... 0." in said
    assert "Ada Vale is thinking ... 0." in said
    assert "1 turn, tokens 110, cache 60.0 %" in said
    assert said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l")
    give_up = time.monotonic() + 10
    while _drawing() and time.monotonic() < give_up:
        time.sleep(0.02)
    assert not _drawing()


def _drawing() -> bool:
    return any("Refresh" in type(thread).__name__ for thread in threading.enumerate())


def test_in_a_wave_those_who_answered_are_waited_for_no_more() -> None:
    options = Options(introductions="together")
    terminal = Terminal()
    events = play(options=options)
    with Transcript(screen(terminal, env=XTERM)) as transcript:
        first = next(i for i, event in enumerate(events) if event.kind == "began")
        transcript.event("m1", replay(LAMP, events[: first + 1]), events[first])
        give_up = time.monotonic() + 10
        for seat in ("", "Ada Vale", "Bram Finch", "Cora Lund"):
            transcript.called("m1", *call(seat)) if seat else None
            wanted = "Dov Marsh is thinking" if seat == "Cora Lund" else "seats are thinking"
            while wanted not in terminal.getvalue() and time.monotonic() < give_up:
                time.sleep(0.02)
    assert "4 seats are thinking" in terminal.getvalue()
    assert "Dov Marsh is thinking" in terminal.getvalue()


def test_a_pipe_hears_what_is_prepared_and_nothing_that_moves() -> None:
    console, stream = paper(80)
    with Transcript(console) as transcript:
        transcript.said("starting the engine [1/2]\x1b[0m")
        transcript.event("m1", replay(LAMP, LIVELY[:5]), LIVELY[4])
        time.sleep(0.3)
    assert stream.getvalue().startswith("starting the engine [1/2]␛[0m\n")
    assert "thinking" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_no_more_than_one_empty_line_stands_between_two() -> None:
    bare = replace(LAMP, opening="", clues=())
    for script in (LAMP, bare):
        for options in (Options(), Options(clues="at_deal"), Options(vote="open")):
            assert "\n\n\n" not in shown(play(script, options=options), script)


def test_after_the_end_nobody_is_waited_for() -> None:
    terminal = Terminal()
    transcript = Transcript(screen(terminal, env=XTERM))
    for length in (5, len(LIVELY)):
        transcript.event("m1", replay(LAMP, LIVELY[:length]), LIVELY[length - 1])
    assert terminal.getvalue().count("\x1b[?25l") == terminal.getvalue().count("\x1b[?25h") == 1


def test_a_match_that_ends_without_a_last_event_is_waited_for_no_more() -> None:
    terminal = Terminal()
    transcript = Transcript(screen(terminal, env=XTERM))
    transcript.event("m1", replay(LAMP, LIVELY[:5]), LIVELY[4])
    transcript.ended(summary(outcome="error", error_cause="the disk is full"))
    assert "\x1b[?25h" in terminal.getvalue()


def test_what_is_prepared_can_stand_beside_the_match() -> None:
    console, stream = paper(80)
    beside, aside = paper(80)
    Transcript(console, aside=beside).said("starting the engine")
    assert (stream.getvalue(), aside.getvalue()) == ("", "starting the engine\n")


def test_silence_and_speech_are_told_apart() -> None:
    def mute(ask: Ask) -> Action:
        return Speak(text=" ") if ask.verb in {"introduce", "answer"} else fixed(LAMP)(ask)

    said = shown(play(answer=mute, options=Options(tries=1)))
    assert "(Ada Vale: says nothing; empty: 'text')" in said
    assert "Bram Finch -> Ada Vale: (no answer; empty: 'text')" in said
