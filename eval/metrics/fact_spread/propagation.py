"""Propagation of facts: from their owners, through disclosure, to their users.

The input `mentions` says which utterance contains which fact: from a judge, or for clues from
`clue_mentions`, which searches the words of their titles.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.core.seats import SeatId
from eval.metrics.fact_spread.clue_mentions import clue_mentions
from eval.metrics.fact_spread.tracked_facts import FactMention, TrackedFact, clue_facts
from eval.metrics.match_cache import cache_last_match
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSpread:
    """The propagation of one fact."""

    fact: TrackedFact
    disclosed_at: int | None
    """Index of the event that disclosed it to all; None: never."""
    disclosed_by: SeatId | None
    """The seat that disclosed it; None: not disclosed, or shown by the host."""
    elicited: bool
    """Whether it was disclosed in an answer to a question."""
    users: Mapping[SeatId, int]
    """Other seat -> index of the event in which it first used the fact."""
    distorted: int
    """Uses that change its meaning; excluded from all other figures."""
    seats: int
    """Seats of the match."""

    @property
    def reach(self) -> float | None:
        """Users / possible users, 0..1; None: never disclosed."""
        others = self.seats - len(self.fact.owners)
        return len(self.users) / others if self.disclosed_at is not None and others else None

    @property
    def delay(self) -> float | None:
        """Mean number of events from disclosure to first use; None: never used."""
        if self.disclosed_at is None or not self.users:
            return None
        return fmean(event - self.disclosed_at for event in self.users.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class FactEdge:
    """One transfer of a fact from its owner to a user."""

    owner: str
    """Empty: the host."""
    user: str
    fact: str
    event: int
    distorted: bool = False


def trace_facts(
    facts: Sequence[TrackedFact], mentions: Sequence[FactMention], seats: Collection[SeatId]
) -> tuple[FactSpread, ...]:
    """Return the propagation of each fact.

    `mentions` are in the order of events. The first public mention discloses a fact; uses are later
    mentions by seats that neither own nor disclosed it.
    """
    return tuple(
        _trace_fact(fact, [one for one in mentions if one.fact == fact.id], len(seats))
        for fact in facts
    )


def out_degree(spreads: Sequence[FactSpread]) -> Mapping[SeatId, int]:
    """Return the number of uses by others of each owner's facts."""
    degrees: dict[SeatId, int] = {}
    for spread in spreads:
        for owner in spread.fact.owners:
            degrees[owner] = degrees.get(owner, 0) + len(spread.users)
    return degrees


def path_disclosed(spreads: Sequence[FactSpread], chain: Collection[str]) -> int | None:
    """Return the event that disclosed the last fact of a chain; None: not all were disclosed."""
    found = {one.fact.id: one.disclosed_at for one in spreads if one.fact.id in chain}
    events = [event for event in found.values() if event is not None]
    return max(events) if chain and len(events) == len(set(chain)) else None


def fact_edges(
    spreads: Sequence[FactSpread], mentions: Sequence[FactMention]
) -> tuple[FactEdge, ...]:
    """Return the edges of the graph: owner to user, including every distorted use."""
    known = {spread.fact.id: spread.fact for spread in spreads}
    straight = (
        FactEdge(owner=owner, user=user, fact=spread.fact.id, event=event)
        for spread in spreads
        for owner in spread.fact.owners or ("",)
        for user, event in spread.users.items()
    )
    bent = (
        FactEdge(owner=owner, user=one.seat, fact=one.fact, event=one.event, distorted=True)
        for one in mentions
        if one.distorted and one.fact in known
        for owner in known[one.fact].owners or ("",)
    )
    return tuple(sorted((*straight, *bent), key=lambda edge: edge.event))


@cache_last_match
def clue_spreads(match: PlayedMatch) -> tuple[FactSpread, ...]:
    """Return the propagation of each clue of a match, by the words of its title."""
    facts = clue_facts(match)
    return trace_facts(facts, clue_mentions(match), match.started.seats)


