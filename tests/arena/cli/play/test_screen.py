"""The screen of a person shows what its seat may know: all of it, and nothing else."""

import io
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from rich.console import Console

from arena.cli.play.seat_screen import SeatScreen
from arena.cli.rendering.render_context import ViewOptions
from arena.core.actions import Action, say
from arena.core.events import (
    ActionRejected,
    Announced,
    ClueRevealed,
    Event,
    MatchEnded,
    PromptAdjusted,
    QuestionAsked,
    Said,
    VoteCast,
)
from arena.core.game import Game, SelfContained
from arena.core.observation import observe, observe_request
from arena.core.playouts.playout import start_state
from arena.core.quoting import defuse
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState, pending, reduce
from arena.games.game_registry import all_games, find_game
from arena.games.option_parsing import read_options
from arena.view.i18n.en import EN
from arena.view.request_text import drop_reply_format
from tests.arena.games.cases import setup_of
from tests.table import (
    NAMES,
    act,
    hostile,
    legal,
    secret,
)

GAMES = sorted(all_games())


def screen_of(seat: SeatId) -> tuple[SeatScreen, Console, io.StringIO]:
    out = io.StringIO()
    console = Console(file=out, width=4000, color_system=None, markup=False, highlight=False)
    return SeatScreen(console, ViewOptions(full=True, seat=seat)), console, out


def marked(request: DecisionRequest, chance: Random, *, hostile_too: bool) -> Action | None:
    """Return an answer whose texts say which request they answer."""
    if hostile_too and chance.random() < 0.3:
        return hostile(request, chance)
    reply = legal(request, chance)
    spec = next(one.spec for one in variants(request.spec) if one.name == reply.variant)
    free = {one.name for one in spec_fields(spec) if not isinstance(one.spec, Choice)}
    values = [
        (name, f"<<{request.id}#{name}#{request.attempts_left}>>" if name in free else value)
        for name, value in reply.values
    ]
    return type(reply)(values=tuple(values), variant=reply.variant)


def play_on(game: Game, seed: int, *, hostile_too: bool = True) -> Sequence[MatchState]:
    """Return the state after each event of a whole match."""
    chance = Random(seed)
    state = start_state(game, setup_of(game, seed))
    while waiting := pending(state):
        for first in waiting:
            request: DecisionRequest | None = first
            while request is not None and state.ended is None:
                state = act(state, request, marked(request, chance, hostile_too=hostile_too))
                request = next((one for one in pending(state) if one.id == first.id), None)
    steps: list[MatchState] = [MatchState(script=state.script)]
    for event in state.history:
        steps.append(reduce(steps[-1], event))
    return steps[1:]


def texts_of(event: Event) -> list[str]:
    match event:
        case Said():
            return [text for _, text in event.parts if text.startswith("<<")]
        case QuestionAsked():
            return [event.text] if event.text.startswith("<<") else []
        case _:
            return []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_at_every_moment_a_seat_is_shown_what_it_may_know_and_nothing_else(
    name: str, seed: int
) -> None:
    game = find_game(name)
    steps = play_on(game, seed)
    seats = steps[-1].started.seats
    for seat in seats:
        screen, _, out = screen_of(seat)
        for state in steps:
            screen.on_event("m", state, state.history[-1])
            if state.ended is not None:
                break
            shown = out.getvalue()
            known = {text for one in observe(state, seat).events for text in texts_of(one)}
            everything = {text for one in state.history for text in texts_of(one)}
            assert {text for text in everything if defuse(text) in shown or text in shown} == (
                known if shown else set()
            ), (seat, state.history[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if name != "reading"])
def test_no_secret_of_another_seat_and_no_murderer_is_on_the_screen(name: str) -> None:
    game = find_game(name)
    if isinstance(game, SelfContained):
        pytest.skip("it has no written secrets")
    steps = play_on(game, 5)
    for seat in steps[-1].started.seats:
        screen, _, out = screen_of(seat)
        for state in steps:
            if state.ended is not None:
                break
            screen.on_event("m", state, state.history[-1])
        screen.show_script()
        screen.show_clues()
        screen.show_log()
        shown = out.getvalue()
        for other in NAMES:
            if other != seat:
                assert secret(other) not in shown, (seat, other)
        assert "TRUTH" not in shown
        assert EN.heads["guilty"] not in shown
        if secret(seat) in repr(observe(steps[-2], seat)):
            assert secret(seat) in shown


