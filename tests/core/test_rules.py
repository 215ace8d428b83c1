"""The WhodunitBench protocol, played by hand: who is asked, and what follows."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import (
    Action,
    Ask,
    Choose,
    Decline,
    Garbled,
    SeatId,
    ShareAndAsk,
    Speak,
)
from arena.core.asking import asks
from arena.core.events import Began, Counted, Passed, Rejected, Revealed, Spoke
from arena.core.judging import cut
from arena.core.options import Options
from arena.core.protocols.whodunit import PRESETS
from arena.core.rules import decide, give_up, open_match
from arena.core.state import MatchState, fold, replay
from scripts_mm.script import ScriptError
from tests.table import MURDERER, NAMES, begin, case, hostile, legal, play, setup

PRESET = st.sampled_from([Options(**values) for values in PRESETS.values()])  # pyright: ignore[reportArgumentType]
OPTIONS = st.builds(
    Options,
    rounds=st.integers(1, 2),
    duties=st.sampled_from(["one_ask", "two_asks"]),
    answers=st.sampled_from(["immediate", "batched"]),
    introductions=st.sampled_from(["sequential", "together"]),
    clues=st.sampled_from(["all", "civilians", "at_deal", "owner"]),
    reasoning=st.sampled_from(["heard", "secret", "together"]),
    vote=st.sampled_from(["secret", "open"]),
    quorum=st.sampled_from(["plurality", "majority", "half"]),
    base=st.sampled_from(["eligible", "cast"]),
    tie=st.sampled_from(["draw", "none", "random", "revote", "any_killer"]),
    electorate=st.sampled_from(["all", "civilians"]),
    self_vote=st.booleans(),
    vote_with_reason=st.booleans(),
    order=st.sampled_from(["script", "shuffled", "rotated"]),
    pictures=st.sampled_from(["image", "ocr", "caption", "none"]),
    max_faults=st.sampled_from([None, 0, 3, 100]),
)


def after(state: MatchState, ask: Ask, action: Action) -> MatchState:
    for event in decide(state, ask, action):
        state = fold(state, event)
    return state


def until(verb: str, options: Options | None = None) -> MatchState:
    state, chance = begin(setup(options)), Random(3)
    while asks(state)[0].verb != verb:
        for ask in asks(state):
            state = after(state, ask, legal(ask, chance))
    return state


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_match_has_n_times_two_r_plus_three_asks(rounds: int) -> None:
    count = 0

    def counted(ask: Ask) -> Action:
        nonlocal count
        count += 1
        return legal(ask, Random(0))

    state = play(begin(setup(Options(rounds=rounds))), counted)
    assert state.closed is not None
    assert count == len(NAMES) * (2 * rounds + 3)


def test_the_preset_wide_has_five_waves() -> None:
    state, waves = begin(setup(Options(**PRESETS["wide"]))), 0  # pyright: ignore[reportArgumentType]
    while pending := asks(state):
        waves += 1
        for ask in pending:
            state = after(state, ask, legal(ask, Random(waves)))
    assert waves == 5


def test_a_question_is_answered_before_the_next_seat_speaks() -> None:
    state = until("share_and_ask")
    first = asks(state)[0]
    target = SeatId(NAMES[3])
    asked = ShareAndAsk(share="I saw light.", target=target, question="Where were you?")
    state = after(state, first, asked)
    [answer] = asks(state)
    assert (answer.verb, answer.seat, answer.asker) == ("answer", target, first.seat)
    assert answer.question == "Where were you?"


def test_a_seat_may_question_and_vote_for_anybody_but_itself() -> None:
    for verb in ("share_and_ask", "vote"):
        for ask in asks(until(verb)):
            assert ask.seat not in ask.options
            assert set(ask.options) - {"abstain"} == set(NAMES) - {ask.seat}


def test_self_votes_and_the_electorate_are_options() -> None:
    state = until("vote", Options(self_vote=True, electorate="civilians"))
    assert {ask.seat for ask in asks(state)} == set(NAMES) - {MURDERER}
    assert all(ask.seat in ask.options for ask in asks(state))


def test_a_murderer_whose_player_never_votes_is_not_asked() -> None:
    state = begin(setup(never_vote=(MURDERER,)))
    assert MURDERER not in state.opening.electorate
    assert len(state.opening.electorate) == len(NAMES) - 1


def test_an_illegal_answer_is_asked_again_with_its_fault_and_then_passes() -> None:
    state = until("share_and_ask")
    wrong = ShareAndAsk(share="I heard steps.", target=SeatId("Nobody"), question="Why?")
    for tries in (3, 2, 1):
        [ask] = asks(state)
        assert ask.tries == tries
        assert (ask.fault, ask.came) == ((None, "") if tries == 3 else ("not_an_option", "Nobody"))
        state = after(state, ask, wrong)
    spoke, passed = state.history[-2:]
    assert isinstance(spoke, Spoke)
    assert spoke.text == "I heard steps."
    assert isinstance(passed, Passed)
    assert passed.fault
    assert asks(state)[0].seat != passed.seat


def test_the_share_of_a_garbled_reply_is_kept_when_no_try_is_left() -> None:
    state = until("share_and_ask")
    for _ in range(3):
        state = after(state, asks(state)[0], Garbled(missing="target", raw="?", share="Half."))
    assert isinstance(state.history[-2], Spoke)
    assert state.history[-2].text == "Half."


def test_what_a_player_declines_by_design_is_no_fault() -> None:
    state = until("share_and_ask")
    state = after(state, asks(state)[0], Decline())
    passed = state.history[-1]
    assert isinstance(passed, Passed)
    assert not passed.fault


def test_clues_reach_whom_the_option_says() -> None:
    def reach(clues: str) -> list[tuple[str, tuple[str, ...]]]:
        state = begin(setup(Options(clues=clues)))  # pyright: ignore[reportArgumentType]
        state = play(state, lambda ask: legal(ask, Random(0)))
        return [(e.clue, tuple(e.to)) for e in state.history if isinstance(e, Revealed)]

    innocent = tuple(name for name in NAMES if name != MURDERER)
    bram = ("note", (NAMES[1],))
    assert reach("all") == [bram, ("log", NAMES), ("plan", NAMES)]
    assert reach("civilians") == [bram, ("log", innocent), ("plan", innocent)]
    assert reach("at_deal") == [bram, ("log", NAMES), ("plan", NAMES)]
    dealt = reach("owner")
    assert [len(to) for _, to in dealt] == [1, 1, 1]
    assert begin(setup(Options(clues="at_deal"))).history[2].kind == "revealed"


def test_a_tie_is_voted_on_again_among_the_tied_alone() -> None:
    state = until("vote", Options(tie="revote", revotes=1))
    choices = (NAMES[1], NAMES[0], NAMES[0], NAMES[1], "abstain")
    votes: dict[str, str] = dict(zip(NAMES, choices, strict=True))
    for ask in asks(state):
        state = after(state, ask, Choose(option=votes[ask.seat]))
    assert isinstance(state.began, Began)
    assert state.began.candidates == (NAMES[0], NAMES[1])
    assert all(set(ask.options) <= {NAMES[0], NAMES[1], "abstain"} for ask in asks(state))
    for ask in asks(state):
        state = after(state, ask, Choose(option=votes[ask.seat]))
    assert sum(isinstance(event, Counted) for event in state.history) == 2
    assert state.closed is not None, "a second tie is not voted on again"
    assert state.closed.outcome == "murderer_win"


def test_a_contestant_that_fails_more_than_half_of_its_asks_forfeits() -> None:
    def answer(ask: Ask) -> Action:
        return Speak(text="") if ask.seat == MURDERER else legal(ask, Random(1))

    closed = play(begin(setup()), answer).closed
    assert closed is not None
    assert (closed.outcome, closed.forfeit_seat) == ("forfeit", MURDERER)


def test_a_budget_given_as_a_number_ends_the_match_at_once() -> None:
    state = begin(setup(Options(max_faults=0)))
    for event in give_up(state, asks(state)[0], reason="no answer within 1 s"):
        state = fold(state, event)
    assert state.closed is not None
    assert (state.closed.outcome, state.closed.forfeit_seat) == ("forfeit", NAMES[0])


@pytest.mark.parametrize(
    ("culprits", "options", "wrong"),
    [
        pytest.param(NAMES, Options(), "a role on each side", id="all-guilty"),
        pytest.param(NAMES[:2], Options(strict_one=True), "strict_one", id="two-and-strict"),
    ],
)
def test_a_script_without_two_factions_is_refused(
    culprits: tuple[str, ...], options: Options, wrong: str
) -> None:
    with pytest.raises(ScriptError, match=wrong):
        open_match(setup(options, script=case(culprits=culprits)))


def test_naming_any_of_several_murderers_is_a_win() -> None:
    script = case(culprits=(NAMES[2], NAMES[4]))
    state = play(
        begin(setup(script=script)),
        lambda ask: (
            Choose(option=NAMES[4] if ask.seat != NAMES[4] else NAMES[0])
            if ask.verb == "vote"
            else legal(ask, Random(0))
        ),
    )
    assert state.closed is not None
    assert state.closed.outcome == "civ_win"


def test_a_long_text_is_cut_at_the_end_of_a_sentence() -> None:
    assert cut("One. Two. Three is long", 12) == ("One. Two.", True)
    assert cut("没有。结束了但是很长", 6) == ("没有。", True)
    assert cut("abcdefgh", 4) == ("abcd", True)
    assert cut("  short ", 10) == ("short", False)


@given(options=OPTIONS, seed=st.integers(0, 10**6))
def test_every_match_of_any_answers_ends_and_replays_to_the_same_state(
    options: Options, seed: int
) -> None:
    chance = Random(seed)
    state = play(begin(setup(options, seed=seed)), lambda ask: hostile(ask, chance), asks_left=2000)
    assert state.closed is not None
    assert replay(state.script, state.history) == state
    rejected = [event for event in state.history if isinstance(event, Rejected)]
    assert len(rejected) <= 2 * len({event.ask for event in rejected})


@given(options=OPTIONS, seed=st.integers(0, 10**6))
def test_waves_taken_one_by_one_give_the_same_events(options: Options, seed: int) -> None:
    def answer(ask: Ask) -> Action:
        return hostile(ask, Random(f"{seed}/{ask.id}/{ask.tries}"))

    together = play(begin(setup(options, seed=seed)), answer)
    # A rejected ask of a wave is asked again after the others, so ids and texts, not order, agree.
    serial = play(begin(setup(replace(options, tries=1), seed=seed)), answer, serial=True)
    at_once = play(begin(setup(replace(options, tries=1), seed=seed)), answer)
    assert serial.history == at_once.history
    assert together.closed is not None
