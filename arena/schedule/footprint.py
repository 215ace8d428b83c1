"""KV footprint of a match on the endpoints that it uses.

A queued match consists of these values only, so it takes little memory. Give the matches of one
script the same choices: a queued match then costs its id and one `QueuedMatch`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPrefix:
    """Prompt prefix that many matches share: the rules and the private script of one seat."""

    key: str
    """Prefixes with equal keys hold equal tokens."""
    tokens: int
    """Length in tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTokens:
    """Planned tokens, by their source of uncertainty."""

    text: float = 0
    """Counted texts: lines of the game, clues, instructions."""
    pictures: float = 0
    speech: Mapping[str, float] = field(default_factory=dict[str, float])
    """By kind of request: assumed tokens of what models say."""

    @property
    def total(self) -> int:
        """Return the sum of all kinds."""
        return round(self.text + self.pictures + sum(self.speech.values()))

    def __add__(self, other: "PlannedTokens") -> "PlannedTokens":
        """Return the sum by kind."""
        speech = dict(self.speech)
        for kind, tokens in other.speech.items():
            speech[kind] = speech.get(kind, 0) + tokens
        return PlannedTokens(
            text=self.text + other.text, pictures=self.pictures + other.pictures, speech=speech
        )

    def scale(self, factor: float) -> "PlannedTokens":
        """Return `factor` times as many of each kind."""
        speech = {kind: tokens * factor for kind, tokens in self.speech.items()}
        return PlannedTokens(
            text=self.text * factor, pictures=self.pictures * factor, speech=speech
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTurn:
    """An expected request to one seat."""

    number: int
    """Its position among the requests of all seats."""
    request: str
    kind: str
    """Kind of the request."""
    reply: float
    """Tokens of the reply."""
    tokens: PlannedTokens
    """Tokens of the seat's context after the reply, without its shared prefix."""

    def cut(self, most: int, added: int = 0) -> "PlannedTurn":
        """Return the turn with `added` tokens of text, reduced to at most `most` tokens."""
        tokens = self.tokens + PlannedTokens(text=added)
        if tokens.total > most:
            tokens = tokens.scale(most / tokens.total)
        return replace(self, tokens=tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """KV needs of one match's seats on one endpoint."""

    prefixes: Mapping[str, SharedPrefix]
    """By seat. Seats may share a prefix."""
    turns: Mapping[str, tuple[PlannedTurn, ...]]
    """By seat: its requests in order."""
    is_exact: bool = False
    """Whether texts and pictures were counted with the model's own tokenizer."""
    cumulative_tokens: tuple[PlannedTokens, ...] = field(init=False)
    """Own tokens of all seats before the first request, and after each."""
    planned: Mapping[tuple[str, str], PlannedTurn] = field(init=False)
    """By seat and request."""
    places: Mapping[str, int] = field(init=False)
    """By request, whichever seat gets it: its position, from 1."""

    def __post_init__(self) -> None:
        """Put the turns of all seats in order."""
        order = sorted(
            ((turn.number, seat, turn) for seat, some in self.turns.items() for turn in some),
            key=lambda one: one[0],
        )
        last: dict[str, PlannedTokens] = {}
        cumulative = [PlannedTokens()]
        for _, seat, turn in order:
            last[seat] = turn.tokens
            cumulative.append(sum(last.values(), PlannedTokens()))
        planned = {(seat, turn.request): turn for _, seat, turn in order}
        object.__setattr__(self, "cumulative_tokens", tuple(cumulative))
        object.__setattr__(self, "planned", planned)
        places = {turn.request: place for place, (_, _, turn) in enumerate(order, 1)}
        object.__setattr__(self, "places", places)

    @property
    def peak(self) -> int:
        """Return the planned peak of the match's own tokens, without the prefixes."""
        return max(one.total for one in self.cumulative_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class KvDemand:
    """KV demand of one match on one endpoint."""

    endpoint: str
    footprint: Footprint
    models: frozenset[str] = frozenset()
    """Names of the models that are queried there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedMatch:
    """Match in the admission queue."""

    match: str
    script: str
    pair: tuple[str, str]
    """Contestants: of the civilians, then of the murderer."""
    choices: tuple[tuple[KvDemand, ...], ...]
    """Possible placements, one for each combination of replicas; each has one demand per endpoint.
    """

    def __post_init__(self) -> None:
        """Reject two demands on one endpoint: the ledger would count the match twice."""
        for demands in self.choices:
            endpoints = [demand.endpoint for demand in demands]
            if len(set(endpoints)) < len(endpoints):
                raise ValueError(
                    f"match {self.match!r} must have one demand per endpoint, got "
                    f"{', '.join(endpoints)}"
                )

    @property
    def endpoints(self) -> frozenset[str]:
        """Return all endpoints on which it can be placed."""
        return frozenset(one.endpoint for demands in self.choices for one in demands)
