"""What a run expects of a match whose roles are dealt by its seed."""

from arena.core.events import VoteCast
from arena.core.playouts.playout import start_state
from arena.core.transitions import MatchSetup
from arena.games.werewolf5.game import WEREWOLF5
from arena.games.werewolf5.options import WerewolfOptions
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.run.match.match_usage import deciding_votes
from arena.run.prompt_estimates import estimate_match
from tests.arena.games.werewolf5.scenes import (
    events_of,
    execute,
    others,
    seat,
    spend_night,
    start,
    to_vote,
)
from tests.table import case


def test_headers_that_depend_on_the_seed_are_not_taken_to_be_cached() -> None:
    village = WEREWOLF5.make_script("en")
    assert not estimate_match(WEREWOLF5, village, WerewolfOptions()).has_fixed_parts
    assert estimate_match(WHODUNIT, case(), WhodunitOptions()).has_fixed_parts


def test_an_expected_match_has_a_talk_with_speeches() -> None:
    options = WerewolfOptions(days="whole")
    estimate = estimate_match(WEREWOLF5, WEREWOLF5.make_script("en"), options)
    state = start_state(WEREWOLF5, MatchSetup(script=estimate.script, options=options, seed=0))
    assert estimate.requests >= 5 + 3 * 5 + 5
    for name in state.started.seats:
        assert "speak" in {one.kind for one in estimate.seat_requests[name].requests}


def test_the_verdict_shows_the_last_vote_alone() -> None:
    state = to_vote(start())
    first, second = others(state, "werewolf", "seer")[:2]
    state = to_vote(spend_night(execute(state, first), second))
    living = set(state.living)
    state = execute(state, seat(state, "werewolf"))
    votes = deciding_votes(state.history)
    assert {one.seat for one in votes} == living
    assert len(events_of(state, VoteCast)) == 5 + len(votes)
