"""The game of docs/write-your-own-game.md: its rules, its package and its documentation."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.actions import Reply, Skip, choose
from arena.core.events import Announced, MatchEnded, PhaseStarted, SeatEliminated, VotesTallied
from arena.core.observation import Spectator, observe
from arena.core.playouts.playout import play_out, reduce_all, start_state
from arena.core.seats import SeatId
from arena.core.specs import OneOf
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup, apply
from scripts_mm.script import ScriptError
from tests.arena.games.one_night.one_night import GAME, OneNightOptions
from tests.table import NAMES, case, legal

ROOT = Path(__file__).parents[3]
PACKAGE = Path(__file__).parent / "one_night"
DOC = ROOT / "docs" / "write-your-own-game.md"
ADA, BRAM, CLEO, DIRK, EDDA = NAMES
WOLF = CLEO


def start(culprits: tuple[str, ...] = (WOLF,), seed: int = 1, **options: Any) -> MatchState:
    script = case(culprits=culprits)
    setup = MatchSetup(script=script, options=OneNightOptions(**options), seed=seed)
    return start_state(GAME, setup)


def answer(state: MatchState, action: Reply | Skip, seat: str = "") -> MatchState:
    request = next(one for one in pending(state) if seat in ("", one.seat))
    return reduce_all(state, apply(GAME, state, request, action))


def seer_of(state: MatchState) -> str:
    return next(part.seat for part in state.started.parts if part.power == "seer")


def spend_night(state: MatchState, victim: str, seen: str = WOLF) -> MatchState:
    attack = Reply(values=(("choice", victim),), variant="attack")
    for wolf in state.started.murderers:
        state = answer(state, attack, wolf)
    return answer(state, choose(seen), seer_of(state))


def end_talk(state: MatchState) -> MatchState:
    over = Reply(values=(), variant="over")
    while state.phase is not None and state.phase.phase == "talk":
        state = answer(state, over)
    return state


def voting(**options: Any) -> MatchState:
    state = start(**options)
    victim = next(seat for seat in NAMES if seat not in (WOLF, seer_of(state)))
    return end_talk(spend_night(state, victim))


def test_the_seer_alone_learns_what_it_saw_and_the_werewolf_what_it_peeked_at() -> None:
    state = start()
    seer = seer_of(state)
    peek = Reply(values=(("choice", seer),), variant="peek")
    state = answer(answer(state, peek, WOLF), choose(WOLF), seer)
    found = {
        seat: [
            dict(event.values)["found"]
            for event in observe(state, SeatId(seat)).events
            if isinstance(event, Announced) and event.audience != "all"
        ]
        for seat in NAMES
    }
    assert found == {**{seat: [] for seat in NAMES}, seer: ["murderer"], WOLF: ["seer"]}
    public = observe(state, Spectator()).events
    assert not [event for event in public if isinstance(event, Announced) and event.values]
    lines = [GAME.texts(observe(state, SeatId(seer))).line(e) for e in state.history]
    assert f"[Host, to you alone] {WOLF} is on the side of the werewolves." in lines


def test_the_night_is_simultaneous_and_its_victim_is_asked_nothing_more() -> None:
    state = start()
    assert state.mode == "simultaneous"
    assert isinstance(pending(state)[0].spec, OneOf)
    state = spend_night(state, seer_of(state))
    assert state.eliminated == (seer_of(state),)
    assert seer_of(state) not in {one.seat for one in state.open}
    assert len(state.open) == len(NAMES) - 1


def test_a_night_without_an_attack_kills_nobody() -> None:
    state = start()
    peek = Reply(values=(("choice", ADA),), variant="peek")
    state = answer(answer(state, peek, WOLF), Skip(), seer_of(state))
    assert state.eliminated == ()
    assert Announced(topic="quiet", audience="all") in state.history


def test_talk_goes_on_until_every_living_seat_has_said_over() -> None:
    state = spend_night(start(talk_rounds=9), victim=EDDA if seer_of(start()) != EDDA else DIRK)
    over = Reply(values=(), variant="over")
    talk = Reply(values=(("text", "I saw it."),), variant="talk")
    asked: list[int] = []
    while state.phase is not None and state.phase.phase == "talk":
        request = pending(state)[0]
        asked.append(request.round)
        is_done = request.round > NAMES.index(request.seat)
        state = answer(state, over if is_done else talk)
    assert state.phase == PhaseStarted(phase="vote")
    living = [NAMES.index(seat) for seat in state.living]
    assert [asked.count(number) for number in sorted({*asked})] == [
        sum(number <= one + 1 for one in living) for number in range(1, max(living) + 2)
    ]


def test_talk_ends_after_the_last_round_even_if_a_seat_never_stops() -> None:
    state = spend_night(start(talk_rounds=2), victim=ADA if seer_of(start()) != ADA else BRAM)
    talk = Reply(values=(("text", "And another thing."),), variant="talk")
    for _ in range(2 * len(state.living)):
        state = answer(state, talk)
    assert state.phase == PhaseStarted(phase="vote")


@pytest.mark.parametrize("named", ["wolf", "villager"])
def test_the_vote_decides_for_all_seats_of_a_side_dead_or_alive(named: str) -> None:
    state = voting()
    villagers = [seat for seat in state.living if seat != WOLF]
    target = WOLF if named == "wolf" else villagers[0]
    while pending(state):
        seat = pending(state)[0].seat
        state = answer(state, choose(target if seat != target else "abstain"))
    assert isinstance(state.ended, MatchEnded)
    assert set(state.ended.winners) == ({*NAMES} - {WOLF} if named == "wolf" else {WOLF})
    assert SeatEliminated(seat=SeatId(target), cause="vote") in state.history
    [line] = GAME.texts(observe(state, Spectator())).result(state)
    assert all(winner in line for winner in state.ended.winners)


def test_a_tie_is_voted_on_again_among_the_living_and_then_drawn() -> None:
    state = voting()
    first, second = [seat for seat in state.living if seat != WOLF][:2]
    for _ in range(2):
        assert state.ended is None
        number = state.phase.round if state.phase else 0
        while waiting := [one for one in pending(state) if one.round == number]:
            mine = {first: second, second: first}.get(waiting[0].seat, "abstain")
            state = answer(state, choose(mine), waiting[0].seat)
    tallies = [event for event in state.history if isinstance(event, VotesTallied)]
    assert [tally.leaders for tally in tallies] == [tuple(sorted((first, second)))] * 2
    assert [len(tally.named) for tally in tallies] == [2, 1]
    assert state.ended is not None


@pytest.mark.parametrize("culprits", [(), NAMES[:3], NAMES])
def test_a_script_without_enough_villagers_is_refused(culprits: tuple[str, ...]) -> None:
    with pytest.raises(ScriptError, match="one-night needs four roles"):
        start(culprits=culprits)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_text_of_a_match_can_be_rendered(language: Any) -> None:
    script = replace(case(culprits=(CLEO, EDDA)), language=language)
    for seed in range(20):
        setup = MatchSetup(script=script, options=OneNightOptions(), seed=seed)
        chance = Random(seed)
        state = play_out(GAME, setup, lambda _, one, chance=chance: legal(one, chance))
        assert state.ended is not None
        for seat in (*map(SeatId, NAMES), Spectator(truth=True)):
            seen = observe(state, seat)
            texts = GAME.texts(seen)
            told = [texts.line(event) for event in seen.events] + [texts.rules()]
            assert not any("{" in one for one in told)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package as a stranger would, without network and outside the environment."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    shutil.copytree(PACKAGE, source / "one_night", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--target", str(target)]
    subprocess.run([*command, str(source / "one_night")], check=True, capture_output=True)
    return target


def run(installed: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(installed), str(ROOT)))
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_installed_game_is_listed_and_plays_to_its_end(installed: Path) -> None:
    done = run(installed, "tests.arena.games.play_one_night")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"whodunit", "one-night"} <= {*found["games"]}
    assert found["loaded_from"].startswith(str(installed))
    assert set(found["outcomes"]) == {"civ_win", "murderer_win"}
    assert found["shortest_prompt"] > 30, "of a seat that the first night killed"
    assert found["unfilled"] == []
    assert {"talk_rounds", "revotes", "order"} <= set(found["options"])


@pytest.mark.slow
def test_the_installed_game_is_played_recorded_and_replayed_by_commands(
    installed: Path, tmp_path: Path
) -> None:
    games = run(installed, "arena", "games", "--json").stdout.splitlines()
    listed = [json.loads(line) for line in games]
    assert {"whodunit", "one-night"} <= {one["game"] for one in listed}
    folder = str(tmp_path / "run")
    sides = ("--civ", "random", "--murderer", "naive", "--script", "quiet-harvest")
    played = run(
        installed, "arena", "match", "--game", "one-night", *sides, "--json", "--out", folder
    )
    assert played.returncode == 0, played.stderr
    summary = json.loads(played.stdout)
    assert (summary["game"], summary["rejected"]) == ("one-night", 0)
    assert summary["outcome"] in {"civ_win", "murderer_win"}
    shown = run(installed, "arena", "replay", folder, "--no-color")
    assert shown.returncode == 0, shown.stderr
    assert "Talk, round 1" in shown.stdout


def blocks(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    return "\n".join(line for block in found for line in block.splitlines() if line.strip())


def code(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line.strip())


def test_the_documentation_quotes_the_whole_package() -> None:
    assert blocks("python") == code(PACKAGE / "one_night.py")
    assert blocks("toml") == code(PACKAGE / "pyproject.toml")
