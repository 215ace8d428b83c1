"""Clue cards, and scripts that are read in stages."""

from dataclasses import replace

from arena.core.events import Announced, ClueRevealed, PhaseStarted, StageStarted
from arena.core.observation import Spectator, observe
from arena.core.seats import SeatId
from arena.games.thinkthrice.game import THINKTHRICE
from scripts_mm.script import Clue, Part
from tests.arena.games.thinkthrice.scenes import finish, start
from tests.arena.games.whodunit.scenes import events_of, until
from tests.table import NAMES, case


def test_cards_are_shown_to_all_between_the_rounds_and_owned_clues_before_the_first_word() -> None:
    state = start()
    assert [(e.clue, e.audience) for e in events_of(state, ClueRevealed)] == [("note", (NAMES[1],))]
    state = finish(state)
    shown = [(e.clue, e.audience, e.cause) for e in events_of(state, ClueRevealed)][1:]
    assert shown == [("log", "all", "shown"), ("plan", "all", "shown")]
    cards = state.history.index(events_of(state, ClueRevealed)[1])
    rounds = [i for i, e in enumerate(state.history) if getattr(e, "phase", "") == "discussion"]
    assert [index < cards for index in rounds] == [True, True, False, False, False]


def test_cards_are_dealt_round_robin_where_the_option_says() -> None:
    deck = tuple(Clue(id=f"card-{n}", title=f"{n}", text=f"fact {n}") for n in range(12))
    script = replace(case(), clues=deck)
    matches = [finish(start(script=script, cards="dealt", seed=seed)) for seed in (1, 2)]
    hands = [
        [(e.clue, e.audience, e.cause) for e in events_of(state, ClueRevealed)] for state in matches
    ]
    for hand in hands:
        assert sorted(clue for clue, _, _ in hand) == sorted(clue.id for clue in deck)
        assert [audience for _, audience, _ in hand] == [(NAMES[n % 5],) for n in range(12)]
        assert {cause for _, _, cause in hand} == {"dealt"}
    assert hands[0] != hands[1]


def test_a_script_without_cards_says_so() -> None:
    state = finish(start(script=replace(case(), clues=())))
    told = events_of(state, Announced)[-1]
    assert told.topic == "no_cards"
    texts = THINKTHRICE.texts(observe(state, Spectator()))
    assert texts.line(told) == "[Host] This case has no clue cards."


def test_later_stages_come_with_the_cards_where_they_are_read_apart() -> None:
    script = case()
    parts = tuple(Part(name="story", text=f"STAGE-{n}", stage=n) for n in (1, 2, 3))
    late = Clue(id="late", title="Late", text="later", owner=NAMES[0], stage=3)
    script = replace(
        script,
        roles=tuple(replace(role, parts=parts) for role in script.roles),
        clues=(*script.clues, late),
    )
    whole = finish(start(script=script))
    assert not events_of(whole, StageStarted)
    first = observe(until(start(script=script, stages="apart"), "ask"), SeatId(NAMES[0]))
    assert "STAGE-1" in first.own.script
    assert "STAGE-2" not in first.private_script
    state = finish(start(script=script, stages="apart"))
    assert "STAGE-3" in observe(state, SeatId(NAMES[0])).private_script
    told = [e for e in state.history if isinstance(e, StageStarted | ClueRevealed)]
    names = [e.stage if isinstance(e, StageStarted) else e.clue for e in told]
    assert names == [1, "note", 2, 3, "late", "log", "plan"]
    cards = next(e for e in events_of(state, PhaseStarted) if e.phase == "clues")
    assert state.history.index(told[2]) > state.history.index(cards)
