"""The 14 situations of a talk, in order: the first whose condition holds is played."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from arena.core.seats import SeatId
from arena.players.hybrid.powers import POSSESSED, SEER, WEREWOLF
from arena.players.hybrid.talks.talk_scene import TalkScene, find_undeclared
from arena.players.hybrid.talks.talk_table import ResultClaim, TalkTable, TalkTurn

_CLAIM_TURNS: Final = 4
"""A werewolf counters a claim only before this own turn."""
_ASK_TURN: Final = 4
_LEAST_FIRST, _LEAST_LATER = 4, 3
"""Own turns before a seat can close, on the first day and later."""
_MOST_ANSWERS: Final = 4
_MOST_SNIPERS: Final = 2
_LIE_CHANCE: Final = 0.5
_SILENT_TURNS: Final = 2
OVER, SKIP = "over", "skip"
_CLOSING: Final = frozenset(
    {"fallen_wolf", "condemned_first", "condemned_later", "close_first", "close_later"}
)
_CLAIMING: Final = frozenset({"result", "wolf_claim", "counter_claim"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkSituation:
    """A matching situation, and the values of its template."""

    number: int
    family: str
    template: str = ""
    """Key of the text; empty: no speech."""
    target: SeatId | None = None
    """The seat that it names."""
    says: Literal["talk", "over", "skip"] = "talk"
    addresses: bool = False
    """The speech addresses the target."""
    declares: bool = False
    """It declares a vote for the target."""
    claim: ResultClaim | None = None
    """The result that it claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkMoment:
    """Input of the conditions."""

    scene: TalkScene
    table: TalkTable
    past: tuple[TalkTurn, ...]
    """All earlier own turns, of this day and earlier ones."""
    chance: Random
    has_text: bool
    """The model gave a usable text."""

    @property
    def today(self) -> tuple[TalkTurn, ...]:
        """The own turns of today."""
        return tuple(one for one in self.past if one.where[1] == self.scene.day)

    @property
    def is_first_day(self) -> bool:
        """Whether it is the first talk of the match."""
        return self.scene.day == 1

    @property
    def seats_without_vote(self) -> tuple[SeatId, ...]:
        """Living seats without a declared vote; a seat that was asked for it counts as decided."""
        asked = [one.subject for one in self.today if one.family == "undeclared"]
        return find_undeclared(self.scene, tuple(self.table.votes), asked)

    @property
    def closes(self) -> bool:
        """Whether the seat can close the talk."""
        scene = self.scene
        least = _LEAST_FIRST if self.is_first_day else _LEAST_LATER
        is_left_alone = not scene.mentions or scene.answered >= _MOST_ANSWERS
        return is_left_alone and scene.turn > least + len(self.seats_without_vote)

    @property
    def is_condemned(self) -> bool:
        """Whether more than half of the living declared a vote for the seat."""
        snipers = [one for one in self.table.snipers(self.scene.seat) if one in self.scene.living]
        return 2 * len(snipers) > len(self.scene.living)

    @property
    def has_claimed(self) -> bool:
        """Whether the seat has claimed a role."""
        by_rule = any(one.family in _CLAIMING for one in self.past)
        return by_rule or self.scene.seat in self.table.claims


def has_closed(past: tuple[TalkTurn, ...], day: int) -> bool:
    """Return whether the seat already closed the talk of a day."""
    return any(one.family in _CLOSING and one.where[1] == day for one in past)


def find_situation(moment: TalkMoment) -> TalkSituation | None:
    """Return the first situation that holds; None: play the model's text."""
    return next((found for rule in RULES if (found := rule(moment)) is not None), None)


def _over(moment: TalkMoment) -> TalkSituation | None:
    if not has_closed(moment.past, moment.scene.day):
        return None
    return TalkSituation(number=1, family=OVER, says="over")


