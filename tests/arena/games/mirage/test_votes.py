"""Accusations, votes, winners and the ranking of the seats."""

from typing import Any

import pytest

from arena.core.actions import Skip, choose
from arena.core.events import (
    Announced,
    MatchEnded,
    PhaseStarted,
    Said,
    TurnSkipped,
    VoteCast,
    VotesTallied,
)
from arena.core.observation import observe
from arena.core.specs import Choice
from arena.core.state import MatchState, pending
from arena.games.mirage.game import MIRAGE
from arena.games.mirage.options import MirageOptions
from arena.games.option_parsing import read_options
from scripts_mm.script import Language
from tests.arena.games.mirage.scenes import (
    asks_all,
    case,
    choosing,
    events_of,
    requests_of,
    start,
    until,
)
from tests.table import act

Chosen = dict[str, str]


def voted(accused: Chosen, votes: Chosen, **options: Any) -> MatchState:
    """Return a match after accusations and votes by seat; who is not named abstains."""
    values: dict[str, Any] = {"rounds": 1, "raters": "none", "option_order": "script", **options}
    state = until(start(values.pop("script", None), **values), "accuse", asks_all)
    state = until(state, "vote", choosing("accuse", accused))
    return until(state, "no such kind", choosing("vote", votes))


def ended(state: MatchState) -> MatchEnded:
    assert state.ended is not None
    return state.ended


def offered(state: MatchState, seat: str) -> tuple[str, ...]:
    [request] = [one for one in requests_of(state, "vote") if one.seat == seat and one.round == 1]
    assert isinstance(request.spec, Choice)
    return request.spec.options


def test_accusations_are_told_to_all_once_all_have_accused() -> None:
    state = until(start(rounds=1, raters="none"), "accuse", asks_all)
    for seat, choice in (("Ada", "Bram"), ("Bram", "abstain"), ("Cleo", "Bram")):
        [request] = [one for one in pending(state) if one.seat == seat]
        state = act(state, request, choose(choice))
        assert not [one for one in events_of(state, Announced) if one.topic == "accusations"]
        assert "Bram" not in repr(observe(state, state.started.seats[3]).events[-1])
    state = act(state, pending(state)[0], Skip())
    [told] = [one for one in events_of(state, Announced) if one.topic == "accusations"]
    assert dict(told.values) == {
        "Ada": "Bram", "Bram": "abstain", "Cleo": "Bram", "Dirk": "abstain"
    }  # fmt: skip
    assert told.audience == "all"
    line = MIRAGE.texts(observe(state, state.started.seats[0])).line(told)
    assert "Ada accuses Bram." in line
    assert "Dirk accuses nobody." in line


def test_only_the_accused_can_be_voted_for_and_nobody_for_oneself() -> None:
    state = voted({"Ada": "Cleo", "Cleo": "Bram"}, {})
    assert offered(state, "Ada") == ("Bram", "Cleo", "abstain")
    assert offered(state, "Bram") == ("Cleo", "abstain")
    allowed = voted({"Ada": "Cleo", "Cleo": "Bram"}, {}, self_vote=True)
    assert offered(allowed, "Bram") == ("Bram", "Cleo", "abstain")


def test_a_vote_is_secret_until_the_count() -> None:
    state = voted({"Ada": "Cleo"}, {"Ada": "Cleo"})
    for cast in events_of(state, VoteCast):
        assert cast.audience == (cast.seat,)
    seen = observe(state, state.started.seats[1]).events
    assert {one.seat for one in seen if isinstance(one, VoteCast)} == {"Bram"}


def test_a_seat_that_alone_is_accused_can_only_abstain() -> None:
    assert offered(voted({"Ada": "Cleo"}, {}), "Cleo") == ("abstain",)


@pytest.mark.parametrize(("language", "only"), [("en", "can only abstain"), ("zh", "只能弃权")])
def test_a_seat_that_can_only_abstain_is_told_so(language: Language, only: str) -> None:
    state = voted({"Ada": "Cleo"}, {}, script=case(language=language))
    for request in requests_of(state, "vote"):
        text = MIRAGE.texts(observe(state, request.seat)).instruction(request)
        assert (only in text) == (request.seat == "Cleo")


