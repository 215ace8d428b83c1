"""The course of a match, from its events alone: what each request waits for and its seat hears.

Requests that are open at the same time hear nothing of each other, so none waits for another.
Every other request waits for all that came before it, which the latest requests tell alone: those
wait for the others.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Protocol

from arena.bench.content import FRAME_TOKENS
from arena.bench.trace import Piece, Turn
from arena.core.dummies import Dummies
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    QuestionAsked,
    RequestsOpened,
    Said,
    TurnSkipped,
    VoteCast,
)
from arena.core.game import Game
from arena.core.observation import Observation
from arena.core.play import MatchSetup
from arena.core.playout import play_out
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice
from arena.core.state import MatchState

QUOTE_TOKENS: Final = 8
"""Of the words around a speech that other seats hear."""

_Requests = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """The order that a game forces on the requests of a match."""

    before: Mapping[str, _Requests]
    """Request to the requests that it directly waits for."""
    moments: tuple[_Requests, ...]
    """By how many events there were: the latest requests then."""

    def calls_before(self, request: str, calls: Mapping[str, int]) -> set[int]:
        """Return the calls that `request` waits for, `calls` being the last call of each request.

        A request without a call, of a player that needs no model, counts as what it waits for.
        """
        found: set[int] = set()
        seen: set[str] = set()
        left = list(self._direct(request))
        while left:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            if one in calls:
                found.add(calls[one])
            else:
                left += self.before.get(one, ())
        return found

    def _direct(self, request: str) -> _Requests:
        """Return what a request waits for; of a silent probe, what came before its moment."""
        match request.split("/"):
            case ["probe", "ballot", event, *_]:
                return self.moments[int(event)]
            case ["probe", "quiz-before", *_]:
                return ()
            case _:
                # What is missing here was asked, but the match ended before it counted.
                return self.before.get(request, self.moments[-1])


def dependencies(events: Sequence[Event]) -> Dependencies:
    """Return what the requests of a match wait for."""
    before: dict[str, _Requests] = {}
    moments: list[_Requests] = [()]
    front: _Requests = ()
    group: list[str] | None = None
    for event in events:
        match event:
            case RequestsOpened(mode=mode):
                front = tuple(group) if group else front
                group = [] if mode == "simultaneous" else None
            case ActionAccepted() | ActionRejected() | TurnSkipped() if event.request not in before:
                before[event.request] = front
                if group is None:
                    front = (event.request,)
                else:
                    group.append(event.request)
            case _:
                pass
        moments.append((*front, *(group or ())))
    return Dependencies(before=before, moments=tuple(moments))


class PieceSource(Protocol):
    """What the pieces of a prompt are that no reply decides; equal pieces of matches are equal."""

    def header(self, seen: Observation) -> tuple[Piece, ...]:
        """Return what all prompts of a seat begin with."""
        ...

    def event(self, seen: Observation, number: int) -> tuple[Piece, ...]:
        """Return an observed event in which no seat speaks, such as a clue; may be nothing."""
        ...

    def instruction(self, seen: Observation, request: DecisionRequest) -> Piece:
        """Return what tells a seat what to do now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One request of a match, and by what it makes the prompt of its seat grow."""

    request: DecisionRequest
    parents: tuple[int, ...]
    """Steps that it waits for."""
    heard: tuple[Piece | int, ...]
    """Since the seat's last step; of what another seat said, the number of its step."""
    instruction: Piece


