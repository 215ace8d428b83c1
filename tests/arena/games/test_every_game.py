"""What must hold in every game: matches end, seats get their turns, secrets stay secret."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Action, Skip
from arena.core.events import Announced, RequestsOpened, SeatEliminated
from arena.core.game import Game
from arena.core.observation import Observation, Spectator, observe, observe_request
from arena.core.options import GameOptions
from arena.core.playouts.playout import start_state
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import Form, spec_fields, variants
from arena.core.state import MatchState, pending, replay
from arena.games.game_registry import all_games
from arena.players import prompts
from arena.players.baselines import fill_variant
from arena.records.match_replay import replay_match
from scripts_mm.script import Role, Script
from tests.arena.games.cases import case_of, setup_of, short_options
from tests.table import (
    act,
    hostile,
    legal,
    play,
)

GAMES = tuple(all_games())
OPEN_SCRIPTS = {"reading"}
"""Games whose own rule shows private scripts to all seats."""
MOST_ANSWERS = 20_000


def first(request: DecisionRequest, chance: Random) -> Action:
    del chance
    return fill_variant(variants(request.spec)[0], "words", lambda choice: choice.options[0])


def last(request: DecisionRequest, chance: Random) -> Action:
    del chance
    return fill_variant(variants(request.spec)[-1], "words", lambda choice: choice.options[-1])


def mute(request: DecisionRequest, chance: Random) -> Action | None:
    del request, chance
    return None


def passing(request: DecisionRequest, chance: Random) -> Action:
    del request, chance
    return Skip()


ANSWERS: Mapping[str, Callable[[DecisionRequest, Random], Action | None]] = {
    "legal": legal,
    "first": first,
    "last": last,
    "hostile": hostile,
    "mute": mute,
    "passing": passing,
}


def variations(game: Game) -> list[GameOptions]:
    """Return short options, those of every preset, and the short ones with each choice changed."""
    base = short_options(game)
    found = [base, *(game.options(**dict(values)) for values in game.presets.values())]  # pyright: ignore[reportArgumentType]
    for name, hint in game.options.__annotations__.items():
        for value in getattr(hint, "__args__", ()) or ((True, False) if hint is bool else ()):
            try:
                found.append(replace(base, **{name: value}))
            except ValueError:
                continue
    return list(dict.fromkeys(found))


def marked(script: Script) -> Script:
    """Return `script` with a marker in every private text of a role."""

    def mark(role: Role) -> Role:
        secret = f"⟦{role.name}⟧"
        parts = tuple(replace(part, text=f"{secret} {part.text}") for part in role.parts)
        return replace(
            role, script=f"{secret} {role.script}", mission=f"{secret} {role.mission}", parts=parts
        )

    truth = replace(script.truth, text="⟦truth⟧", method="⟦truth⟧", motive="⟦truth⟧")
    return replace(script, roles=tuple(map(mark, script.roles)), truth=truth)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("answers", ANSWERS)
def test_a_match_ends_whatever_is_answered_under_every_option(name: str, answers: str) -> None:
    game = all_games()[name]
    for number, options in enumerate(variations(game)):
        chance = Random(number)
        state = start_state(game, setup_of(game, number, options))
        ended = play(
            state, lambda one, c=chance: ANSWERS[answers](one, c), most_answers=MOST_ANSWERS
        )
        assert ended.ended is not None, options
        assert replay(ended.script, ended.history) == ended


@pytest.mark.parametrize("name", GAMES)
def test_a_record_gives_the_same_match_again(name: str) -> None:
    game = all_games()[name]
    chance = Random(7)
    setup = setup_of(game)
    ended = play(start_state(game, setup), lambda one: hostile(one, chance))
    assert replay_match(game, setup.script, ended.history).state == ended


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_gets_its_turns_and_the_eliminated_none(name: str) -> None:
    game = all_games()[name]
    chance = Random(3)
    ended = play(start_state(game, setup_of(game)), lambda one: legal(one, chance))
    asked: dict[str, int] = {}
    gone: set[str] = set()
    for event in ended.history:
        if isinstance(event, SeatEliminated):
            gone.add(event.seat)
        elif isinstance(event, RequestsOpened):
            for request in event.requests:
                assert request.seat not in gone
                asked[request.seat] = asked.get(request.seat, 0) + 1
    assert set(asked) == set(ended.started.seats)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_request_has_a_purpose_that_fits_its_spec(name: str) -> None:
    game = all_games()[name]
    for number, options in enumerate(variations(game)):
        chance = Random(number)
        ended = play(
            start_state(game, setup_of(game, 1, options)), lambda one, c=chance: legal(one, c)
        )
        for event in ended.history:
            for request in event.requests if isinstance(event, RequestsOpened) else ():
                assert request.purpose is not Purpose.OTHER, request.kind
                if request.purpose is Purpose.ANSWER:
                    assert request.is_question
                if request.purpose is Purpose.ASK:
                    forms = [
                        one.spec for one in variants(request.spec) if isinstance(one.spec, Form)
                    ]
                    fields = {field.name for form in forms for field in spec_fields(form)}
                    assert {"target", "question"} <= fields


def decide(observation: Observation, request: DecisionRequest, seed: int) -> Action | None:
    """Answer by all that a seat knows: one event more or less would change the answer."""
    known = zlib.crc32(repr((observation.events, observation.clues, request)).encode())
    return hostile(request, Random(f"{seed}/{known}"))


def play_serially(state: MatchState, seed: int) -> MatchState:
    """Ask one seat at a time, in the order of the requests, each until it is done."""
    while waiting := pending(state):
        for one in waiting:
            request: DecisionRequest | None = one
            while request is not None and state.ended is None:
                state = act(state, request, decide(observe_request(state, request), request, seed))
                request = next((now for now in pending(state) if now.id == one.id), None)
    return state


def play_in_waves(state: MatchState, seed: int, arrival: Random) -> MatchState:
    """Ask all seats of a wave at once; attempts come in any order, then are applied in order."""
    while waiting := pending(state):
        answers: dict[str, list[Action | None]] = {}
        open_now = list(waiting)
        while open_now:
            request = open_now.pop(arrival.randrange(len(open_now)))
            action = decide(observe_request(state, request), request, seed)
            answers.setdefault(request.id, []).append(action)
            result = action if action is None else validate(request, action)
            if isinstance(result, Invalid) and request.attempts_left > 1:
                open_now.append(request.with_error(result.error))
        for one in waiting:
            for action in answers[one.id]:
                current = next((now for now in pending(state) if now.id == one.id), None)
                if current is not None and state.ended is None:
                    state = act(state, current, action)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=8, deadline=None)
def test_waves_equal_their_serialised_form(name: str, seed: int) -> None:
    game, chance = all_games()[name], Random(seed)
    options = chance.choice(variations(game))
    state = start_state(game, setup_of(game, seed, options))
    serial = play_serially(state, seed)
    assert play_in_waves(state, seed, Random(seed + 1)).history == serial.history


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=8, deadline=None)
def test_no_private_script_reaches_another_seat(name: str, seed: int) -> None:
    game, chance = all_games()[name], Random(seed)
    script = marked(case_of(game))
    options = chance.choice(variations(game))
    state = start_state(game, replace(setup_of(game, seed, options), script=script))
    while waiting := pending(state):
        check_secrets(state, waiting, is_open=name in OPEN_SCRIPTS)
        request = chance.choice(waiting) if state.mode != "turns" else waiting[0]
        state = act(state, request, hostile(request, chance))
    for seat in (*state.started.seats, Spectator()):
        assert "⟦truth⟧" not in repr(observe(state, seat))


def check_secrets(
    state: MatchState, waiting: tuple[DecisionRequest, ...], *, is_open: bool
) -> None:
    """Check what the seats that must answer, and an onlooker of the page, can read."""
    public = repr(observe(state, Spectator()))
    assert "⟦truth⟧" not in public
    assert is_open or "⟦" not in public
    for request in waiting[:3]:
        seen = observe_request(state, request)
        assert seen.options == state.started.options
        told = [repr(seen), *(one.text for one in prompts.header(seen))]
        told += [one.text for one in prompts.lines(seen, 0, len(seen.events))]
        told += [prompts.instruction(seen, request), prompts.thought(seen, request)]
        text = "".join(told)
        assert "⟦truth⟧" not in text
        foreign = [seat for seat in state.started.seats if seat != request.seat]
        assert is_open or not any(f"⟦{seat}⟧" in text for seat in foreign)


@pytest.mark.parametrize("name", GAMES)
def test_rules_change_only_with_the_options(name: str) -> None:
    """Every seat of every match reads the same rules, so that prompts share their beginning."""
    game = all_games()[name]
    for options in variations(game):
        state = start_state(game, setup_of(game, 1, options))
        rules = {prompts.header(observe(state, seat))[0].text for seat in state.started.seats}
        assert len(rules) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_announcements_have_a_line_for_whoever_may_know_them(name: str) -> None:
    game = all_games()[name]
    for options in variations(game):
        chance = Random(2)
        ended = play(
            start_state(game, setup_of(game, 2, options)), lambda one, c=chance: legal(one, c)
        )
        for observer in (*ended.started.seats, Spectator(), Spectator(truth=True)):
            seen = observe(ended, observer)
            texts = game.texts(seen)
            for event in seen.events:
                line = texts.line(event)
                assert line or not isinstance(event, Announced), event


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_both_languages_have_the_same_texts(name: str) -> None:
    """A game that says something in one language alone would raise or show a bare key."""
    game = all_games()[name]
    for options in variations(game):
        script = replace(case_of(game), language="zh")
        setup = replace(setup_of(game, 1, options), script=script)
        chance = Random(5)
        state = start_state(game, setup)
        while waiting := pending(state):
            request = waiting[0]
            seen = observe_request(state, request)
            assert prompts.header(seen)[0].text
            assert prompts.instruction(seen, request)
            state = act(state, request, legal(request, chance))