def test_accusers_may_be_kept_from_voting_for_whom_they_accused() -> None:
    accused = {"Ada": "Cleo", "Dirk": "Bram"}
    state = voted(accused, {"Ada": "Cleo"}, accusers_vote=False)
    assert offered(state, "Ada") == ("Bram", "abstain")
    assert offered(state, "Cleo") == ("Bram", "abstain")
    assert offered(state, "Bram") == ("Cleo", "abstain")


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ({"Ada": "Cleo", "Bram": "Cleo", "Cleo": "Bram"}, "civ_win"),
        ({"Ada": "Bram", "Dirk": "Bram", "Bram": "Cleo"}, "murderer_win"),
        ({"Ada": "Bram", "Bram": "Cleo"}, "murderer_win"),
        ({}, "murderer_win"),
    ],
)
def test_the_civilians_win_where_the_culprit_was_accused_and_has_most_votes(
    votes: Chosen, outcome: str
) -> None:
    state = voted({"Ada": "Cleo", "Dirk": "Bram"}, votes)
    assert ended(state).outcome == outcome
    assert ended(state).winners == (("Ada", "Bram", "Dirk") if outcome == "civ_win" else ("Cleo",))


def test_where_nobody_is_accused_the_murderer_wins_without_a_vote() -> None:
    state = voted({}, {"Ada": "Cleo"})
    assert ended(state).outcome == "murderer_win"
    assert not requests_of(state, "vote")
    assert not events_of(state, VotesTallied)


