"""A person at a seat: asked as a model is, in its own time, and free to leave and come back."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.events import TurnSkipped
from arena.core.game import SelfContained
from arena.core.observation import Observation
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice
from arena.core.state import pending
from arena.errors import ConfigError, PersonLeftError
from arena.games.game_registry import all_games, find_game
from arena.players.human import HumanPlayer
from arena.players.player import Answer
from arena.records.match_replay import replay_match
from arena.records.run_config import HUMAN, SPOILED, HumanSeat, RunConfig, make_pairs
from arena.records.run_record import open_run
from arena.run.human_seat import check_unspoiled, choose_contestants, find_seat
from arena.run.launch import RunResult, resume_run, script_ref, start_run
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop, StateChange
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript, wrap_script
from tests.arena.games.cases import case_of, short_options
from tests.arena.run.stage import only, save_case
from tests.table import (
    MURDERER,
    NAMES,
    act,
    case,
    legal,
    setup,
)

ADA = SeatId(NAMES[0])


class ScriptedDesk:
    """Answers legally, the same each time, and leaves or sleeps before some of its answers."""

    def __init__(
        self,
        *,
        leave_at: int | None = None,
        sleeps: Callable[[DecisionRequest], bool] = lambda _: False,
    ) -> None:
        self.asked: list[DecisionRequest] = []
        self.seen: list[Observation] = []
        self.at_once = 0
        self._leave_at, self._sleeps = leave_at, sleeps

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Action:
        """Return an answer."""
        del seconds
        self.at_once += 1
        assert self.at_once == 1, "a person is asked one thing at a time"
        try:
            if len(self.asked) == self._leave_at:
                raise PersonLeftError("enough")
            self.asked.append(request)
            self.seen.append(observation)
            await asyncio.sleep(3600 if self._sleeps(request) else 0)
            return legal(request, Random(request.id))
        finally:
            self.at_once -= 1


def load(game: str, folder: Path) -> LoadedScript:
    rules = find_game(game)
    if isinstance(rules, SelfContained):
        return wrap_script(rules.make_script("en"))
    return save_case(folder, case_of(rules))


def configure(game: str, loaded: LoadedScript, seat: SeatId, **human: object) -> RunConfig:
    rules, options = find_game(game), short_options(find_game(game))
    parts = rules.start(loaded.script, options, 0)
    civilians, murderer = choose_contestants(parts, [seat], allies=None, against="random")
    return RunConfig(
        pairs=make_pairs(civilians, murderer),
        scripts=(script_ref(loaded),),
        game=game,
        options=options,
        humans=(HumanSeat(seat=seat, **human),),  # pyright: ignore[reportArgumentType]
    )


def play(config: RunConfig, loaded: LoadedScript, path: Path, desk: ScriptedDesk) -> RunResult:
    desks = {human.seat: desk for human in config.humans}
    run = start_run(config, [loaded], path, concurrency=1, observer=BaseObserver(), desks=desks)
    return asyncio.run(run)


def go_on(path: Path, desk: ScriptedDesk) -> RunResult:
    desks = {human.seat: desk for human in open_run(path).config.humans}
    return asyncio.run(resume_run(path, concurrency=1, observer=BaseObserver(), desks=desks))


def events(path: Path) -> bytes:
    [match] = open_run(path).matches()
    return (match.path / "events.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games())
def test_a_person_takes_each_seat_of_each_game(game: str, tmp_path: Path) -> None:
    loaded = load(game, tmp_path / "case")
    for number, role in enumerate(loaded.script.roles):
        seat, desk = SeatId(role.name), ScriptedDesk()
        result = play(configure(game, loaded, seat), loaded, tmp_path / f"run{number}", desk)
        summary = only(result)
        assert summary.outcome not in {"error", "forfeit"}, summary.error_cause
        assert HUMAN in summary.flags
        assert desk.asked
        assert {request.seat for request in desk.asked} == {seat}
        assert all(seen.seat == seat for seen in desk.seen)
        assert len({request.id for request in desk.asked}) == len(desk.asked)


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games())
def test_a_match_that_is_left_before_any_answer_goes_on_as_if_nobody_had_left(
    game: str, tmp_path: Path
) -> None:
    loaded = load(game, tmp_path / "case")
    seat = SeatId(loaded.script.roles[1].name)
    config = configure(game, loaded, seat)
    whole = ScriptedDesk()
    play(config, loaded, tmp_path / "whole", whole)
    for number in range(len(whole.asked)):
        path = tmp_path / f"left{number}"
        desk = ScriptedDesk(leave_at=number)
        left = only(play(config, loaded, path, desk))
        assert (left.outcome, left.error_cause) == ("error", "enough")
        again = ScriptedDesk()
        summary = only(go_on(path, again))
        assert summary.outcome not in {"error", "forfeit"}
        assert events(path) == events(tmp_path / "whole")
        assert [one.id for one in again.asked] == [one.id for one in whole.asked[number:]]
        assert again.seen == whole.seen[number:]


def test_a_person_who_leaves_a_vote_does_not_wait_for_the_others() -> None:
    """The others of a wave are given up, and asked again later."""
    game = find_game("whodunit")
    state = start_state(game, setup())
    while state.mode == "turns":
        [request] = pending(state)
        state = act(state, request, legal(request, Random(request.id)))
    assert all(isinstance(request.spec, Choice) for request in pending(state))

    class Slow:
        async def act(
            self, observation: Observation, request: DecisionRequest, chance: Random
        ) -> Answer:
            await asyncio.sleep(3600)
            raise AssertionError

    steps: list[StateChange] = []

    async def leave() -> None:
        seats = {seat: SeatBinding(player=Slow(), health=None) for seat in state.started.seats}
        person = HumanPlayer(ScriptedDesk(leave_at=0))
        seats[SeatId(NAMES[1])] = SeatBinding(player=person, health=None, keeps_time=True)
        control = TurnControl(deadline=7200)
        loop = MatchLoop(game=game, seats=seats, control=control, sink=steps.extend)
        async with asyncio.timeout(5):
            await loop.run(state)

    with pytest.raises(PersonLeftError):
        asyncio.run(leave())
    assert not steps


def test_past_the_time_limit_the_turn_is_skipped_and_the_match_goes_on(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    desk = ScriptedDesk(sleeps=lambda request: request.kind == "introduce")
    config = configure("whodunit", loaded, ADA, time_limit=0.05)
    # A second of the run's own deadline would be too short for a person.
    summary = only(play(replace(config, deadline=0.01), loaded, tmp_path / "run", desk))
    assert summary.outcome not in {"error", "forfeit"}
    [match] = open_run(tmp_path / "run").matches()
    skips = [one for one in match.events() if isinstance(one, TurnSkipped)]
    assert [(one.seat, one.cause) for one in skips] == [(ADA, "timeout")]
    replay_match(find_game("whodunit"), loaded.script, match.events())


def test_no_deadline_of_the_run_holds_for_a_person(tmp_path: Path) -> None:
    class Thinking(ScriptedDesk):
        async def ask(
            self, observation: Observation, request: DecisionRequest, seconds: float | None
        ) -> Action:
            assert seconds is None
            await asyncio.sleep(0.05)
            return await super().ask(observation, request, seconds)

    loaded, desk = save_case(tmp_path / "case"), Thinking()
    config = replace(configure("whodunit", loaded, ADA), deadline=0.01)
    assert only(play(config, loaded, tmp_path / "run", desk)).fallbacks == 0


def test_silent_ratings_are_not_put_to_a_person(tmp_path: Path) -> None:
    loaded = load("mirage", tmp_path / "case")
    seat, desk = SeatId(loaded.script.roles[0].name), ScriptedDesk()
    play(configure("mirage", loaded, seat), loaded, tmp_path / "run", desk)
    assert not [one for one in desk.asked if one.kind.startswith("rate")]


def test_who_plays_beside_and_against_a_person(tmp_path: Path) -> None:
    script = save_case(tmp_path / "case").script
    game = find_game("whodunit")
    parts = game.start(script, short_options(game), 0)
    culprit = SeatId(MURDERER)
    assert choose_contestants(parts, [ADA], allies=None, against="naive") == ("naive", "naive")
    assert choose_contestants(parts, [ADA], allies="qwen", against="naive") == ("qwen", "naive")
    assert choose_contestants(parts, [culprit], allies=None, against="qwen") == ("qwen", "human")
    with pytest.raises(ConfigError, match="leave out --allies"):
        choose_contestants(parts, [culprit], allies="qwen", against="qwen")


def test_a_role_is_found_by_its_name_and_a_near_miss_is_named(tmp_path: Path) -> None:
    script = save_case(tmp_path / "case").script
    assert find_seat(script, " ada quill ") == ADA
    for wrong in ("Ada Qill", "Ada", "quill"):
        with pytest.raises(ConfigError, match="did you mean 'Ada Quill'"):
            find_seat(script, wrong)
    with pytest.raises(ConfigError, match="there are: Ada Quill, Bram Stone"):
        find_seat(script, "")


def test_a_person_is_refused_where_there_is_no_seat_or_desk_for_it(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    config = configure("whodunit", loaded, ADA)
    cases = [
        (
            replace(config, humans=(), pairs=make_pairs("human", "random")),
            "arena play SCRIPT --as ROLE",
        ),
        (
            replace(config, pairs=make_pairs("human", "random")),
            "other seats need another contestant",
        ),
        (replace(config, humans=(HumanSeat(seat=SeatId(MURDERER)),)), "needs? another|alone"),
        (
            replace(config, humans=(HumanSeat(seat=SeatId("Nobody")),)),
            "no player is called 'Nobody'",
        ),
    ]
    for number, (wrong, said) in enumerate(cases):
        path = tmp_path / f"run{number}"
        with pytest.raises(ConfigError, match=said):
            play(wrong, loaded, path, ScriptedDesk())
        assert not path.exists()
    with pytest.raises(ConfigError, match="continue it at a terminal"):
        asyncio.run(
            start_run(config, [loaded], tmp_path / "r", concurrency=1, observer=BaseObserver())
        )


def test_a_run_with_a_person_has_one_match_and_no_silent_questions(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    config = configure("whodunit", loaded, ADA)
    for change in (
        {"matches": 2},
        {"pairs": make_pairs("random", "naive", swap=True)},
        {"quiz": "after"},
        {"ballots": True},
    ):
        with pytest.raises(ConfigError, match="person"):
            replace(config, **change)  # pyright: ignore[reportArgumentType]
    for human in ({"time_limit": 0}, {"time_limit": float("inf")}, {"human_id": "a\nb"}):
        with pytest.raises(ConfigError):
            configure("whodunit", loaded, ADA, **human)


def test_a_script_that_a_person_has_played_is_spent_for_it_alone(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    first = configure("whodunit", loaded, ADA, human_id="kim")
    play(first, loaded, tmp_path / "runs" / "one", ScriptedDesk(leave_at=1))
    (tmp_path / "runs" / "broken").mkdir()
    (tmp_path / "runs" / "broken" / "run.json").write_text('{"human_id"')
    again = tmp_path / "runs" / "two"
    with pytest.raises(ConfigError, match="'kim' has already played script 'harbour'"):
        check_unspoiled(first, again)
    for other in ("lee", ""):
        check_unspoiled(configure("whodunit", loaded, ADA, human_id=other), again)
    spoiled = configure("whodunit", loaded, ADA, human_id="kim", spoiled=True)
    result = play(spoiled, loaded, again, ScriptedDesk())
    assert {HUMAN, SPOILED} <= set(only(result).flags)
    # The same match goes on, for whoever has begun it.
    assert only(go_on(tmp_path / "runs" / "one", ScriptedDesk())).outcome != "error"
    made = wrap_script(find_game("werewolf5").make_script("en"))  # type: ignore[attr-defined] # pyright: ignore
    wolf = configure("werewolf5", made, SeatId(made.script.roles[0].name), human_id="kim")
    play(wolf, made, tmp_path / "runs" / "wolf", ScriptedDesk())
    check_unspoiled(wolf, tmp_path / "runs" / "wolf2")


def test_a_naive_side_with_a_person_on_it_votes(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case", case(culprits=(MURDERER, NAMES[3])))
    config = replace(
        configure("whodunit", loaded, SeatId(MURDERER)), pairs=make_pairs("random", "naive")
    )
    desk = ScriptedDesk()
    play(config, loaded, tmp_path / "run", desk)
    assert [one.kind for one in desk.asked][-1] == "vote"
