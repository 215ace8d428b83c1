"""The rules: how a match opens, and what follows from an answer. Pure."""

from dataclasses import dataclass

from arena.core.actions import Action, Ask, SeatId
from arena.core.events import Closed, Event, Opened, Passed, Rejected
from arena.core.hosting import deal, settle
from arena.core.judging import judge
from arena.core.options import Options
from arena.core.protocols.whodunit import NAME
from arena.core.state import MatchState, fold
from scripts_mm.script import Script, ScriptError


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a match is opened with."""

    script: Script
    script_sha256: str
    options: Options
    seed: int
    civilian_player: str
    murderer_player: str
    civilian_served: str = ""
    murderer_served: str = ""
    never_vote: tuple[SeatId, ...] = ()
    """Seats whose player declares that it never votes (PROTOCOLS 1.7)."""
    marks: tuple[str, ...] = ()


def open_match(setup: Setup) -> tuple[Event, ...]:
    """Return the first events of a match, or raise `ScriptError` where it cannot be played."""
    murderers = _murderers(setup.script, strict=setup.options.strict_one)
    seats = tuple(SeatId(name) for name in setup.script.names)
    mute = {*setup.never_vote, *(murderers if setup.options.electorate == "civilians" else ())}
    opened = Opened(
        script=setup.script.id,
        script_sha256=setup.script_sha256,
        language=setup.script.language,
        protocol=NAME,
        options=setup.options,
        seed=setup.seed,
        seats=seats,
        murderers=murderers,
        electorate=tuple(seat for seat in seats if seat not in mute),
        civilian_player=setup.civilian_player,
        murderer_player=setup.murderer_player,
        civilian_served=setup.civilian_served,
        murderer_served=setup.murderer_served,
        marks=setup.marks,
    )
    return _with_settled(MatchState(script=setup.script), (opened, *deal(setup.script, opened)))


def decide(state: MatchState, ask: Ask, action: Action) -> tuple[Event, ...]:
    """Return what follows when the seat of `ask` answers `action`.

    An illegal answer is an event too: `Rejected` while tries are left, else the fallback of the
    verb and `Passed` (PROTOCOLS 1.3).
    """
    judged = judge(ask, action)
    if judged.fault and ask.tries > 1:
        return (Rejected(seat=ask.seat, ask=ask.id, fault=judged.fault, came=judged.came),)
    return _with_settled(state, judged.events)


def give_up(state: MatchState, ask: Ask, *, reason: str) -> tuple[Event, ...]:
    """Return what follows when the seat of `ask` gives no answer at all, as past its deadline."""
    passed = Passed(seat=ask.seat, ask=ask.id, verb=ask.verb, reason=reason, fault=True)
    return _with_settled(state, (passed,))


def fail(state: MatchState, *, cause: str) -> Closed:
    """Return the end of a match that cannot go on: an error is never a loss for a side."""
    return Closed(outcome="error", murderers=state.opening.murderers, cause=cause)


def _with_settled(state: MatchState, events: tuple[Event, ...]) -> tuple[Event, ...]:
    for event in events:
        state = fold(state, event)
    return (*events, *settle(state))


def _murderers(script: Script, *, strict: bool) -> tuple[SeatId, ...]:
    murderers = tuple(SeatId(name) for name in script.murderers)
    if not murderers or len(murderers) == len(script.roles):
        raise ScriptError(
            f"script {script.id!r} has {len(murderers)} murderers among {len(script.roles)} roles; "
            "a match of two factions needs a role on each side"
        )
    if strict and len(murderers) > 1:
        raise ScriptError(
            f"script {script.id!r} has {len(murderers)} murderers; strict_one accepts one"
        )
    return murderers
