"""A culprit who believes to be innocent: counted as a culprit, told what an innocent is told."""

from dataclasses import replace
from random import Random

import pytest

from arena.core.game import Game, SelfContained
from arena.core.observation import Spectator, observe, observe_request
from arena.core.playouts.playout import start_state
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games
from arena.games.shared.factions import find_murderers, make_parts
from arena.games.shared.options import VoteOptions
from arena.games.thinkthrice.requests import REFUSE
from arena.players import prompts
from scripts_mm.script import Script
from tests.arena.games.cases import case_of, short_options
from tests.arena.games.test_every_game import variations
from tests.arena.games.whodunit.scenes import start, until, vote
from tests.table import MURDERER, NAMES, act, case, legal

GAMES = tuple(name for name, game in all_games().items() if not isinstance(game, SelfContained))
ADA, BRAM, CLEO = NAMES[:3]


def unaware(script: Script, *names: str) -> Script:
    """Return `script` with the culprits `names`, none of whom knows it."""
    return replace(script, truth=replace(script.truth, culprits=names, unaware=names, killings=()))


def play_side_by_side(one: MatchState, other: MatchState, seed: int) -> None:
    """Give both matches the same answers, and compare all that is known before each."""
    chance = Random(seed)
    while waiting := pending(one):
        assert pending(other) == waiting
        request, action = waiting[0], legal(waiting[0], chance)
        assert observe(one, Spectator()) == observe(other, Spectator())
        assert observe_request(one, request) == observe_request(other, request)
        one, other = act(one, request, action), act(other, request, action)
    assert one.ended
    assert other.ended


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_a_seat_is_shown_depends_on_who_the_unaware_culprit_is(name: str) -> None:
    game: Game = all_games()[name]
    base = short_options(game)
    assert isinstance(base, VoteOptions)
    for number, options in enumerate((*variations(game), replace(base, self_vote=True))):
        one, other = (
            start_state(
                game,
                MatchSetup(script=unaware(case_of(game), who), options=options, seed=number),
            )
            for who in (ADA, CLEO)
        )
        play_side_by_side(one, other, number)


def test_the_unaware_culprit_reads_the_civilians_mission_and_side() -> None:
    state = start(script=unaware(case(), MURDERER))
    seen = observe(state, state.started.seats[2])
    assert seen.own.mission.startswith("Find out who did it.")
    assert not seen.is_murderer
    assert not seen.own.part.guilty_of
    header = "".join(one.text for one in prompts.header(seen))
    assert "You are innocent" in header
    assert "You are the murderer" not in header


def test_its_seat_counts_as_the_murderers_faction() -> None:
    state = start(script=unaware(case(), MURDERER))
    assert state.started.murderers == (MURDERER,)
    assert state.knowing_murderers == ()
    voting = until(state, "vote")
    named = vote(voting, dict.fromkeys(NAMES, MURDERER))
    missed = vote(voting, dict.fromkeys(NAMES, ADA))
    assert named.ended
    assert missed.ended
    assert (named.ended.outcome, missed.ended.outcome) == ("civ_win", "murderer_win")
    assert named.ended.murderers == missed.ended.winners == (MURDERER,)


def test_it_votes_where_the_murderer_does_not() -> None:
    state = start(script=unaware(case(), MURDERER), electorate="civilians")
    voting = until(state, "vote")
    assert {one.seat for one in pending(voting)} == {*NAMES}


def test_it_sees_the_clues_that_are_hidden_from_the_murderer() -> None:
    state = until(start(script=unaware(case(), MURDERER), clues="civilians"), "share_and_ask")
    seen = observe(state, state.started.seats[2])
    assert [one.title for one in seen.clues] == ["Log book", "Plan of the tower"]


def test_it_cannot_refuse_an_answer_as_the_murderer_can() -> None:
    game = all_games()["thinkthrice"]
    options = replace(short_options(game), refuse=True)  # pyright: ignore[reportCallIssue]
    for script, can_refuse in ((case(), True), (unaware(case(), MURDERER), False)):
        chance = Random(5)
        state = start_state(game, MatchSetup(script=script, options=options, seed=1))
        found: set[str] = set()
        while waiting := pending(state):
            spec = waiting[0].spec
            found |= {one.name for one in getattr(spec, "variants", ())}
            state = act(state, waiting[0], legal(waiting[0], chance))
        assert (REFUSE in found) == can_refuse


def test_a_murderer_who_knows_is_not_told_of_one_who_does_not() -> None:
    script = case(culprits=(ADA, BRAM, CLEO))
    script = replace(script, truth=replace(script.truth, unaware=(CLEO,)))
    parts = make_parts(script, find_murderers(script), know_each_other=True)
    knows = {part.seat: part.knows for part in parts}
    assert (knows[ADA], knows[BRAM], knows[CLEO]) == ((BRAM,), (ADA,), ())  # pyright: ignore[reportArgumentType]
