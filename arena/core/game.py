"""What a game is: a value with pure functions. The platform knows nothing else of it."""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from arena.core.actions import Reply, Values
from arena.core.events import Event, PhaseStarted
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatPart
from arena.core.state import MatchState
from scripts_mm.script import Language, Script


class Texts(Protocol):
    """How a game reads to one observer, in the language of its observation."""

    def rules(self) -> str:
        """Return the rules for every seat, under the options of the match."""
        ...

    def case(self) -> str:
        """Return what every seat knows of this case besides its opening; may be empty."""
        ...

    def role(self) -> str:
        """Return the seat's side, power and goals."""
        ...

    def line(self, event: Event) -> str:
        """Return the line for `event`; empty: the platform's own line, if it has one."""
        ...

    def instruction(self, request: DecisionRequest) -> str:
        """Return what the seat must do now, without a correction of an earlier answer."""
        ...

    def thought(self, request: DecisionRequest) -> str:
        """Return what the seat should think about before it answers."""
        ...

    def culprit(self) -> str:
        """Return what a silent question calls the one who must be found: "the murderer"."""
        ...

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase on a screen."""
        ...

    def action_name(self, act: str) -> str:
        """Return what a screen calls a kind of request, such as `vote`."""
        ...

    def part_name(self, name: str) -> str:
        """Return what a screen calls one value of a form, such as `motive`."""
        ...

    def result(self, state: MatchState) -> Sequence[str]:
        """Return the lines with which a screen shows the end of the match."""
        ...


@runtime_checkable
class SelfContained(Protocol):
    """A game that needs no written case: it makes its own script."""

    def make_script(self, language: Language) -> Script:
        """Return the script, the same whenever it is made."""
        ...


@runtime_checkable
class ReferenceGame(Protocol):
    """A game in which nobody talks: its matches are reference rows for games with talk."""

    @property
    def reference_for(self) -> str:
        """What its matches are compared with, in words."""
        ...


class Game(Protocol):
    """The rules of one game. All functions are pure; chance comes from `arena.core.chance`."""

    @property
    def name(self) -> str:
        """Its name in `--game` and in records."""
        ...

    @property
    def about(self) -> str:
        """What it is, in one sentence."""
        ...

    @property
    def options(self) -> type[GameOptions]:
        """Its options: a subclass of `GameOptions`."""
        ...

    @property
    def presets(self) -> Mapping[str, Mapping[str, object]]:
        """Named sets of option values; `default` is one of them."""
        ...

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the part of every seat, or raise `ScriptError` if the script cannot be played."""
        ...

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Return the events of the game master when no request is open; at least one.

        A phase and its requests, clues, a count, deaths, or the end.
        """
        ...

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the events that follow from an accepted answer."""
        ...

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return what follows where a turn ends without an answer, and whether all see that.

        `partial` holds the legal values of an answer that was rejected or left incomplete.
        """
        ...

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return what an event triggers, such as a clue for a word that was said."""
        ...

    def texts(self, observation: Observation) -> Texts:
        """Return how the game reads to an observer."""
        ...
