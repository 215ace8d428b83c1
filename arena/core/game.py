"""Game: the interface between a set of rules and the platform, all pure functions."""

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
    """A game's texts for one observer, in the language of its observation."""

    def rules(self) -> str:
        """Return the rules for every seat, under the options of the match."""
        ...

    def case(self) -> str:
        """Return the public facts of the case that its opening lacks; can be empty."""
        ...

    def role(self) -> str:
        """Return the seat's side, power and goals."""
        ...

    def line(self, event: Event) -> str:
        """Return the line for `event`; empty: the platform's line applies, if there is one."""
        ...

    def instruction(self, request: DecisionRequest) -> str:
        """Return the instruction for `request`, without a correction of an earlier answer."""
        ...

    def thought(self, request: DecisionRequest) -> str:
        """Return a hint on what to think about before the answer; can be empty."""
        ...

    def culprit(self) -> str:
        """Return the name of the culprit in a silent question, such as "the murderer"."""
        ...

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase on a screen."""
        ...

    def action_name(self, act: str) -> str:
        """Return a screen's name for a kind of request, such as `vote`."""
        ...

    def part_name(self, name: str) -> str:
        """Return a screen's name for one value of a form, such as `motive`."""
        ...

    def result(self, state: MatchState) -> Sequence[str]:
        """Return a screen's lines for the end of the match."""
        ...


@runtime_checkable
class SelfContained(Protocol):
    """A game without a written case: it makes its own script."""

    def make_script(self, language: Language) -> Script:
        """Return the script; all calls return an equal one."""
        ...


@runtime_checkable
class ReferenceGame(Protocol):
    """A game without talk: its matches are reference rows for games with talk."""

    @property
    def reference_for(self) -> str:
        """What its matches serve as a reference for, in words."""
        ...


class Game(Protocol):
    """The rules of one game. All functions are pure; chance comes from `arena.core.chance`."""

    @property
    def name(self) -> str:
        """Its name in `--game` and in records."""
        ...

    @property
    def about(self) -> str:
        """A description in one sentence."""
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
        """Return the part of every seat; raise `ScriptError` for a script it cannot play."""
        ...

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Return the game master's events when no request is open; at least one.

        For example a phase and its requests, clues, a tally, eliminations, or the end.
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
        """Return the events after a turn without an answer, and whether all seats see the skip.

        `partial` holds the legal values of a rejected or incomplete answer.
        """
        ...

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return the events that `event` triggers, such as a clue for a spoken word."""
        ...

    def texts(self, observation: Observation) -> Texts:
        """Return the texts for an observer."""
        ...