@pytest.mark.parametrize("raters", ["none", "characters"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("tie", ["any_killer", "draw"])
def test_where_nobody_is_accused_no_vote_is_told_and_the_texts_say_why(
    language: Language, raters: str, tie: str
) -> None:
    given = {"script": case(language=language), "raters": raters, "tie": tie}
    state = voted({}, {}, **given)
    seen = observe(state, state.started.seats[0])
    assert not [one for one in seen.events if isinstance(one, VotesTallied)]
    texts = MIRAGE.texts(seen)
    [told] = [one for one in events_of(state, Announced) if one.topic == "accusations"]
    said = {"en": "There is no vote, because nobody was accused.", "zh": "没有人被指控，因此不投票"}
    assert said[language] in texts.line(told)
    why = {"en": "nobody was accused, so there was no vote", "zh": "没有人被指控，因此没有投票"}
    [result] = texts.result(state)
    assert why[language] in result
    drawn = {"en": "A draw", "zh": "平局"}[language]
    assert result.startswith(drawn) == (ended(state).outcome == "draw") == (tie == "draw")
    accused = voted({"Ada": "Bram"}, {}, **given)
    [told] = [one for one in events_of(accused, Announced) if one.topic == "accusations"]
    assert said[language] not in texts.line(told)
    assert why[language] not in texts.result(accused)[0]


def test_votes_for_one_who_was_not_accused_do_not_count() -> None:
    state = voted({"Ada": "Bram"}, {"Ada": "Cleo", "Bram": "Cleo", "Dirk": "Bram"})
    assert ended(state).outcome == "murderer_win"


@pytest.mark.parametrize("tie", ["draw", "any_killer"])
def test_ties_follow_their_option(tie: str) -> None:
    state = voted({"Ada": "Cleo", "Dirk": "Bram"}, {"Ada": "Bram", "Bram": "Cleo"}, tie=tie)
    assert ended(state).outcome == ("draw" if tie == "draw" else "civ_win")


def test_a_revote_is_between_those_tied() -> None:
    accused = {"Ada": "Cleo", "Bram": "Dirk", "Cleo": "Ada"}
    votes = {"Ada": "Cleo", "Bram": "Cleo", "Cleo": "Dirk", "Dirk": "Ada"}
    state = voted(accused, {**votes, "Bram": "Dirk", "Cleo": "abstain", "Dirk": "abstain"},
                  tie="revote")  # fmt: skip
    second = [one for one in requests_of(state, "vote") if one.round == 2]
    assert {one for each in second for one in getattr(each.spec, "options", ())} == {
        "Cleo", "Dirk", "abstain"
    }  # fmt: skip
    assert [one.ballot for one in events_of(state, VotesTallied)] == [1, 2]
    held = [one for one in events_of(state, PhaseStarted) if one.phase == second[0].phase]
    assert held[-1].candidates == ("Cleo", "Dirk")
    assert not any(one.candidates for one in held[:-1])
    assert ended(state).outcome == "murderer_win"


def test_the_direct_vote_is_on_all_seats_without_accusations() -> None:
    state = until(start(rounds=1, raters="none", vote="direct"), "vote", asks_all)
    assert not requests_of(state, "accuse")
    assert set(offered(state, "Bram")) == {"Ada", "Cleo", "Dirk", "abstain"}
    votes = {"Ada": "Cleo", "Bram": "Cleo", "Dirk": "Ada"}
    assert ended(until(state, "none", choosing("vote", votes))).outcome == "civ_win"


def test_seats_are_ranked_by_votes_and_equal_ones_stay_in_script_order() -> None:
    accused = {"Ada": "Cleo", "Bram": "Dirk"}
    state = voted(accused, {"Ada": "Dirk", "Bram": "Dirk", "Dirk": "Cleo"})
    assert ended(state).ranking == (("Dirk", 2.0), ("Cleo", 1.0), ("Ada", 0.0), ("Bram", 0.0))


def test_accusations_and_votes_that_are_skipped_are_not_noticed() -> None:
    state = until(start(rounds=1, raters="none"), "accuse", asks_all)
    while waiting := pending(state):
        first = waiting[0]
        state = act(state, first, Skip() if first.seat == "Bram" else asks_all(first))
    hidden = [one.audience for one in events_of(state, TurnSkipped)]
    assert hidden == [("Bram",), ("Bram",)]


def test_a_statement_of_a_turn_that_failed_is_kept() -> None:
    state = until(start(rounds=1, raters="none"), "act", asks_all)
    state = act(state, pending(state)[0], Skip(partial=(("share", "I saw a boat."),)))
    assert events_of(state, Said)[-1].text == "I saw a boat."
    assert events_of(state, TurnSkipped)[-1].audience == "all"


def test_seats_that_never_vote_are_not_asked_to_and_stay_hidden_in_revotes() -> None:
    state = voted({"Ada": "Cleo"}, {"Ada": "Cleo"}, silent=("murderer",))
    assert {one.seat for one in requests_of(state, "vote")} == {"Ada", "Bram", "Dirk"}
    assert len(events_of(state, VotesTallied)[0].ballots) == 4
    hidden = voted({"Ada": "Cleo"}, {}, silent=("murderer",), tie="revote")
    assert all(one.ballots == () for one in events_of(hidden, VotesTallied))


def test_two_culprits_are_two_murderers_who_may_know_one_another() -> None:
    script = case(culprits=("Cleo", "Dirk"))
    alone = start(script)
    assert alone.started.murderers == ("Cleo", "Dirk")
    assert alone.started.part(alone.started.seats[2]).knows == ()
    known = start(script, murderers_know_each_other=True)
    assert known.started.part(known.started.seats[2]).knows == ("Dirk",)


@pytest.mark.parametrize(
    "values",
    [
        {"rank": "doubt", "raters": "none"},
        {"vote": "doubt", "raters": "none"},
        {"vote": "direct", "accusers_vote": False},
        {"rounds": 0},
        {"forced_investigations": -1},
    ],
)
def test_options_that_contradict_each_other_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"option"):
        MirageOptions(**values)


@pytest.mark.parametrize("preset", ["default", "short", "paper", "released"])
def test_presets_are_options(preset: str) -> None:
    options = read_options(MIRAGE, preset, {})
    assert isinstance(options, MirageOptions)
    if preset == "released":
        assert (options.raters, options.vote, options.self_vote) == ("observer", "doubt", True)
        assert (options.reruns, options.attempts) == ("same_prompt", 20)
    assert options.duties == ("separate" if preset == "paper" else "merged")
