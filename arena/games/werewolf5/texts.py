"""Texts of the game: rules under the options, roles, instructions, lines of events."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.core.events import (
    Announced,
    Event,
    PhaseStarted,
    Said,
    SeatEliminated,
    TurnSkipped,
)
from arena.core.observation import Observation
from arena.core.purposes import Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from arena.games.shared.texts import GameTexts
from arena.games.shared.vote_texts import join_sentences
from arena.games.werewolf5.moments import NIGHT, OVER, SKIPPED, target_of
from arena.games.werewolf5.options import WerewolfOptions

_WORDING = Path(__file__).parent / "wording"


class WerewolfTexts(GameTexts):
    """The texts of one observer. Rules are the same for all seats of a match."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        super().__init__(observation, _WORDING)
        options = observation.options
        assert isinstance(options, WerewolfOptions), f"{type(options).__name__} of another game"
        self._options = options

    def rules(self) -> str:
        """Return the rules: roles, phases, deaths, outcome, conduct."""
        say = self.say
        numbered = "\n".join(f"{n}. {line}" for n, line in enumerate(self._phases(), start=1))
        parts = (
            say("rules.head"),
            say("rules.roles"),
            f"{say('rules.phases')}\n{numbered}",
            say("rules.dead") if self._is_whole else "",
            say(f"rules.win_{self._options.days}"),
            say("rules.conduct"),
        )
        return "\n\n".join(part.strip() for part in parts if part)

    def role(self) -> str:
        """Return the seat's role and how it wins."""
        key = f"role.{self._power}"
        return (not self._is_whole and self.say.get(f"{key}_first_day")) or self.say(key)

    def line(self, event: Event) -> str:
        """Return the line for an event of this game, such as an addressed speech."""
        match event:
            case Said(to=to) if to is not None:
                return self._address_line(event, to)
            case SeatEliminated(seat=seat, cause=cause):
                return self.say(f"line.out_{cause}", seat=seat)
            case Announced():
                return self._announcement_line(event)
            case _:
                return super().line(event)

    def values(self, request: DecisionRequest) -> dict[str, object]:
        """Return the values for the placeholders of an instruction."""
        out = {one.seat for one in self.observation.events if isinstance(one, SeatEliminated)}
        askers = self._askers()
        return {
            **super().values(request),
            "side": self.say.get(f"action.{request.kind}_{self._power}"),
            "chars": self._options.talk_chars,
            "day": self._day,
            "turn": request.round,
            "turns": self._options.talk_turns,
            "living": self.names([one for one in self.observation.seats if one not in out]),
            "asked": self.say("action.asked", names=self.names(askers)) if askers else "",
        }

    def thought(self, request: DecisionRequest) -> str:
        """Return a hint on what to think about before the answer."""
        is_greeting = request.purpose == Purpose.INTRODUCE
        return self.say(f"thought.{'greet' if is_greeting else self._power}").strip()

    def result(self, state: MatchState) -> Sequence[str]:
        """Return the line of the outcome, and the roles of all seats."""
        parts = (
            self.say("result.is", seat=part.seat, role=self.say(f"result.{part.power}"))
            for part in state.started.parts
        )
        return (*super().result(state), self.say("result.roles", roles=self.names(tuple(parts))))

    @property
    def _is_whole(self) -> bool:
        return self._options.days == "whole"

    @property
    def _seat(self) -> str:
        role = self.observation.role
        return role.part.seat if role is not None else ""

    @property
    def _power(self) -> str:
        return self.observation.own.part.power

    @property
    def _day(self) -> int:
        """The current day, as far as the observer knows."""
        events = self.observation.events
        return sum(isinstance(one, PhaseStarted) and one.phase == NIGHT for one in events)

    def _phases(self) -> Iterator[str]:
        say, options = self.say, self._options
        if options.greeting:
            yield say("rules.greeting")
        yield say("rules.first_night")
        yield join_sentences(self.observation.language, *self._talk())
        yield join_sentences(self.observation.language, *self._vote())
        if self._is_whole:
            yield say("rules.night")

    def _talk(self) -> Iterator[str]:
        say, options = self.say, self._options
        turns = options.talk_turns
        together = options.utterances == "together"
        yield say(
            "rules.talk",
            turns=say("rules.turns_one") if turns == 1 else say("rules.turns_many", turns=turns),
            order=say(f"rules.order_{'together' if together else options.order}"),
            heard=say(f"rules.heard_{options.utterances}"),
        )
        yield say("rules.talk_ways")
        yield say("rules.talk_address")

    def _vote(self) -> Iterator[str]:
        say, silent = self.say, self.observation.never_vote
        yield say("rules.vote")
        if silent:
            yield say("rules.silent_one" if silent == 1 else "rules.silent_many", silent=silent)
        yield say(
            "rules.count",
            announced=say("rules.announce_votes" if silent else "rules.announce_ballots"),
            tie=say(f"rules.tie_{self._options.tie}"),
        )

    def _address_line(self, event: Said, to: str) -> str:
        """Return the line of a speech that is addressed to this or another seat."""
        key = "own_put_to" if event.seat == self._seat else "put_to"
        if to == self._seat:
            key = "put_to_you"
        return self.say(f"line.{key}", seat=event.seat, to=to, text=quote(event.text))

    def _announcement_line(self, event: Announced) -> str:
        """Return the line of an announcement; a private one names its seat to other observers."""
        say, told = self.say, dict(event.values)
        seat = told.get("seat", "")
        key = f"own_{event.topic}" if seat and seat == self._seat else event.topic
        if event.audience != "all":
            key = event.topic if self._seat in event.audience else f"{event.topic}_of"
        return say(
            f"line.{key}",
            seat=seat,
            found=say.get(f"line.{told.get('found')}"),
            drawn=say("line.drawn") if "drawn" in told else "",
        )

    def _askers(self) -> tuple[str, ...]:
        """Return the living seats that addressed this seat since its last turn of the talk."""
        askers: dict[str, None] = {}
        for event in self.observation.events:
            match event:
                case Said(seat=seat, to=to) if to is not None and to == self._seat:
                    askers[seat] = None
                case SeatEliminated(seat=seat):
                    askers.pop(seat, None)
                case _ if self._ends_turn(event):
                    askers.clear()
                case _:
                    pass
        return tuple(askers)

    def _ends_turn(self, event: Event) -> bool:
        """Return whether `event` ends this seat's turn of the talk: a speech, silence or a skip."""
        match event:
            case Said(seat=seat) | TurnSkipped(seat=seat, act="speak"):
                return seat == self._seat
            case Announced(topic=topic) if topic in {SKIPPED, OVER}:
                return target_of(event) == self._seat
            case _:
                return False