def score_spreads(match: PlayedMatch, spreads: Sequence[FactSpread], what: str) -> Iterator[Score]:
    """Yield the scores of one kind of facts: `clue`, or `key` for judged key facts."""
    for faction in ("civilians", "murderer", ""):
        own = [one for one in spreads if _owners_side(match, one) == faction]
        told = sum(one.disclosed_at is not None for one in own)
        if own:
            yield make_score(
                match,
                f"{what}_disclosure",
                numerator=told,
                denominator=len(own),
                group=faction or "nobody",
            )
    for name, values in (
        ("reach", [one.reach for one in spreads]),
        ("delay", [one.delay for one in spreads]),
    ):
        known = [value for value in values if value is not None]
        if spreads:
            value = fmean(known) if known else None
            yield make_score(match, f"{what}_{name}", value=value)
    told_by = [one for one in spreads if one.disclosed_by is not None]
    if spreads:
        yield make_score(
            match,
            f"{what}_elicited",
            numerator=sum(one.elicited for one in told_by),
            denominator=len(told_by),
        )
    for seat, degree in out_degree(spreads).items():
        yield make_score(match, f"{what}_out_degree", value=float(degree), seat=seat)


def score_path(
    match: PlayedMatch, spreads: Sequence[FactSpread], chain: Collection[str]
) -> Iterator[Score]:
    """Yield whether all facts of the shortest proof were disclosed."""
    if chain:
        told = path_disclosed(spreads, chain) is not None
        yield make_score(match, "killer_path", numerator=told, denominator=1)


def _trace_fact(fact: TrackedFact, mentions: Sequence[FactMention], seats: int) -> FactSpread:
    straight = [one for one in mentions if not one.distorted]
    first = next((one for one in straight if one.public), None)
    shown = fact.shown_at
    by_host = shown is not None and (first is None or shown <= first.event)
    disclosed_at = shown if by_host else None if first is None else first.event
    teller = None if by_host or first is None else first.seat
    users: dict[SeatId, int] = {}
    for one in straight:
        is_later = disclosed_at is not None and one.event > disclosed_at
        if is_later and one.seat != teller and one.seat not in fact.owners:
            users.setdefault(one.seat, one.event)
    return FactSpread(
        fact=fact,
        disclosed_at=disclosed_at,
        disclosed_by=teller,
        elicited=first is not None and not by_host and first.is_answer,
        users=users,
        distorted=len(mentions) - len(straight),
        seats=seats,
    )


def _owners_side(match: PlayedMatch, spread: FactSpread) -> str:
    """Return the side that holds a fact; civilians if both do; empty: no seat."""
    sides = {match.faction(owner) for owner in spread.fact.owners}
    return "civilians" if "civilians" in sides else "".join(sides)


def _measure_clues(name: str) -> Callable[[PlayedMatch], Iterable[Score]]:
    def measure(match: PlayedMatch) -> Iterable[Score]:
        scores = score_spreads(match, clue_spreads(match), "clue")
        return tuple(score for score in scores if score.metric == name)

    return measure


def define_metric(
    name: str,
    english: str,
    chinese: str,
    high: float | None = 1.0,
    measure: Callable[[PlayedMatch], Iterable[Score]] | None = None,
) -> Metric:
    """Return the metric definition of a figure of facts; by default of clues by their titles."""
    return Metric(
        name=name,
        source="own",
        meaning={"en": english, "zh": chinese},
        high=high,
        better="lower" if name.endswith("delay") else "higher" if high else "none",
        measure=measure or _measure_clues(name),
    )


METRICS: tuple[Metric, ...] = (
    define_metric(
        "clue_disclosure",
        "Share of the clues of a side that were disclosed to all, by title words.",
        "某一方持有的线索中被公开的比例（按标题用词判断）。",
    ),
    define_metric(
        "clue_reach",
        "Share of the other seats that used a clue after its disclosure.",
        "线索公开后使用过该线索的其他席位比例。",
    ),
    define_metric(
        "clue_delay",
        "Events from the disclosure of a clue to its first use by another seat.",
        "线索公开到被他人首次使用之间的事件数。",
        None,
    ),
    define_metric(
        "clue_elicited",
        "Share of the clues disclosed by seats that came in an answer to a question.",
        "席位说出的线索中在回答提问时说出的比例。",
    ),
    define_metric(
        "clue_out_degree",
        "Uses of the clues of a seat by others.",
        "该席位的线索被他人使用的次数。",
        None,
    ),
)
