"""A match that nobody played: the stages of the protocol in turn, and who hears what of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from arena.bench.content import FRAME_TOKENS
from arena.bench.trace import Piece, Turn
from arena.core.actions import Verb
from arena.core.protocols.whodunit import Stage

ASK_TOKENS: Final = 60
"""Of the message that says what is wanted now."""
QUOTE_TOKENS: Final = 8
"""Of the words round a line that is quoted to the other seats."""
_ASKING: Final = {"share_and_ask", "ask"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """How long replies are, and how many questions are put to nobody."""

    output: int
    spread: float
    unasked: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What all matches of a synthetic trace have in common."""

    plan: tuple[Stage, ...]
    seats: tuple[str, ...]
    lengths: Lengths

    def turns(
        self,
        match: str,
        heads: Mapping[str, tuple[Piece, ...]],
        clues: tuple[Piece, ...],
        script: str,
    ) -> tuple[Turn, ...]:
        """Return the turns of one match.

        `heads`: what each seat's log begins with; `clues`: what all are shown; `script`: the name
        under which equal asks of equal scripts are equal pieces.
        """
        table = _Table(self, match, heads, script)
        for stage in self.plan:
            if stage.phase == "clues":
                table.heard += clues
            else:
                table.play(stage)
        return tuple(table.turns)


@dataclass(frozen=True, slots=True)
class _Line:
    """What a seat said, as the others hear it."""

    seat: str
    tokens: int


@dataclass(slots=True)
class _Table:
    """One match while it is made."""

    seating: Seating
    match: str
    heads: Mapping[str, tuple[Piece, ...]]
    script: str
    turns: list[Turn] = field(default_factory=list[Turn])
    heard: list[_Line | Piece] = field(default_factory=list["_Line | Piece"])
    told: dict[str, int] = field(default_factory=dict[str, int])
    """How much of `heard` a seat's log holds."""
    frontier: tuple[int, ...] = ()
    """Turns that everything so far has led to: what a new ask waits for."""
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Asks that a question is owed an answer for, and who owes it."""
    chance: Random = field(init=False)
    targets: dict[tuple[int, str], str] = field(init=False)
    """Round and seat to the seat that it asks; missing: nobody."""

    def __post_init__(self) -> None:
        self.chance = Random(f"{self.seating.lengths.seed}/match/{self.match}")
        self.targets = self._drawn()

    def play(self, stage: Stage) -> None:
        """Add the turns of a stage: together where it is a wave, else one after the other."""
        if stage.who == "asked":
            owed, self.asked = self.asked, []
            self._wave([(seat, "answer", f"{ask}/answer") for ask, seat in owed], stage)
        elif stage.wave:
            verb = stage.verbs[0]
            self._wave([(s, verb, _name(stage, verb, s)) for s in self.seating.seats], stage)
        else:
            for seat in self.seating.seats:
                for verb in stage.verbs:
                    self._one(seat, verb, _name(stage, verb, seat), stage)

    def _one(self, seat: str, verb: Verb, ask: str, stage: Stage) -> None:
        self._wave([(seat, verb, ask)], stage)
        if verb in _ASKING and not stage.wave:
            owed, self.asked = self.asked, []
            self._wave([(to, "answer", f"{by}/answer") for by, to in owed], stage)

    def _wave(self, asks: Iterable[tuple[str, Verb, str]], stage: Stage) -> None:
        """Put asks of which none hears another, then let all hear what was said."""
        before, said = self.frontier, list[_Line]()
        numbers: list[int] = []
        for seat, verb, ask in asks:
            turn = self._turn(seat, verb, ask, before)
            self.turns.append(turn)
            numbers.append(turn.number)
            if verb != "vote" or not stage.wave:
                said.append(_Line(seat, turn.output + QUOTE_TOKENS))
            if verb in _ASKING and (to := self.targets.get((stage.round, seat))):
                self.asked.append((ask, to))
        self.heard += said
        self.frontier = tuple(numbers) or before

    def _turn(self, seat: str, verb: Verb, ask: str, parents: tuple[int, ...]) -> Turn:
        number, lengths = len(self.turns), self.seating.lengths
        head = () if seat in self.told else self.heads[seat]
        # An answer is asked for with the question; other demands differ by seat and verb alone.
        demand = f"{self.match}/{number}" if verb == "answer" else f"{self.script}/{seat}"
        factor = 1 + lengths.spread * (2 * self.chance.random() - 1)
        return Turn(
            number=number,
            seat=seat,
            ask=ask,
            added=(
                *head,
                *self._delta(seat, number),
                Piece(key=f"{demand}/{verb}", tokens=ASK_TOKENS),
            ),
            output=1 if verb == "vote" else max(1, round(lengths.output * factor)),
            parents=parents,
            choice=verb == "vote",
        )

    def _delta(self, seat: str, number: int) -> list[Piece]:
        """Return what the seat has not heard yet: lines in one message up to the next picture."""
        pieces: list[Piece] = []
        tokens = 0
        for heard in self.heard[self.told.get(seat, 0) :]:
            if isinstance(heard, _Line):
                tokens += heard.tokens if heard.seat != seat else 0
                continue
            self._flush(pieces, f"{self.match}/{seat}/{number}/heard", tokens)
            pieces.append(heard)
            tokens = 0
        self._flush(pieces, f"{self.match}/{seat}/{number}/heard", tokens)
        self.told[seat] = len(self.heard)
        return pieces

    def _flush(self, pieces: list[Piece], key: str, tokens: int) -> None:
        if tokens:
            pieces.append(Piece(key=f"{key}-{len(pieces)}", tokens=tokens + FRAME_TOKENS))

    def _drawn(self) -> dict[tuple[int, str], str]:
        """Draw whom each seat asks: in a round, every seat is asked as often as any other."""
        seats = self.seating.seats
        rounds = sorted({stage.round for stage in self.seating.plan if _ASKING & {*stage.verbs}})
        drawn = {
            (number, seat): seats[(place + shift) % len(seats)]
            for number in rounds
            for shift in [self.chance.randrange(1, len(seats))]
            for place, seat in enumerate(seats)
        }
        silent = self.chance.sample(sorted(drawn), k=min(self.seating.lengths.unasked, len(drawn)))
        return {key: to for key, to in drawn.items() if key not in silent}


def _name(stage: Stage, verb: Verb, seat: str) -> str:
    return f"{stage.phase}-{stage.round}/{verb}/{seat}"