def play_course(
    game: Game, setup: MatchSetup, source: PieceSource, *, unasked: int = 0
) -> tuple[Step, ...]:
    """Return a match of players that say what they must; the seed draws who questions whom.

    In each round every seat is questioned as often as any other, except that the match has
    `unasked` questions less.
    """
    played, dummies = _play(game, setup, ())
    if unasked:
        asked = sorted(one.request for one in played.history if isinstance(one, QuestionAsked))
        chance = Random(f"{setup.seed}/unasked")
        skipped = chance.sample(asked, k=min(unasked, len(asked)))
        played, dummies = _play(game, setup, skipped)
    order = dependencies(played.history).before
    numbers = {one.request.id: number for number, one in enumerate(dummies.decisions)}
    known: dict[str, Observation] = {}
    steps: list[Step] = []
    for one in dummies.decisions:
        request, seen = one.request, one.observation
        before = known.get(request.seat)
        known[request.seat] = seen
        heard = _heard(seen, len(before.events) if before else 0, source, numbers)
        steps.append(
            Step(
                request=request,
                parents=tuple(numbers[earlier] for earlier in order[request.id]),
                heard=(*(() if before else source.header(seen)), *dict.fromkeys(heard)),
                instruction=source.instruction(seen, request),
            )
        )
    return tuple(steps)


def _play(game: Game, setup: MatchSetup, skipped: Collection[str]) -> tuple[MatchState, Dummies]:
    others = len(setup.script.roles) - 1

    def shift(request: DecisionRequest) -> int:
        return Random(f"{setup.seed}/{request.phase}/{request.round}").randint(1, others)

    dummies = Dummies(shift=shift, skipped=skipped)
    return play_out(game, setup, dummies.decide), dummies


def _heard(
    seen: Observation, start: int, source: PieceSource, numbers: Mapping[str, int]
) -> Iterator[Piece | int]:
    for number, event in enumerate(seen.events[start:], start=start):
        if not isinstance(event, Said | QuestionAsked | VoteCast):
            yield from source.event(seen, number)
        elif event.seat != seen.seat and event.request in numbers:
            yield numbers[event.request]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyLengths:
    """How long replies are, in tokens; a bare choice takes one."""

    output: int
    spread: float
    """They are at most by this part longer or shorter."""
    seed: int


def make_turns(
    steps: Sequence[Step], match: str, lengths: ReplyLengths, *, owner: str = ""
) -> tuple[Turn, ...]:
    """Return the turns of `match`; with an `owner` it shares no piece with other owners."""
    maker = _TurnMaker(
        match=match,
        prefix=f"{owner}/" if owner else "",
        chance=Random(f"{lengths.seed}/match/{match}"),
    )
    return tuple(maker.turn(number, step, lengths) for number, step in enumerate(steps))


@dataclass(slots=True, kw_only=True)
class _TurnMaker:
    match: str
    prefix: str
    chance: Random
    outputs: list[int] = field(default_factory=list[int])
    """Of the turns so far."""

    def turn(self, number: int, step: Step, lengths: ReplyLengths) -> Turn:
        request = step.request
        is_choice = isinstance(request.spec, Choice)
        factor = 1 + lengths.spread * (2 * self.chance.random() - 1)
        self.outputs.append(1 if is_choice else max(1, round(lengths.output * factor)))
        # What quotes another seat is the match's own; other instructions are the same in all.
        prefix = f"{self.match}/{number}/" if request.context else self.prefix
        instruction = replace(step.instruction, key=prefix + step.instruction.key)
        return Turn(
            number=number,
            seat=request.seat,
            ask=request.id,
            added=(*self._heard(number, step), instruction),
            output=self.outputs[-1],
            parents=step.parents,
            choice=is_choice,
        )

    def _heard(self, number: int, step: Step) -> list[Piece]:
        """Return what the seat hears: speeches in one message up to the next other piece."""
        pieces: list[Piece] = []
        key, tokens = f"{self.match}/{step.request.seat}/{number}/heard", 0
        for heard in (*step.heard, None):
            if isinstance(heard, int):
                tokens += self.outputs[heard] + QUOTE_TOKENS
                continue
            if tokens:
                pieces.append(Piece(key=f"{key}-{len(pieces)}", tokens=tokens + FRAME_TOKENS))
                tokens = 0
            if heard is not None:
                pieces.append(replace(heard, key=self.prefix + heard.key))
        return pieces
