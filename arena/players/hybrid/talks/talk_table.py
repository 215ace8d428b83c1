"""The table of a talk: declared votes, and claimed results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.seats import SeatId
from arena.players.hybrid.analysis_lines import find_seat, read_lines, split_arrow, split_commas
from arena.players.hybrid.turn_memory import AnalysedTurn
from scripts_mm.script import Language

_WOLF = frozenset({"werewolf", "wolf", "狼人", "狼", "人狼"})
_HUMAN = frozenset({"human", "villager", "person", "人类", "人", "好人", "村民", "不是狼人"})
_PARTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultClaim:
    """The result that a seat claims."""

    target: SeatId
    is_wolf: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkFindings:
    """Findings of the analysis of one turn."""

    votes: tuple[tuple[SeatId, SeatId], ...] = ()
    claims: tuple[tuple[SeatId, ResultClaim], ...] = ()


TalkTurn = AnalysedTurn[TalkFindings]


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkTable:
    """Votes declared today, and claims of the whole match."""

    votes: Mapping[SeatId, SeatId] = field(default_factory=dict[SeatId, SeatId])
    claims: Mapping[SeatId, ResultClaim] = field(default_factory=dict[SeatId, ResultClaim])

    def snipers(self, seat: SeatId) -> tuple[SeatId, ...]:
        """Return the seats that declared a vote for `seat`."""
        return tuple(one for one, target in self.votes.items() if target == seat)

    def rivals(self, seat: SeatId) -> tuple[tuple[SeatId, ResultClaim], ...]:
        """Return the claims of others."""
        return tuple((one, claim) for one, claim in self.claims.items() if one != seat)

    def values(self) -> dict[str, str]:
        """Return the table for the record, without empty parts."""
        votes = "; ".join(f"{seat} -> {target}" for seat, target in self.votes.items())
        claims = "; ".join(
            f"{seat}: {claim.target} {'werewolf' if claim.is_wolf else 'human'}"
            for seat, claim in self.claims.items()
        )
        found = {"declared": votes, "claims": claims}
        return {name: value for name, value in found.items() if value}


def make_table(turns: Iterable[TalkTurn], now: TalkFindings, seat: SeatId, day: int) -> TalkTable:
    """Return the table of a day from earlier turns and the current findings."""
    votes: dict[SeatId, SeatId] = {}
    claims: dict[SeatId, ResultClaim] = {}
    for turn in turns:
        claims |= turn.found.claims
        if turn.where[1] == day:
            votes |= turn.found.votes
            if turn.declared:
                votes[seat] = SeatId(turn.declared)
    return TalkTable(votes=votes | dict(now.votes), claims=claims | dict(now.claims))


def read_votes(
    text: str, seats: Sequence[SeatId], language: Language
) -> tuple[tuple[SeatId, SeatId], ...]:
    """Return the declared votes of lines `X -> Y`; a line with other or equal seats is dropped."""
    found: dict[SeatId, SeatId] = {}
    for line in read_lines(text):
        sides = split_arrow(line)
        if sides is None:
            continue
        seat, target = (find_seat(side, seats, language) for side in sides)
        if seat is not None and target is not None and seat != target:
            found[seat] = target
    return tuple(found.items())


def read_claims(
    text: str, seats: Sequence[SeatId], language: Language
) -> tuple[tuple[SeatId, ResultClaim], ...]:
    """Return the claimed results of lines `X, Y, werewolf` or `X, Y, human`; others are dropped."""
    found: dict[SeatId, ResultClaim] = {}
    for line in read_lines(text):
        parts = split_commas(line, _PARTS)
        result = parts[-1].strip(" .。").casefold()
        if len(parts) != _PARTS or result not in _WOLF | _HUMAN:
            continue
        seat, target = (find_seat(part, seats, language) for part in parts[:2])
        if seat is not None and target is not None and seat != target:
            found[seat] = ResultClaim(target=target, is_wolf=result in _WOLF)
    return tuple(found.items())
