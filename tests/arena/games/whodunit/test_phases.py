"""The steps of a match: who is asked for what, when, and who hears it."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.core.actions import Reply, Skip, UnparsedReply, fill, say
from arena.core.events import (
    ActionAccepted,
    ClueRevealed,
    MatchEnded,
    PhaseStarted,
    QuestionAsked,
    RequestsOpened,
    Said,
    TurnSkipped,
)
from arena.core.observation import Spectator, observe
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, Form, FreeText
from arena.core.state import MatchState, pending
from arena.core.transitions import RefusedActionError, apply
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import PRESETS, WhodunitOptions
from scripts_mm.script import ScriptError
from tests.arena.games.whodunit.scenes import events_of, start, until
from tests.table import (
    MURDERER,
    NAMES,
    act,
    begin,
    case,
    legal,
    play,
    setup,
)

ADA, BRAM, CLEO, DIRK, EDDA = (SeatId(name) for name in NAMES)
INNOCENT = tuple(name for name in NAMES if name != MURDERER)


def finish(state: MatchState) -> MatchState:
    chance = Random(0)
    return play(state, lambda request: legal(request, chance))


def requests(state: MatchState) -> list[DecisionRequest]:
    return [one for event in events_of(state, RequestsOpened) for one in event.requests]


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("answers", ["immediate", "batched"])
def test_a_match_has_n_times_two_r_plus_three_requests(rounds: int, answers: str) -> None:
    state = finish(start(rounds=rounds, answers=answers))
    assert len(requests(state)) == len(NAMES) * (2 * rounds + 3)


@pytest.mark.parametrize("answers", ["immediate", "batched"])
def test_two_duties_in_two_answers_are_n_requests_a_round_more(answers: str) -> None:
    state = finish(start(rounds=2, duties="two_asks", answers=answers))
    assert len(requests(state)) == len(NAMES) * (3 * 2 + 3)


def test_phases_follow_each_other() -> None:
    steps = [(one.phase, one.round) for one in events_of(finish(start(rounds=2)), PhaseStarted)]
    assert steps == [
        ("introduction", 1),
        ("clues", 1),
        ("discussion", 1),
        ("discussion", 2),
        ("reasoning", 1),
        ("voting", 1),
    ]


def test_each_phase_asks_for_its_kind_in_its_form() -> None:
    kinds: dict[str, list[str]] = {}
    forms: dict[str, type] = {}
    for one in requests(finish(start(rounds=1))):
        kinds.setdefault(one.phase, []).append(one.kind)
        forms[one.kind] = type(one.spec)
    assert kinds == {
        "introduction": ["introduce"] * 5,
        "discussion": ["share_and_ask"] * 5 + ["answer"] * 5,
        "reasoning": ["conclude"] * 5,
        "voting": ["vote"] * 5,
    }
    assert forms == {
        "introduce": FreeText,
        "share_and_ask": Form,
        "answer": FreeText,
        "conclude": Form,
        "vote": Choice,
    }


def test_two_duties_in_turn_are_one_seat_after_the_other() -> None:
    state = until(start(rounds=1, duties="two_asks"), "speak")
    kinds = [(one.seat, one.kind) for one in state.open]
    assert kinds[:4] == [(ADA, "speak"), (ADA, "ask"), (BRAM, "speak"), (BRAM, "ask")]


def test_batched_duties_have_a_step_each() -> None:
    state = finish(start(rounds=1, duties="two_asks", answers="batched"))
    steps = [one.step for one in events_of(state, PhaseStarted) if one.phase == "discussion"]
    assert steps == ["speak", "ask", "answer"]


def test_the_preset_wide_has_two_waves_a_round_and_three_more() -> None:
    state, waves = begin(setup(WhodunitOptions(**PRESETS["wide"]))), 0  # pyright: ignore[reportArgumentType]
    while waiting := pending(state):
        waves += 1
        for request in waiting:
            state = act(state, request, legal(request, Random(waves)))
    assert waves == 2 * 3 + 3


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_plays_to_the_end(name: str) -> None:
    state = finish(begin(setup(WhodunitOptions(**PRESETS[name]))))  # pyright: ignore[reportArgumentType]
    assert state.ended is not None


def test_a_question_is_answered_before_the_next_seat_speaks() -> None:
    state = until(start(), "share_and_ask")
    first = pending(state)[0]
    asked = fill(share="I saw light.", target=DIRK, question="Where were you?")
    state = act(state, first, asked)
    [answer] = pending(state)
    assert (answer.kind, answer.seat, answer.context_value("asker")) == ("answer", DIRK, first.seat)
    assert answer.context_value("question") == "Where were you?"
    state = act(state, answer, say("At home."))
    said = events_of(state, Said)[-1]
    assert (said.seat, said.to, said.text, said.audience) == (DIRK, first.seat, "At home.", "all")
    assert pending(state)[0].seat == BRAM


def test_batched_questions_are_answered_after_all_were_put() -> None:
    state = until(start(answers="batched", rounds=2), "answer")
    assert len(events_of(state, QuestionAsked)) == len(NAMES)
    assert len(pending(state)) == len(NAMES)
    state = until(act_all(state), "answer")
    assert [one.round for one in pending(state)] == [2] * len(NAMES), "only those of this round"


def act_all(state: MatchState) -> MatchState:
    for one in pending(state):
        state = act(state, one, legal(one, Random(1)))
    return state


def test_a_seat_may_question_and_vote_for_anybody_but_itself() -> None:
    state = until(start(), "share_and_ask")
    one = pending(state)[0]
    assert isinstance(one.spec, Form)
    target = one.spec.fields[1].spec
    assert isinstance(target, Choice)
    assert target.options == tuple(name for name in NAMES if name != one.seat)
    for vote in pending(until(state, "vote")):
        assert isinstance(vote.spec, Choice)
        assert set(vote.spec.options) == {*NAMES, "abstain"} - {vote.seat}


def test_a_vote_during_the_introduction_and_a_second_vote_are_refused() -> None:
    early = start()
    voting = until(early, "vote")
    vote = pending(voting)[0]
    with pytest.raises(RefusedActionError):
        apply(WHODUNIT, early, vote, legal(vote, Random(0)))
    voted = act(voting, vote, legal(vote, Random(0)))
    with pytest.raises(RefusedActionError):
        apply(WHODUNIT, voted, vote, legal(vote, Random(1)))


def test_a_conclusion_may_name_a_culprit() -> None:
    state = until(start(), "conclude")
    one = pending(state)[0]
    assert isinstance(one.spec, Form)
    assert [field.name for field in one.spec.fields] == ["method", "motive", "culprit"]
    assert one.spec.fields[2].optional
    culprits = one.spec.fields[2].spec
    assert isinstance(culprits, Choice)
    assert set(culprits.options) == {*NAMES} - {one.seat}
    state = act(state, one, fill(method="With a knife.", motive="Envy.", culprit=CLEO))
    said = events_of(state, Said)[-1]
    assert dict(said.parts) == {"method": "With a knife.", "motive": "Envy.", "culprit": CLEO}
    nameless = act(state, pending(state)[0], fill(method="How.", motive="Why."))
    assert dict(events_of(nameless, Said)[-1].parts)["culprit"] == ""


@pytest.mark.parametrize(
    ("reasoning", "audience", "mode"),
    [
        ("heard", "all", "turns"),
        ("secret", (ADA,), "simultaneous"),
        ("together", "all", "simultaneous"),
    ],
)
def test_conclusions_are_heard_as_the_option_says(
    reasoning: str, audience: object, mode: str
) -> None:
    state = until(start(reasoning=reasoning), "conclude")
    assert state.mode == mode
    state = act(state, pending(state)[0], fill(method="M", motive="W"))
    assert events_of(state, Said)[-1].audience == audience


def test_the_share_of_an_unfinished_reply_is_kept_when_no_attempt_is_left() -> None:
    state = until(start(), "share_and_ask")
    seat = pending(state)[0].seat
    for _ in range(3):
        unread = UnparsedReply(missing="target", text="?", partial=(("share", "Half."),))
        state = act(state, pending(state)[0], unread)
    said, skipped = state.history[-2:]
    assert isinstance(said, Said)
    assert (said.seat, said.text) == (seat, "Half.")
    assert isinstance(skipped, TurnSkipped)
    assert (skipped.seat, skipped.cause) == (seat, "invalid")
    assert not events_of(state, QuestionAsked)


def test_a_share_that_came_with_a_wrong_target_is_kept_too() -> None:
    state = until(start(attempts=1), "share_and_ask")
    wrong = fill(share="I heard steps.", target="Nobody", question="Why?")
    state = act(state, pending(state)[0], wrong)
    assert events_of(state, Said)[-1].text == "I heard steps."


@pytest.mark.parametrize(
    ("kind", "options", "is_public"),
    [
        ("introduce", {}, True),
        ("share_and_ask", {}, True),
        ("conclude", {}, True),
        ("conclude", {"reasoning": "together"}, True),
        ("conclude", {"reasoning": "secret"}, False),
        ("vote", {}, False),
        ("vote", {"vote": "open"}, True),
    ],
)
def test_a_skip_is_noticed_where_its_answer_would_have_been(
    kind: str, options: dict[str, Any], is_public: bool
) -> None:
    state = until(start(**options), kind)
    seat = pending(state)[0].seat
    state = act(state, pending(state)[0], Skip())
    assert events_of(state, TurnSkipped)[-1].audience == ("all" if is_public else (seat,))


def test_a_text_that_was_cut_says_so() -> None:
    state = until(start(max_chars=5), "share_and_ask")
    state = act(state, pending(state)[0], fill(share="abcdefgh", target=BRAM, question="Why?"))
    said, asked = events_of(state, Said)[-1], events_of(state, QuestionAsked)[-1]
    assert (said.text, said.truncated) == ("abcde", True)
    assert (asked.text, asked.truncated) == ("Why?", False)


def test_clues_reach_whom_the_option_says() -> None:
    def reach(clues: str) -> list[tuple[str, object, str]]:
        found = events_of(finish(start(clues=clues)), ClueRevealed)
        return [(one.clue, one.audience, one.cause) for one in found]

    note = ("note", (BRAM,), "dealt")
    assert reach("all") == [note, ("log", "all", "shown"), ("plan", "all", "shown")]
    assert reach("civilians") == [note, ("log", INNOCENT, "shown"), ("plan", INNOCENT, "shown")]
    assert reach("at_deal") == [note, ("log", "all", "dealt"), ("plan", "all", "dealt")]
    dealt = reach("owner")
    assert dealt[0] == note
    assert {clue for clue, _, _ in dealt} == {"note", "log", "plan"}
    assert all(cause == "dealt" for _, _, cause in dealt)
    assert [audience for _, audience, _ in dealt[1:]] == [(ADA,), (BRAM,)]


def test_clues_dealt_to_single_seats_are_drawn_by_the_seed() -> None:
    first = {events_of(start(clues="owner", seed=seed), ClueRevealed)[1].clue for seed in range(9)}
    assert first == {"log", "plan"}


def test_common_clues_come_after_the_introductions_or_before() -> None:
    assert not [one for one in events_of(start(), ClueRevealed) if one.clue == "log"]
    before = events_of(start(clues="at_deal"), ClueRevealed)
    assert [one.clue for one in before] == ["note", "log", "plan"]


def test_a_private_clue_is_private_to_its_owner_and_to_nobody_else() -> None:
    state = start()
    [clue] = observe(state, BRAM).clues
    assert (clue.title, clue.private) == ("A note", True)
    assert observe(state, ADA).clues == ()
    shown = until(state, "share_and_ask")
    assert [one.private for one in observe(shown, ADA).clues] == [False, False]


@pytest.mark.parametrize("known", [True, False])
def test_several_murderers_know_each_other_where_the_option_says(known: bool) -> None:
    script = case(culprits=(CLEO, EDDA))
    state = start(script=script, murderers_know_each_other=known)
    assert state.started.part(CLEO).knows == ((EDDA,) if known else ())
    assert state.started.part(EDDA).knows == ((CLEO,) if known else ())
    assert state.started.part(ADA).knows == ()
    told = WHODUNIT.texts(observe(state, CLEO)).role()
    assert (EDDA in told) is known
    assert "You are the murderer" not in told


def test_murderers_in_league_know_each_other_under_either_option() -> None:
    script = case(culprits=(CLEO, EDDA))
    leagued = replace(script, truth=replace(script.truth, in_league=True))
    for known in (True, False):
        state = start(script=leagued, murderers_know_each_other=known)
        assert state.started.part(CLEO).knows == (EDDA,)
        assert EDDA in WHODUNIT.texts(observe(state, CLEO)).role()
        assert state.started.part(ADA).knows == ()


def test_a_sole_murderer_knows_that_all_others_are_innocent() -> None:
    state = start(murderers_know_each_other=True)
    assert state.started.part(CLEO).knows == ()
    told = WHODUNIT.texts(observe(state, CLEO)).role()
    assert "You are the murderer" in told
    assert "All other players are innocent" in told
    assert "You are innocent" in WHODUNIT.texts(observe(state, ADA)).role()


@pytest.mark.parametrize(
    ("culprits", "options", "wrong"),
    [
        pytest.param(NAMES, {}, "a role on each side", id="all-guilty"),
        pytest.param(NAMES[:2], {"strict_one": True}, "accepts one", id="two-and-strict"),
    ],
)
def test_a_script_without_two_factions_is_refused(
    culprits: tuple[str, ...], options: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(ScriptError, match=wrong):
        start(script=case(culprits=culprits), **options)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"rounds": 0}, "'rounds' must be >= 1"),
        ({"rounds": 200_000}, "'rounds' must be <= 100"),
        ({"revotes": 0}, "'revotes' must be >= 1"),
        ({"electorate": "civilians", "vote": "open"}, "contradict each other"),
        ({"quorum": "majority", "tie": "revote"}, "contradict each other"),
    ],
)
def test_options_that_cannot_be_played_or_contradict_each_other_are_refused(
    options: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(ValueError, match=wrong):
        WhodunitOptions(**options)


def test_the_truth_is_out_at_the_end_and_not_before() -> None:
    state = until(start(), "vote")
    assert not any("murderers" in repr(e) for e in observe(state, Spectator()).events)
    [ended] = events_of(finish(state), MatchEnded)
    assert ended.murderers == (CLEO,)
    assert ended.audience == "all"


def test_a_skip_by_design_is_recorded_with_what_it_held() -> None:
    state = until(start(), "share_and_ask")
    state = act(state, pending(state)[0], Skip(partial=(("share", "Only this."),)))
    accepted = events_of(state, ActionAccepted)[-1]
    assert not isinstance(accepted.action, Reply)
    assert events_of(state, Said)[-1].text == "Only this."
    assert events_of(state, TurnSkipped)[-1].cause == "declined"
