"""Clues: where they lie, who finds them, and which word brings one to its owner."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.actions import say
from arena.core.events import Announced, ClueRevealed, QuestionAsked, StageStarted
from arena.core.observation import Spectator, observe
from arena.core.seats import SeatId
from arena.core.specs import OneOf
from arena.core.state import MatchState, pending
from scripts_mm.script import Clue, Script
from tests.arena.games.mirage.scenes import (
    ask,
    asks_all,
    case,
    events_of,
    finds,
    investigate,
    play,
    requests_of,
    searches,
    start,
    until,
    ways,
)
from tests.table import act

MEMORY = Clue(id="memory", title="rope", text="You tied it.", owner="Cleo", trigger="Wet Rope")


def turn(script: Script | None = None, **options: Any) -> MatchState:
    """Return a match in which the first seat may act."""
    values: dict[str, Any] = {"rounds": 1, "raters": "none", **options}
    return until(start(script, **values), "act", asks_all)


def answer(state: MatchState, text: str) -> MatchState:
    return act(state, pending(state)[0], say(text))


def found(state: MatchState) -> list[str]:
    return [one.clue for one in events_of(state, ClueRevealed) if one.cause == "found"]


def test_a_search_shows_one_clue_of_its_place_to_all_and_says_who_found_it() -> None:
    state = turn()
    state = act(state, pending(state)[0], investigate("mill", "I look"))
    [clue] = events_of(state, ClueRevealed)
    assert clue.clue in {"mill-1-1", "mill-1-2"}
    assert (clue.cause, clue.finder, clue.place, clue.audience) == ("found", "Ada", "mill", "all")
    [told] = events_of(state, Announced)
    assert told.values == (("seat", "Ada"), ("place", "mill"))
    for seat in state.started.seats:
        assert observe(state, seat).clues[0].text == f"Text of {clue.clue}."
    assert pending(state)[0].seat == "Bram", "a search needs no answer"


def test_what_a_search_finds_follows_from_its_option() -> None:
    script = case(clues=finds("mill", 8))
    drawn = {
        found(act(state, pending(state)[0], investigate("mill", "")))[0]
        for seed in range(1, 25)
        for state in [turn(script=script, seed=seed)]
    }
    assert len(drawn) > 4, "by lot"
    listed = turn(script=script, clue_draw="listed", seed=5)
    assert found(play(searches(3), listed)) == ["mill-1-1", "mill-1-2", "mill-1-3"]
    at_once = turn(script=script, clue_draw="all")
    at_once = act(at_once, pending(at_once)[0], investigate("mill", ""))
    assert found(at_once) == [clue.id for clue in script.clues]
    assert ways(pending(at_once)[0]).keys() == {"ask"}


def test_the_same_seed_finds_the_same_clue() -> None:
    script = case(clues=finds("mill", 8))
    again = [found(play(searches(4), turn(script=script, seed=2))) for _ in range(2)]
    assert again[0] == again[1]


def test_a_place_without_a_clue_left_is_no_option() -> None:
    state = turn(script=case(clues=(*finds("shed", 1), *finds("mill", 2))), rounds=2)
    assert ways(pending(state)[0])["investigate"] == ("shed", "mill")
    state = act(state, pending(state)[0], investigate("shed", ""))
    assert ways(pending(state)[0])["investigate"] == ("mill",)
    state = act(state, pending(state)[0], investigate("mill", ""))
    state = act(state, pending(state)[0], investigate("mill", ""))
    request = pending(state)[0]
    assert isinstance(request.spec, OneOf)
    assert ways(request).keys() == {"ask"}, "asking is all that is left"
    assert request.kind == "act"
    ended = play(asks_all, state)
    assert len(found(ended)) == 3
    assert len(set(found(ended))) == 3, "a clue is found once"


def test_the_place_with_the_own_name_is_left_out_unless_the_option_allows_it() -> None:
    script = case(clues=(*finds("Room of  ADA", 1), *finds("mill", 1)))
    assert ways(pending(turn(script=script))[0])["investigate"] == ("mill",)
    allowed = turn(script=script, own_place=True)
    assert ways(pending(allowed)[0])["investigate"] == ("Room of  ADA", "mill")
    other = act(allowed, pending(allowed)[0], ask("Bram", share=""))
    other = answer(other, "At home.")
    assert ways(pending(other)[0])["investigate"] == ("Room of  ADA", "mill")


def test_a_seat_with_nothing_to_search_passes_its_forced_search() -> None:
    script = case(clues=finds("Ada's room", 2))
    state = play(asks_all, turn(script=script, forced_investigations=1))
    searched = [one.seat for one in requests_of(state, "act") if one.phase == "search"]
    assert searched == ["Bram", "Cleo"]
    passed = [
        dict(one.values)["seat"] for one in events_of(state, Announced) if one.topic == "passed"
    ]
    assert passed == ["Ada", "Dirk"]


def test_clues_of_a_stage_lie_at_places_from_that_stage_on() -> None:
    clues = (*finds("shed", 1), *finds("mill", 1, stage=2))
    state = turn(script=case(stages=2, clues=clues))
    first = ways(pending(state)[0])["investigate"]
    ended = play(asks_all, state)
    last = ways(requests_of(ended, "act")[-1])["investigate"]
    assert (first, last) == (("shed",), ("shed", "mill"))


def test_owned_and_public_clues_are_dealt_with_their_stage() -> None:
    owned = Clue(id="letter", title="letter", text="PRIVATE", owner="Bram", stage=2)
    public = Clue(id="report", title="report", text="PUBLIC", stage=2)
    late = (*finds("shed", 1), owned, public)
    state = play(asks_all, start(case(stages=2, clues=late), rounds=1, raters="none"))
    place = state.history.index(StageStarted(stage=2))
    dealt = [event for event in state.history[place:] if isinstance(event, ClueRevealed)]
    assert [(one.clue, one.cause, one.audience) for one in dealt] == [
        ("letter", "dealt", ("Bram",)),
        ("report", "shown", "all"),
    ]
    assert not any(isinstance(event, ClueRevealed) for event in state.history[:place])
    assert "PRIVATE" in repr(observe(state, SeatId("Bram")).clues)
    assert "PRIVATE" not in repr(observe(state, SeatId("Ada")).clues)


def with_memory(*more: Clue, **changes: Any) -> MatchState:
    return turn(script=case(clues=(*finds("shed", 2), replace(MEMORY, **changes), *more)))


def triggered(state: MatchState) -> list[ClueRevealed]:
    return [one for one in events_of(state, ClueRevealed) if one.cause == "triggered"]


def test_a_word_in_a_speech_brings_a_clue_to_its_owner_alone_and_once() -> None:
    state = with_memory()
    assert not triggered(state)
    state = act(state, pending(state)[0], ask("Bram", "Where?", share="A wet  rope lay there."))
    [clue] = triggered(state)
    assert (clue.clue, clue.audience) == ("memory", ("Cleo",))
    assert "You tied it" in repr(observe(state, SeatId("Cleo")).clues)
    for observer in (SeatId("Ada"), Spectator()):
        assert "You tied it" not in repr(observe(state, observer))
    state = answer(state, "The wet rope is mine.")
    assert len(triggered(state)) == 1


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("ＷＥＴ ROPE", True),
        ("a wet rope!", True),
        ("two wet ropes", False),
        ("the sweet wet ropery", False),
        ("wet, rope", False),
        ("wetrope", False),
        ("a rope", False),
    ],
)
def test_a_word_is_looked_for_without_case_and_width(text: str, called: bool) -> None:
    state = with_memory()
    state = act(state, pending(state)[0], ask("Bram", text, share=""))
    assert bool(triggered(state)) == called


@pytest.mark.parametrize("where", ["question", "answer", "clue"])
def test_questions_answers_and_found_clues_are_heard_too(where: str) -> None:
    rope = Clue(id="rope", title="rope", text="It is a WET ROPE.", place="pier")
    state = with_memory(rope)
    assert not triggered(state)
    first = pending(state)[0]
    if where == "clue":
        state = act(state, first, investigate("pier", ""))
    else:
        state = act(state, first, ask("Bram", "Is it wet rope?" if where == "question" else "?"
                                      , share=""))  # fmt: skip
        if where == "answer":
            assert not triggered(state)
            state = answer(state, "I saw wet rope.")
    assert [one.clue for one in triggered(state)] == ["memory"]


def test_a_word_in_a_private_clue_or_a_search_for_a_title_brings_nothing() -> None:
    note = Clue(id="note", title="note", text="wet rope", owner="Ada")
    named = Clue(id="wet rope", title="wet rope", text="nothing here", place="shed")
    state = with_memory(note, named)
    state = play(searches(3), state)
    assert "wet rope" in found(state)
    assert not triggered(state)


def test_a_clue_of_a_later_stage_waits_for_its_stage() -> None:
    script = case(stages=2, clues=(*finds("shed", 1), replace(MEMORY, stage=2)))
    state = turn(script=script)
    state = act(state, pending(state)[0], ask("Bram", "wet rope?", share=""))
    assert not triggered(state)
    state = until(answer(state, "No."), "no such kind", asks_all)
    state = turn(script=script)
    while StageStarted(stage=2) not in state.history:
        state = act(state, pending(state)[0], asks_all(pending(state)[0]))
    state = act(state, pending(state)[0], ask("Bram", "wet rope?", share=""))
    assert [one.clue for one in triggered(state)] == ["memory"]


def test_a_stage_brings_the_clues_whose_word_was_public_before_it() -> None:
    tune = Clue(id="tune", title="tune", text="of a WET ROPE", trigger="tunes")
    for said in ("wet rope?", "Which tunes?", "Which?"):
        script = case(stages=2, clues=(*finds("shed", 1), tune, replace(MEMORY, stage=2)))
        state = turn(script=script)
        state = act(state, pending(state)[0], ask("Bram", said, share=""))
        assert not [one for one in triggered(state) if one.clue == "memory"]
        while StageStarted(stage=2) not in state.history:
            state = act(state, pending(state)[0], asks_all(pending(state)[0]))
        late = [one for one in triggered(state) if one.clue == "memory"]
        assert [one.audience for one in late] == ([] if said == "Which?" else [("Cleo",)])
        if late:
            at = state.history.index(StageStarted(stage=2))
            assert state.history[at + 1] == late[0], "with the stage"


def test_a_word_is_not_looked_for_across_two_texts_that_were_public_before_a_stage() -> None:
    state = turn(script=case(stages=2, clues=(*finds("shed", 1), replace(MEMORY, stage=2))))
    state = act(state, pending(state)[0], ask("Bram", "Was it wet", share=""))
    state = answer(state, "rope is dry")
    while StageStarted(stage=2) not in state.history:
        state = act(state, pending(state)[0], asks_all(pending(state)[0]))
    assert not triggered(state)


def test_a_word_without_an_owner_is_for_all_and_may_call_the_next_clue() -> None:
    public = Clue(id="song", title="song", text="the wet rope song", trigger="tune")
    state = with_memory(public)
    state = act(state, pending(state)[0], ask("Bram", "Which tune?", share=""))
    assert [(one.clue, one.audience) for one in triggered(state)] == [
        ("song", "all"),
        ("memory", ("Cleo",)),
    ]


def test_what_was_rejected_or_is_silent_calls_nothing() -> None:
    state = with_memory()
    state = act(state, pending(state)[0], ask("Nobody", "wet rope", share="wet rope"))
    assert not triggered(state)
    assert not events_of(state, QuestionAsked)