def _result(moment: TalkMoment) -> TalkSituation | None:
    scene = moment.scene
    if scene.power == SEER and scene.turn == 1:
        told = sum(one.family == "result" for one in moment.past)
        if len(scene.results) > told:
            target, is_wolf = scene.results[-1]
            return _state_claim(ResultClaim(target=target, is_wolf=is_wolf))
    if scene.power == POSSESSED and moment.is_first_day and _lies(moment):
        others = [seat for seat in scene.living if seat != scene.seat]
        return _state_claim(ResultClaim(target=moment.chance.choice(others), is_wolf=True))
    return None


def _state_claim(claim: ResultClaim) -> TalkSituation:
    return TalkSituation(
        number=3,
        family="result",
        template="result_wolf" if claim.is_wolf else "result_human",
        target=claim.target,
        declares=claim.is_wolf,
        claim=claim,
    )


def _lies(moment: TalkMoment) -> bool:
    """Return whether the possessed claims a false result."""
    scene, rivals = moment.scene, moment.table.rivals(moment.scene.seat)
    if moment.has_claimed:
        return False
    if scene.turn == 1:
        return len(rivals) < 2 and moment.chance.random() < _LIE_CHANCE  # noqa: PLR2004 - two seers
    return scene.turn == _SILENT_TURNS and not rivals


def _wolf_claim(moment: TalkMoment) -> TalkSituation | None:
    scene = moment.scene
    if scene.power != POSSESSED or moment.is_first_day or scene.turn != 1:
        return None
    return TalkSituation(number=4, family="wolf_claim", template="wolf_claim")


def _counter_claim(moment: TalkMoment) -> TalkSituation | None:
    scene, rivals = moment.scene, moment.table.rivals(moment.scene.seat)
    if not moment.is_first_day or moment.has_claimed or len(rivals) != 1:
        return None
    claimant, claim = rivals[0]
    is_accused = claim.is_wolf and claim.target == scene.seat
    defends = scene.power == WEREWOLF and scene.turn < _CLAIM_TURNS and is_accused
    helps = scene.power == POSSESSED and scene.turn == _SILENT_TURNS and claim.is_wolf
    if not (defends or helps):
        return None
    return TalkSituation(
        number=5,
        family="counter_claim",
        template="counter",
        target=claimant,
        declares=True,
        claim=ResultClaim(target=claimant, is_wolf=True),
    )


def _opening(moment: TalkMoment) -> TalkSituation | None:
    if not moment.scene.is_quiet:
        return None
    number, family = (6, "opening_first") if moment.is_first_day else (7, "opening_later")
    return TalkSituation(number=number, family=family, template=family)


def _closing(moment: TalkMoment) -> TalkSituation | None:
    if not moment.closes:
        return None
    first = moment.is_first_day
    if not first and moment.scene.power == POSSESSED:
        number, family = 8, "fallen_wolf"
    elif moment.is_condemned:
        number, family = (9, "condemned_first") if first else (10, "condemned_later")
    else:
        number, family = (11, "close_first") if first else (12, "close_later")
    return TalkSituation(number=number, family=family, template=family)


def _ask_undeclared(moment: TalkMoment) -> TalkSituation | None:
    scene = moment.scene
    others = [seat for seat in moment.seats_without_vote if seat != scene.seat]
    snipers = moment.table.snipers(scene.seat)
    is_time = moment.is_first_day and scene.turn == _ASK_TURN
    if not (is_time and others and len(snipers) < _MOST_SNIPERS):
        return None
    target = moment.chance.choice(others)
    return TalkSituation(
        number=13, family="undeclared", template="undeclared", target=target, addresses=True
    )


def _skip(moment: TalkMoment) -> TalkSituation | None:
    if moment.has_text:
        return None
    return TalkSituation(number=14, family=SKIP, says="skip")


RULES: Final[tuple[Callable[[TalkMoment], TalkSituation | None], ...]] = (
    _over,
    _result,
    _wolf_claim,
    _counter_claim,
    _opening,
    _closing,
    _ask_undeclared,
    _skip,
)
"""In the order of docs/hybrid.md. Situation 2, the greeting, is a separate request."""
