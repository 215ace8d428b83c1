"""Events of a match. A match is a list of events; events have no timestamps.

Every event names its audience. A secret of some seats is a separate event, so an observer sees all
fields of an event or none.
"""

from dataclasses import dataclass
from typing import Literal

from arena.core.actions import Reply, Skip, Values
from arena.core.options import GameOptions
from arena.core.requests import ActionError, DecisionRequest
from arena.core.seats import Audience, Faction, SeatId, SeatPart

Outcome = Literal["civ_win", "murderer_win", "draw", "forfeit", "error"]
SkipCause = Literal["declined", "timeout", "invalid", "unanswerable"]
"""The player passed by design, did not answer in time, gave no valid answer, or cannot answer: its
model cannot receive the request, or refuses it."""
RequestMode = Literal["turns", "simultaneous", "off_path"]
Adjustment = Literal[
    "picture_read",
    "picture_note_truncated",
    "picture_note_empty",
    "pictures_composed",
    "pictures_dropped",
    "log_summarised",
    "log_retrieved",
    "log_dropped",
    "summary_dropped",
    "script_summarised",
    "script_retrieved",
    "script_dropped",
    "search_lexical",
    "own_turns_dropped",
    "log_reset",
]
"""How a prompt was adjusted. `search_lexical`: the embedder failed, so BM25 searched.
`own_turns_dropped`: the prompt no longer contains the seat's earlier requests, replies and
thoughts. `log_reset`: the prompt log restarted from other messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted:
    """The match started: its script, game, options, seats and contestants."""

    game: str
    options: GameOptions
    script: str
    script_sha256: str
    language: str
    seed: int
    parts: tuple[SeatPart, ...]
    """Of every seat, in the order of the script."""
    civilians: str
    murderer: str
    """Contestants as named by the user."""
    civilians_served: str = ""
    murderer_served: str = ""
    """Served name of the faction's model; empty: the faction needs no model."""
    never_vote: tuple[SeatId, ...] = ()
    """Seats whose player declares that it never votes."""
    flags: tuple[str, ...] = ()
    """Caveats for readers of the results, such as `naive-data:defaulted`."""
    rotation: int = 0
    """By how many seats the order of each phase is rotated."""
    audience: Audience = "host"
    kind: Literal["match_started"] = "match_started"

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """Every seat, in the order of the script."""
        return tuple(part.seat for part in self.parts)

    @property
    def murderers(self) -> tuple[SeatId, ...]:
        """The seats of the murderer's faction."""
        return self.members("murderer")

    def members(self, faction: Faction) -> tuple[SeatId, ...]:
        """Return the seats of a faction, in the order of the script."""
        return tuple(part.seat for part in self.parts if part.faction == faction)

    def part(self, seat: SeatId) -> SeatPart:
        """Return the part of `seat`."""
        return next(part for part in self.parts if part.seat == seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseStarted:
    """A phase, or a round of it, started. Its name is the game's own word."""

    phase: str
    round: int = 1
    step: str = ""
    """The part of a round that has several parts, in the game's vocabulary."""
    candidates: tuple[SeatId, ...] = ()
    """The only seats that voters can choose in a repeated vote."""
    audience: Audience = "all"
    kind: Literal["phase_started"] = "phase_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestsOpened:
    """Seats must decide. Requests opened later, such as an answer to a question, come first.

    In `turns` mode one request is pending at a time; in `simultaneous` mode all are, and no seat
    sees the answer of another. `off_path` does the same for silent requests, which do not affect
    the play: only a few run at a time, and a failure costs no fault budget.
    """

    requests: tuple[DecisionRequest, ...]
    mode: RequestMode
    audience: Audience = "host"
    kind: Literal["requests_opened"] = "requests_opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionAccepted:
    """A seat gave a legal answer. The events after it are its consequences."""

    seat: SeatId
    request: str
    action: Reply | Skip
    audience: Audience = "host"
    kind: Literal["action_accepted"] = "action_accepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRejected:
    """A seat gave an illegal answer; the request is repeated while attempts are left."""

    seat: SeatId
    request: str
    error: ActionError
    partial: Values = ()
    """The parsed values that are legal."""
    audience: Audience = "host"
    kind: Literal["action_rejected"] = "action_rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSkipped:
    """A turn ended without an accepted answer, or its player passed."""

    seat: SeatId
    request: str
    act: str
    """The kind of the request."""
    cause: SkipCause
    audience: Audience = "all"
    kind: Literal["turn_skipped"] = "turn_skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptAdjusted:
    """A seat's prompt did not fit and was adjusted.

    Counts are 0 where they do not apply. Events are numbered from 1 in the seat's observation;
    clues and pictures are named as there: `clue-2`, and `clue-2/1` its first picture.
    """

    seat: SeatId
    request: str
    adjustment: Adjustment
    clues: tuple[str, ...] = ()
    """Clues whose text was left out."""
    pictures: tuple[str, ...] = ()
    """The affected pictures."""
    lines: int = 0
    """Lines of the log, or pieces of the script, that were replaced or left out."""
    total_lines: int = 0
    """Lines of the log, or pieces of the script, in all."""
    first_event: int = 0
    last_event: int = 0
    """Range of the events that were replaced or left out."""
    total_events: int = 0
    """Events in the observation."""
    calls: int = 0
    """Extra model calls."""
    tokens_before: int = 0
    tokens_after: int = 0
    token_limit: int = 0
    """Tokens that the prompt can have, at most."""
    kept: tuple[str, ...] = ()
    """Clues and pictures that did not change."""
    audience: Audience = "host"
    kind: Literal["prompt_adjusted"] = "prompt_adjusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnNoted:
    """A note of a player's method on its turn, in the method's vocabulary.

    For example, a step's answer could not be parsed, or a rule replaced the model.
    """

    seat: SeatId
    request: str
    topic: str
    values: Values = ()
    audience: Audience = "host"
    kind: Literal["turn_noted"] = "turn_noted"


PlayerEvent = PromptAdjusted | TurnNoted
"""Reports of a player about its own work. No rule depends on them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStarted:
    """A stage of a staged script started: each seat gets its own part."""

    stage: int
    audience: Audience = "all"
    kind: Literal["stage_started"] = "stage_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A seat, or an onlooker with its model, rated another seat on a scale."""

    seat: SeatId
    request: str
    scale: str
    """What is rated, in the game's vocabulary."""
    about: SeatId
    value: int | None
    """None: no legal answer; do not count it as the lowest value."""
    moment: int = 0
    """How many events the rater knew."""
    audience: Audience = "host"
    kind: Literal["rated"] = "rated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueRevealed:
    """The audience sees a clue."""

    clue: str
    pictures: tuple[str, ...] = ()
    """Content hashes of its pictures, in order."""
    cause: Literal["dealt", "shown", "found", "triggered"] = "shown"
    finder: SeatId | None = None
    place: str = ""
    audience: Audience
    kind: Literal["clue_revealed"] = "clue_revealed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A seat said something: one text, or several named parts."""

    seat: SeatId
    request: str
    act: str
    """The kind of speech, in the game's vocabulary."""
    parts: Values
    to: SeatId | None = None
    """The seat that it answers."""
    truncated: bool = False
    audience: Audience = "all"
    kind: Literal["said"] = "said"

    @property
    def text(self) -> str:
        """All parts, one per line."""
        return "\n".join(text for _, text in self.parts if text)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked:
    """A seat put a question to another seat."""

    seat: SeatId
    request: str
    to: SeatId
    text: str
    about: str = ""
    """The victim that it is about, if there are several."""
    truncated: bool = False
    audience: Audience = "all"
    kind: Literal["question_asked"] = "question_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast:
    """A seat voted, or the game counts it as abstaining."""

    seat: SeatId
    request: str
    """Empty: the seat was not asked."""
    choice: str
    """A seat, or `abstain`."""
    about: str = ""
    """The victim whose murderer the vote is about, if there are several."""
    ballot: int = 1
    audience: Audience
    kind: Literal["vote_cast"] = "vote_cast"


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesTallied:
    """Votes were counted. `ballots` has who voted for whom; it is empty if only counts are told."""

    votes: tuple[tuple[str, int], ...]
    leaders: tuple[str, ...]
    """Candidates that reach the quorum, before a tie is resolved."""
    named: tuple[str, ...]
    ballots: tuple[tuple[SeatId, str], ...] = ()
    """Seat and choice, in the order of the script."""
    about: str = ""
    ballot: int = 1
    """0: the tally adds up several ballots of each seat."""
    audience: Audience = "all"
    kind: Literal["votes_tallied"] = "votes_tallied"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEliminated:
    """A seat left the game and gets no more requests."""

    seat: SeatId
    cause: str
    audience: Audience = "all"
    kind: Literal["seat_eliminated"] = "seat_eliminated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """The game master announced something to the audience, such as the result of a power."""

    topic: str
    """In the game's vocabulary; the game's `Texts` word it."""
    values: Values = ()
    audience: Audience
    kind: Literal["announced"] = "announced"


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimResult:
    """Result of the vote on one victim, or of one ballot if each ballot is an election."""

    about: str = ""
    """The victim, if there are several."""
    ballot: int = 1
    outcome: Outcome | None
    """None: no seat killed the victim, so the vote does not count."""
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded:
    """The match ended; the event reveals the murderers to all seats."""

    outcome: Outcome
    murderers: tuple[SeatId, ...]
    winners: tuple[SeatId, ...] = ()
    results: tuple[VictimResult, ...] = ()
    """Results of the victims or ballots, if the game votes on several."""
    ranking: tuple[tuple[SeatId, float], ...] = ()
    """Seats and scores, best first, if the game ranks seats."""
    forfeit_seat: SeatId | None = None
    """The seat with the most failed requests, of the contestant that forfeits."""
    cause: str = ""
    """Cause of a forfeit or an error. With another outcome: why no rate may count this match."""
    audience: Audience = "all"
    kind: Literal["match_ended"] = "match_ended"


Event = (
    MatchStarted
    | PhaseStarted
    | RequestsOpened
    | ActionAccepted
    | ActionRejected
    | TurnSkipped
    | PromptAdjusted
    | TurnNoted
    | StageStarted
    | Rated
    | ClueRevealed
    | Said
    | QuestionAsked
    | VoteCast
    | VotesTallied
    | SeatEliminated
    | Announced
    | MatchEnded
)
