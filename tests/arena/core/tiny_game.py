"""A game made for one test: what happens next is given as events."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arena.core.actions import Reply, Values
from arena.core.events import Event, MatchEnded, RequestMode, RequestsOpened, Said
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import ActionSpec, FreeText
from arena.core.state import MatchState
from arena.core.transitions import MatchSetup
from arena.games.whodunit.texts import WhodunitTexts
from scripts_mm.script import Script
from tests.table import case

Follow = Callable[[MatchState, DecisionRequest, Reply], tuple[Event, ...]]
React = Callable[[MatchState, Event], tuple[Event, ...]]


@dataclass(frozen=True)
class TinyGame:
    """Plays `steps` one after the other; after the last one the civilians win."""

    steps: tuple[tuple[Event, ...], ...] = ()
    following: Follow = field(default=lambda state, request, reply: ())
    reacting: React = field(default=lambda state, event: ())
    outcome: MatchEnded | None = None
    name: str = "tiny"
    about: str = "A game for one test"
    options: type[GameOptions] = GameOptions
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=lambda: {"default": {}})

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return civilians, and the culprits as murderers."""
        del options, seed
        return tuple(
            SeatPart(
                seat=SeatId(name),
                faction="murderer" if name in script.murderers else "civilians",
            )
            for name in script.names
        )

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Return the next step; the first event of each step tells which were played."""
        played = sum(bool(step) and step[0] in state.history for step in self.steps)
        if played < len(self.steps):
            return self.steps[played]
        ended = MatchEnded(outcome="civ_win", murderers=state.started.murderers)
        return (self.outcome or ended,)

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return what the test says."""
        return self.following(state, request, reply)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return nothing; a skip is private where the kind of the request is `quiet`."""
        del state, partial
        return (), request.kind != "quiet"

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return what the test says."""
        return self.reacting(state, event)

    def texts(self, observation: Observation) -> WhodunitTexts:
        """Have no texts."""
        raise NotImplementedError


def request(
    seat: str,
    name: str = "",
    *,
    kind: str = "word",
    spec: ActionSpec | None = None,
    attempts: int = 3,
) -> DecisionRequest:
    """Return a request to `seat`."""
    return DecisionRequest(
        id=name or f"{kind}/{seat}",
        seat=SeatId(seat),
        kind=kind,
        phase="one",
        spec=spec or FreeText(),
        attempts_left=attempts,
    )


def opened(*requests: DecisionRequest, mode: RequestMode = "turns") -> RequestsOpened:
    """Return the event that opens `requests`."""
    return RequestsOpened(requests=requests, mode=mode)


def tiny_setup(options: GameOptions | None = None) -> MatchSetup:
    """Return the setup of a match of the small case."""
    return MatchSetup(script=case(), options=options or GameOptions(), seed=1)


def said(state: MatchState, ask: DecisionRequest, text: str = "said") -> Said:
    """Return the event in which the seat of a request says `text`."""
    del state
    return Said(seat=ask.seat, request=ask.id, act=ask.kind, parts=(("text", text),))
