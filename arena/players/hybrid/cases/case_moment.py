"""The moment of a turn in a murder mystery: input of the conditions of its situations."""

from dataclasses import dataclass
from typing import Final, Literal

from arena.core.observation import Observation
from arena.core.seats import SeatId
from arena.players.hybrid.cases.case_table import CaseTable, CaseTurn
from arena.players.hybrid.cases.case_view import clue_text, find_public_clue, other_seats, own_facts
from arena.players.hybrid.hybrid_phrases import HybridPhrases

Kind = Literal["speech", "question", "reply"]
_MOST_REASONS: Final = 3
NOWHERE: Final = ("", 0)
"""Phase and round of turns outside rounds: introductions and answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSituation:
    """A matching situation, and the values of its template."""

    number: int
    family: str
    statement: str = ""
    question: str = ""
    target: SeatId | None = None
    """The seat that is asked."""
    declares: SeatId | None = None
    """The seat that is named as the suspect."""
    subject: str = ""
    """The topic, which must not be repeated."""
    says: Literal["words", "done", "skip"] = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMoment:
    """Input of the conditions."""

    observation: Observation
    kind: Kind
    """A speech, a question with or without a statement, or an answer to a seat."""
    where: tuple[str, int]
    """Phase and round."""
    asker: str
    """The asking seat; empty if none asked."""
    about: str
    """The victim that the turn is about; empty: all of them."""
    targets: tuple[SeatId, ...]
    """Seats that can be asked now."""
    table: CaseTable
    past: tuple[CaseTurn, ...]
    say: HybridPhrases
    has_text: bool
    confess: bool

    @property
    def seat(self) -> SeatId:
        """The own seat."""
        return self.observation.seat

    @property
    def others(self) -> tuple[SeatId, ...]:
        """All other seats."""
        return other_seats(self.observation)

    @property
    def innocents(self) -> tuple[SeatId, ...]:
        """Seats on which a murderer can cast suspicion: not those that it knows of its faction."""
        known = self.observation.own.part.knows
        return tuple(seat for seat in self.others if seat not in known) or self.others

    @property
    def is_murderer(self) -> bool:
        """Whether the seat is a murderer."""
        return self.observation.is_murderer

    @property
    def accusers(self) -> tuple[SeatId, ...]:
        """Seats that suspect this one."""
        return tuple(one for one in self.table.accusers(self.seat) if one != self.seat)

    @property
    def is_condemned(self) -> bool:
        """Whether more than half of the others suspect this seat."""
        return 2 * len(self.accusers) > len(self.others)

    @property
    def turns(self) -> tuple[CaseTurn, ...]:
        """The own earlier turns, without introductions and answers."""
        return tuple(one for one in self.past if one.where != NOWHERE)

    @property
    def is_first_round(self) -> bool:
        """Whether the seat had no turn in an earlier round."""
        return all(one.where == self.where for one in self.turns)

    @property
    def rival(self) -> SeatId:
        """The innocent seat that others suspect most; of equal ones the last."""
        return self.table.rank(self.innocents, self.seat)[0]

    @property
    def suspect(self) -> SeatId | None:
        """The seat that this one names: its own suspect, else that of most others."""
        own = self.table.suspects.get(self.seat)
        if own is not None and own.whom != self.seat:
            return own.whom
        named = [one for one in self.others if self.table.accusers(one)]
        return self.table.rank(named, self.seat)[0] if named else None

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the table's content from others' speech and revealed clues."""
        suspects = sorted(
            f"{seat}>{one.whom}" for seat, one in self.table.suspects.items() if seat != self.seat
        )
        return f"{suspects} {self.table.clashes} {len(self.observation.clues)}"

    def was_played(self, family: str, subject: str = "") -> bool:
        """Return whether a situation was played before, about this subject."""
        return any(one.family == family and one.subject == subject for one in self.past)

    def clue_against(self, seat: SeatId) -> str:
        """Return the text of a public clue, or that the whereabouts of `seat` are unknown."""
        clue = find_public_clue(self.observation, seat)
        if clue is None:
            return self.say("glue.no_clue", target=seat)
        key = "glue.clue" if clue.text else "glue.clue_only"
        return self.say(key, title=clue.title, text=clue_text(clue))

    def list_reasons(self, seat: SeatId) -> str:
        """Return up to three reasons against a seat: first from the talk, then from own facts."""
        facts = [one.text for one in own_facts(self.observation) if one.seat == seat]
        reasons = [*self.table.reasons(seat), *([] if self.is_murderer else facts)]
        found = (reason.rstrip(".。") for reason in reasons[:_MOST_REASONS])
        listed = (
            self.say("glue.reason", number=number, reason=reason)
            for number, reason in enumerate(found, start=1)
        )
        return " ".join(listed) or self.clue_against(seat)