def test_a_part_of_the_private_script_is_shown_when_it_begins() -> None:
    steps = play_on(find_game("mirage"), 3)
    seat = steps[-1].started.seats[0]
    later = next((state for state in steps if len(observe(state, seat).own.stages) > 0), None)
    assert later is not None
    [(_, text), *_] = observe(later, seat).own.stages
    line = text.splitlines()[-1]
    before = [state for state in steps if len(state.history) < len(later.history)]
    screen, _, out = screen_of(seat)
    for state in before:
        screen.on_event("m", state, state.history[-1])
    assert line not in out.getvalue()
    screen.on_event("m", later, later.history[-1])
    assert line in out.getvalue()


def test_no_line_for_the_operator_is_shown_to_a_seat() -> None:
    steps = play_on(find_game("whodunit"), 4)
    assert any(isinstance(event, ActionRejected) for event in steps[-1].history)
    seat = steps[-1].started.seats[2]
    screen, _, out = screen_of(seat)
    rejected = 0
    for state in steps:
        before = out.getvalue()
        screen.on_event("m", state, state.history[-1])
        if isinstance(state.history[-1], ActionRejected | PromptAdjusted):
            rejected += 1
            assert out.getvalue() == before
    assert rejected
    assert "--truth" not in out.getvalue()


def test_a_private_clue_and_a_secret_vote_are_marked() -> None:
    steps = play_on(find_game("whodunit"), 4, hostile_too=False)
    owner = SeatId(NAMES[1])
    screen, _, out = screen_of(owner)
    for state in steps:
        screen.on_event("m", state, state.history[-1])
    assert f"* A note ({EN.private})" in out.getvalue()
    [vote] = [e for e in steps[-1].history if isinstance(e, VoteCast) and e.seat == owner]
    assert vote.audience != "all"
    assert f"{owner} -> {vote.choice} ({EN.private})" in out.getvalue()


@pytest.mark.slow
def test_a_resumed_screen_shows_what_the_first_one_showed() -> None:
    for name in GAMES:
        steps = play_on(find_game(name), 1)
        seat = steps[-1].started.seats[1]
        whole, _, out = screen_of(seat)
        for number, state in enumerate(steps):
            whole.on_event("m", state, state.history[-1])
            if number % 5 == 0 and out.getvalue():
                again, _, second = screen_of(seat)
                again.on_resume("m", state)
                assert second.getvalue().startswith(out.getvalue())
                extra = second.getvalue()[len(out.getvalue()) :].strip()
                assert extra in {"", again.say.resumed}


def test_what_others_said_in_a_wave_stays_hidden_until_the_person_has_answered() -> None:
    """A match that was left in the middle of a wave holds answers that come too early."""
    game = find_game("whodunit")
    setup = setup_of(game, 1, read_options(game, "default", {"introductions": "together"}))
    state = start_state(game, setup)
    first, second, *_ = pending(state)
    assert state.mode == "simultaneous"
    state = act(state, first, say("<<heard too early>>"))
    screen, _, out = screen_of(second.seat)
    screen.on_resume("m", state)
    assert "Introduction" in out.getvalue()
    assert "<<heard too early>>" not in out.getvalue()
    screen.show_log()
    assert "<<heard too early>>" not in out.getvalue()
    state = act(state, second, say("mine"))
    screen.on_event("m", state, state.history[-1])
    assert "<<heard too early>>" in out.getvalue()


@pytest.mark.slow
def test_a_seat_that_is_out_is_shown_nothing_more_before_the_end() -> None:
    game = find_game("werewolf5")
    found = 0
    for seed in range(12):
        steps = play_on(game, seed, hostile_too=False)
        for seat in steps[-1].eliminated:
            screen, _, out = screen_of(seat)
            silent: str | None = None
            for state in steps:
                screen.on_event("m", state, state.history[-1])
                if seat in state.eliminated and silent is None:
                    silent = out.getvalue()
                elif silent is not None and not isinstance(state.history[-1], MatchEnded):
                    assert out.getvalue() == silent
                    found += not isinstance(state.history[-1], Announced | ClueRevealed)
    assert found


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", GAMES)
def test_a_person_is_told_nothing_about_json(name: str, language: str) -> None:
    game = find_game(name)
    setup = setup_of(game, 1)
    script = (
        game.make_script(language)  # pyright: ignore
        if isinstance(game, SelfContained)
        else replace(setup.script, language=language)
    )
    state, asked = start_state(game, replace(setup, script=script)), 0
    while waiting := pending(state):
        request = waiting[0]
        seen = observe_request(state, request)
        if not request.onlooker:
            whole = game.texts(seen).instruction(request)
            told = drop_reply_format(whole)
            asked += 1
            assert told.strip(), whole
            for word in ("JSON", "{", '"', "Reply with", "name only", "只回答", "number only"):
                assert word not in told, told
        state = act(state, request, legal(request, Random(request.id)))
    assert asked
