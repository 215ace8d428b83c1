"""Played matches with known answers: made by hand, or played through the rules."""

from collections.abc import Callable
from random import Random
from typing import Any

from arena.core.actions import Action
from arena.core.events import Event, MatchEnded, MatchStarted, Outcome, VoteCast
from arena.core.options import GameOptions
from arena.core.playouts.playout import play_out
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.games.game_registry import find_game
from arena.games.whodunit.options import WhodunitOptions
from arena.records.probe_answers import ProbeAnswer, ProbeKind
from eval.played_match import PlayedMatch
from scripts_mm.script import Script
from tests.arena.records.made import manifest, summary
from tests.table import case, legal, setup

Answer = Callable[[DecisionRequest], Action]


def start(
    script: Script | None = None, options: GameOptions | None = None, game: str = "whodunit"
) -> MatchStarted:
    """Return the first event of a match."""
    script, options = script or case(), options or WhodunitOptions()
    return MatchStarted(
        game=game,
        options=options,
        script=script.id,
        script_sha256="0" * 64,
        language=script.language,
        seed=1,
        parts=find_game(game).start(script, options, 1),
        civilians="alpha",
        murderer="beta",
    )


def made(
    *events: Event,
    outcome: Outcome = "civ_win",
    script: Script | None = None,
    probes: tuple[ProbeAnswer, ...] = (),
    started: MatchStarted | None = None,
    **values: Any,
) -> PlayedMatch:
    """Return a match with these events between its start and its end; `values`: of its summary."""
    script = script or case()
    first = started or start(script)
    last = MatchEnded(outcome=outcome, murderers=first.murderers)
    ended = any(isinstance(event, MatchEnded) for event in events)
    history = (first, *events) if ended or outcome == "error" else (first, *events, last)
    return as_played(script, history, outcome, probes, **values)


def play(game: str, script: Script, options: GameOptions, answer: Answer) -> PlayedMatch:
    """Return a match played through the rules, every request answered by `answer`."""
    given = setup(options, script=script)
    state: MatchState = play_out(find_game(game), given, lambda _, request: answer(request))
    assert state.ended is not None
    return as_played(script, state.history, state.ended.outcome, game=game)


def as_played(
    script: Script,
    events: tuple[Event, ...],
    outcome: Outcome,
    probes: tuple[ProbeAnswer, ...] = (),
    **values: Any,
) -> PlayedMatch:
    """Return the match of these events."""
    given: dict[str, Any] = {
        "civilians": "alpha",
        "murderer": "beta",
        "script": script.id,
        "outcome": outcome,
        "flags": (),
    }
    return PlayedMatch(
        run="runs/x",
        manifest=manifest(),
        script=script,
        events=events,
        summary=summary(**{**given, **values}),
        probes=probes,
    )


def drawn(seed: int = 1) -> Answer:
    """Return a player of random legal answers."""
    chance = Random(seed)
    return lambda request: legal(request, chance)


def vote(seat: str, choice: str, **values: Any) -> VoteCast:
    """Return a secret vote."""
    return VoteCast(
        seat=SeatId(seat), request=f"vote/{seat}", choice=choice, audience=(SeatId(seat),), **values
    )


def quiz(
    seat: str, question: str, chosen: tuple[int, ...] | None, kind: ProbeKind = "quiz_after"
) -> ProbeAnswer:
    """Return an answer to a question of a quiz, its options shown in the order of the file."""
    return ProbeAnswer(
        kind=kind,
        seat=SeatId(seat),
        event=3,
        question=question,
        options=chosen,
        shown=(0, 1, 2, 3),
    )
