"""Several persons in one match: each at its own desk, beside any contestants, left and resumed."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.seats import SeatId
from arena.errors import ConfigError
from arena.games.game_registry import all_games, find_game
from arena.players.human import HumanDesk
from arena.records.run_config import HUMAN, SPOILED, HumanSeat, RunConfig, make_pairs
from arena.records.run_record import open_run
from arena.run.human_seat import check_unspoiled, choose_contestants, seat_humans
from arena.run.launch import RunResult, resume_run, start_run
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript
from tests.arena.games.cases import short_options
from tests.arena.players.test_human import (
    ADA,
    ScriptedDesk,
    configure,
    events,
    load,
)
from tests.arena.run.stage import only, save_case
from tests.table import MURDERER, NAMES

BRAM, CULPRIT = SeatId(NAMES[1]), SeatId(MURDERER)


def seated(config: RunConfig, *seats: SeatId) -> RunConfig:
    return replace(config, humans=tuple(HumanSeat(seat=seat) for seat in seats))


def play(
    config: RunConfig, loaded: LoadedScript, path: Path, desks: Mapping[SeatId, HumanDesk]
) -> RunResult:
    observer = BaseObserver()
    return asyncio.run(
        start_run(config, [loaded], path, concurrency=1, observer=observer, desks=desks)
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games())
def test_persons_at_all_seats_need_no_other_player(game: str, tmp_path: Path) -> None:
    loaded = load(game, tmp_path / "case")
    seats = [SeatId(role.name) for role in loaded.script.roles]
    desks = {seat: ScriptedDesk() for seat in seats}
    config = seated(configure(game, loaded, seats[0]), *seats)
    config = replace(config, pairs=make_pairs("human", "human"))
    summary = only(play(config, loaded, tmp_path / "run", desks))
    assert summary.outcome not in {"error", "forfeit"}, summary.error_cause
    assert summary.flags.count(HUMAN) == 1
    for seat, desk in desks.items():
        assert {request.seat for request in desk.asked} == {seat}
        assert all(seen.seat == seat for seen in desk.seen)


@pytest.mark.slow
def test_a_match_that_one_of_two_persons_leaves_goes_on_as_if_nobody_had_left(
    tmp_path: Path,
) -> None:
    loaded = save_case(tmp_path / "case")
    config = seated(configure("whodunit", loaded, ADA), ADA, BRAM)
    whole = {ADA: ScriptedDesk(), BRAM: ScriptedDesk()}
    play(config, loaded, tmp_path / "whole", whole)
    for number in range(len(whole[BRAM].asked)):
        path = tmp_path / f"left{number}"
        left = play(
            config, loaded, path, {ADA: ScriptedDesk(), BRAM: ScriptedDesk(leave_at=number)}
        )
        assert only(left).outcome == "error"
        again = {ADA: ScriptedDesk(), BRAM: ScriptedDesk()}
        summary = only(
            asyncio.run(resume_run(path, concurrency=1, observer=BaseObserver(), desks=again))
        )
        assert summary.outcome not in {"error", "forfeit"}
        assert events(path) == events(tmp_path / "whole")
        assert [one.id for one in again[BRAM].asked] == [
            one.id for one in whole[BRAM].asked[number:]
        ]


def test_every_person_needs_a_desk(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    config = seated(configure("whodunit", loaded, ADA), ADA, BRAM)
    with pytest.raises(ConfigError, match=f"persons play '{BRAM}' in this run"):
        play(config, loaded, tmp_path / "run", {ADA: ScriptedDesk()})
    assert not (tmp_path / "run").exists()
    play(config, loaded, tmp_path / "run", {ADA: ScriptedDesk(), BRAM: ScriptedDesk(leave_at=0)})
    with pytest.raises(ConfigError, match=f"persons play '{ADA}', '{BRAM}' in this run"):
        asyncio.run(resume_run(tmp_path / "run", concurrency=1, observer=BaseObserver()))


def test_who_plays_beside_persons_of_one_side_or_of_both(tmp_path: Path) -> None:
    script, game = save_case(tmp_path / "case").script, find_game("whodunit")
    parts = game.start(script, short_options(game), 0)
    both = [BRAM, CULPRIT]
    assert choose_contestants(parts, [ADA, BRAM], allies="a", against="b") == ("a", "b")
    assert choose_contestants(parts, both, allies=None, against="b") == ("b", "human")
    assert choose_contestants(parts, both, allies="a", against=None) == ("a", "human")
    everybody = [part.seat for part in parts]
    assert choose_contestants(parts, everybody, allies=None, against=None) == ("human", "human")
    with pytest.raises(ConfigError, match="name with --allies the contestant"):
        choose_contestants(parts, both, allies=None, against=None)
    with pytest.raises(ConfigError, match="leave out --allies 'a'"):
        choose_contestants(parts, everybody, allies="a", against=None)


@pytest.mark.parametrize("game", all_games())
def test_a_contestant_human_takes_a_seat_of_its_side_in_every_game(
    game: str, tmp_path: Path
) -> None:
    loaded, rules = load(game, tmp_path / "case"), find_game(game)
    base = replace(configure(game, loaded, SeatId(loaded.script.roles[0].name)), humans=())
    for seed in range(5):
        for side, pairs in (
            ("civilians", make_pairs("human", "random")),
            ("murderer", make_pairs("naive", "human")),
        ):
            config = replace(base, pairs=pairs, seed=seed)
            drawn = seat_humans(config, rules, [loaded.script])
            [human] = drawn.humans
            parts = {part.seat: part for part in rules.start(loaded.script, config.options, seed)}
            assert parts[human.seat].faction == side
            assert seat_humans(config, rules, [loaded.script]) == drawn
            named = seat_humans(config, rules, [loaded.script], wanted=[human.seat.upper()])
            assert named == drawn


def test_a_drawn_seat_is_another_one_with_another_seed(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    base = replace(
        configure("whodunit", loaded, ADA), humans=(), pairs=make_pairs("human", "naive")
    )
    seats = {
        seat_humans(replace(base, seed=seed), find_game("whodunit"), [loaded.script]).humans
        for seed in range(20)
    }
    assert len(seats) > 2


def test_persons_of_a_match_are_told_what_is_wrong(tmp_path: Path) -> None:
    loaded, game = save_case(tmp_path / "case"), find_game("whodunit")
    base = replace(configure("whodunit", loaded, ADA), humans=())
    people, models = make_pairs("human", "naive"), make_pairs("random", "naive")

    def seat(pairs: object, *wanted: str, allies: str | None = None, **more: object) -> RunConfig:
        config = replace(base, pairs=pairs, **more)  # pyright: ignore[reportArgumentType]
        return seat_humans(config, game, [loaded.script], wanted=wanted, allies=allies)

    assert seat(models).humans == ()
    for make, said in (
        (lambda: seat(models, ADA), "need a side that a person plays"),
        (lambda: seat(models, allies="naive"), "need a side that a person plays"),
        (lambda: seat(people, CULPRIT), "is not on the side of 'human'"),
        (lambda: seat(people, "Ada Qill"), "did you mean 'Ada Quill'"),
        (lambda: seat(people, ADA, ADA), f"'{ADA}' is named twice"),
        (lambda: seat(people, matches=3), "but this run has 3"),
        (lambda: seat((*people, people[0].swap())), "but this run has 2"),
        (lambda: seat(people, quiz="after"), "silent questions cannot be put"),
        (lambda: seat(make_pairs("human:x=1", "naive")), "no option 'x'"),
        (lambda: seat(make_pairs("naive", "human"), allies="random"), "leave out --allies"),
        (lambda: seat(make_pairs("human", "human")), "name with --allies"),
    ):
        with pytest.raises(ConfigError, match=said):
            make()
    both = seat(make_pairs("human", "human"), BRAM, allies="naive")
    assert [one.seat for one in both.humans] == [BRAM, CULPRIT]
    assert both.pairs == make_pairs("naive", "human")


def test_a_script_that_any_of_the_persons_has_played_is_spent(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    base = configure("whodunit", loaded, ADA)
    kim, lee = HumanSeat(seat=ADA, human_id="kim"), HumanSeat(seat=BRAM, human_id="lee")
    first = replace(base, humans=(kim, lee))
    runs = tmp_path / "runs"
    play(first, loaded, runs / "one", {ADA: ScriptedDesk(), BRAM: ScriptedDesk(leave_at=0)})
    max_ = HumanSeat(seat=ADA, human_id="max")
    with pytest.raises(ConfigError, match="'lee' has already played script 'harbour', in"):
        check_unspoiled(replace(base, humans=(max_, lee)), runs / "two")
    check_unspoiled(replace(base, humans=(max_,)), runs / "two")
    known = replace(base, humans=(max_, replace(lee, spoiled=True)))
    result = play(known, loaded, runs / "two", {ADA: ScriptedDesk(), BRAM: ScriptedDesk()})
    assert {HUMAN, SPOILED} <= set(only(result).flags)
    assert open_run(runs / "two").config.humans == known.humans
    with pytest.raises(ConfigError, match="'kim' is named twice"):
        replace(base, humans=(kim, replace(lee, human_id="kim")))
