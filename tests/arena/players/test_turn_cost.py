"""What a turn is said to cost holds the calls of real turns, for the options that are given."""

import json
from itertools import takewhile

import pytest

from arena.core.playouts.playout import start_state
from arena.core.state import pending
from arena.games.game_registry import find_game
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import JsonConstraint, Request
from arena.models.legal_replies import legal_reply
from arena.players.contestants import read_contestant
from arena.players.methods.turn_cost import TurnCost, Wave
from arena.players.roster import turn_cost
from arena.run.prompt_estimates import estimate_match
from scripts_mm.script import LANGUAGES, Language
from tests.arena.games.cases import setup_of
from tests.arena.players.context.stage import make_limits
from tests.arena.players.scripted_replies import (
    Seat,
    in_language,
    name_of,
    seat,
)
from tests.table import act, case, legal

SEATS = 4
DEPTHS = {
    "direct": 1,
    "direct:notes=yes": 2,
    "cot": 2,
    "cot:notes=yes,together=no": 3,
    # Looking over the list, the choice, the promise of each, three sensors, the question.
    "questum": 5,
    "questum:targets=all": 4,
    "questum:together=no": 4 * 3 + 1 + 3 + 3 + 1,
    "questum:together=no,joint=yes": 3 + 1 + 3 + 3 + 1,
    "werewolf-qa": 3,
    "werewolf-qa:together=no": 3,
    "o-cot": 11,
    "o-cot:parallel_notes=yes": 2,
    "o-cot:parallel_notes=yes,together=no": 11,
    "mirage": 1,
    "mirage:force_summary=yes": 2,
    "hybrid": 2,
    "hybrid:together=no": 4,
    "hybrid:together=no,backup=off": 3,
    # What is known of the asker, the draft; then whom to ask, and what.
    "thinkthrice:parts=none": 2 + 2,
    "thinkthrice:parts=mr": 2 + 2,
    "thinkthrice:parts=mr+sr": 6 + 2,
    "thinkthrice:parts=mr+sr+sv1": 8 + 2,
    "thinkthrice": 3 * 8 + 2,
    "thinkthrice:attempts=code": 4 * 8 + 2,
    # The timeline is listed once.
    "thinkthrice:gate=off": 8 + 7 + 7 + 2,
    "thinkthrice:parts=mr,together=no": 2 + 2,
    "thinkthrice:parts=mr+sr,together=no": 3 + 1 + 7 + 6 + 1 + 1 + 2,
}
PLAYED = (
    ("whodunit", "questum"),
    ("whodunit", "questum:joint=yes"),
    ("whodunit", "questum:together=no"),
    ("mirage", "questum:targets=all"),
    ("thinkthrice", "werewolf-qa"),
    ("mirage", "o-cot"),
    ("mirage", "o-cot:parallel_notes=yes"),
    ("thinkthrice", "hybrid"),
    ("werewolf5", "hybrid:together=no"),
    ("thinkthrice", "thinkthrice:murderer_sv=yes"),
    ("whodunit", "thinkthrice:murderer_sv=yes,gate=off"),
    ("mirage", "thinkthrice:parts=mr+sr,murderer_sv=yes,together=no"),
)
_LINE = "At nine o'clock you walked along the harbour wall to the boat house."


def cost_of(contestant: str) -> TurnCost:
    """Return what a turn of a player costs."""
    cost = turn_cost(read_contestant(f"m+{contestant}"))
    assert cost is not None
    return cost


def wordy(request: Request) -> str:
    """Return a reply whose texts are as long as they may be, lists of many lines included."""
    name, room = name_of(request), min(900, request.max_tokens * 3)
    if name == "timeline" or name.endswith(("/pieces", "/facts")):
        lines = 6 if name.endswith("/pieces") else 40
        return "\n".join(f"{number}. {_LINE} {number}" for number in range(lines))
    if request.constraint is None:
        return ("word " * room)[:room]
    reply = legal_reply(request)
    if not isinstance(request.constraint, JsonConstraint):
        return reply
    texts = [one.name for one in request.constraint.fields if not one.options]
    filled = {one: ("word " * room)[: room // len(texts) - 30] for one in texts}
    return json.dumps({**json.loads(reply), **filled})


def play_waves(one: Seat, game: str, language: Language) -> list[list[list[Request]]]:
    """Return the calls of each turn of a seat in a match, by the waves in which they went out."""
    state = start_state(find_game(game), in_language(setup_of(find_game(game)), language))
    turns: list[list[list[Request]]] = []
    while waiting := pending(state):
        request = waiting[0]
        if request.seat != one.name:
            state = act(state, request, legal(request, one.chance))
            continue
        one.model.waves.clear()
        one.model.requests.clear()
        state = act(state, request, one.answer(state, request))
        calls = iter(one.model.requests)
        turns.append([[next(calls) for _ in wave] for wave in one.model.waves])
    return turns


def weigh(waves: list[list[Request]]) -> list[int]:
    """Return the tokens of the steps of each wave, without what all calls of the turn share."""
    texts = [call.messages[-1].text for wave in waves for call in wave]
    shared = sum(1 for _ in takewhile(lambda one: len({*one}) == 1, zip(*texts, strict=False)))
    return [
        sum(
            count(call.messages[-1].text[shared:]) + call.max_tokens
            for call in wave
            if call.call_id.kind == "step"
        )
        for wave in waves
    ]


def count(text: str) -> int:
    """Return about how many tokens a text has: one for four letters or one Chinese character."""
    letters = sum(map(str.isascii, text))
    return letters // 4 + len(text) - letters


@pytest.mark.parametrize(("contestant", "depth"), DEPTHS.items(), ids=DEPTHS)
def test_a_turn_has_as_many_deadlines_as_calls_that_wait_for_one_another(
    contestant: str, depth: int
) -> None:
    assert cost_of(contestant).depth(SEATS) == depth


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "contestant"), PLAYED)
def test_the_cost_of_a_turn_holds_the_calls_of_a_match(
    game: str, contestant: str, language: Language
) -> None:
    state = start_state(find_game(game), setup_of(find_game(game)))
    one, seats = seat(state.started.seats[0], contestant, wordy), len(state.started.seats)
    turns, cost = play_waves(one, game, language), cost_of(contestant)
    assert max(map(len, turns)) <= cost.depth(seats)
    assert max(len(wave) for waves in turns for wave in waves) <= cost.width(seats)
    heaviest = max(tokens for waves in turns for tokens in weigh(waves))
    assert 0 < heaviest <= cost.step_tokens(seats, reply_tokens=1024)


def test_the_tokens_of_a_wave_are_those_of_all_its_calls_within_the_limit_of_a_reply() -> None:
    wave = Wave(calls=3, prompt=100, reply=50)
    assert wave.tokens(reply_tokens=1024) == 450
    assert wave.tokens(reply_tokens=20) == 360
    assert wave.split() == (Wave(prompt=100, reply=50),) * 3


def test_a_seat_needs_room_for_the_widest_wave_of_its_player() -> None:
    estimate = estimate_match(WHODUNIT, case(), WhodunitOptions())
    limits = make_limits(context=None, reply_tokens=512)
    name = estimate.seats(murderer=False)[0]
    plain = estimate.seat(name, read_contestant("m+direct"), limits)
    for contestant in ("questum", "questum:joint=yes", "o-cot", "thinkthrice", "hybrid"):
        cost = cost_of(contestant).step_tokens(len(estimate.headers), 512)
        room = estimate.seat(name, read_contestant(f"m+{contestant}"), limits)
        assert room.rest - plain.rest == cost > 0
