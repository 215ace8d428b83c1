"""Events: what happened in a match. A match is a list of events; no event holds a time.

Every event names its audience. A secret that only some seats may know is an event of its own, so
that no field of an event is ever hidden from a part of its audience.
"""

from dataclasses import dataclass
from typing import Literal

from arena.core.actions import Reply, Skip, Values
from arena.core.options import GameOptions
from arena.core.requests import ActionError, DecisionRequest
from arena.core.seats import Audience, Faction, SeatId, SeatPart

Outcome = Literal["civ_win", "murderer_win", "draw", "forfeit", "error"]
SkipCause = Literal["declined", "timeout", "invalid", "unanswerable"]
"""The player passed by design, gave no answer in time, gave no valid answer, or could give none:
its model cannot be sent the request, or refuses it."""
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
"""What was done to a prompt. `search_lexical`: the embedder failed, and the search went by words.
`own_turns_dropped`: the prompt no longer holds the seat's earlier requests, replies and thoughts.
`log_reset`: the prompt log started again from other messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted:
    """The match started: which script, which rules, who plays what."""

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
    """Served name of the side's model; empty: the side needs no model."""
    never_vote: tuple[SeatId, ...] = ()
    """Seats whose player declares that it never votes."""
    flags: tuple[str, ...] = ()
    """What a reader of results must know, such as `naive-data:defaulted`."""
    rotation: int = 0
    """How many seats later than in the order of a phase the first one is."""
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
    """Which part of a round, where a round has several; in the game's own word."""
    candidates: tuple[SeatId, ...] = ()
    """The only seats that may be chosen, where a vote is held again."""
    audience: Audience = "all"
    kind: Literal["phase_started"] = "phase_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestsOpened:
    """Seats must decide. Requests opened later, such as an answer to a question, come first.

    In `turns` mode one request is pending at a time; in `simultaneous` mode all are, and no seat
    sees the answer of another. `off_path` is the same for silent requests, on which nothing that is
    heard depends: they are asked a few at a time, and a failure costs no fault budget.
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
    """A seat gave an illegal answer; while attempts are left it is asked again."""

    seat: SeatId
    request: str
    error: ActionError
    partial: Values = ()
    """The values that could be read and are legal."""
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
    """A seat's prompt could not hold everything, and was adjusted.

    Counts are 0 where they do not apply. Events are numbered from 1 in the seat's observation;
    clues and pictures are named as there: `clue-2`, and `clue-2/1` its first picture.
    """

    seat: SeatId
    request: str
    adjustment: Adjustment
    clues: tuple[str, ...] = ()
    """Clues whose text was left out."""
    pictures: tuple[str, ...] = ()
    """Pictures concerned."""
    lines: int = 0
    """Lines of the log, or pieces of the script, that were replaced or left out."""
    total_lines: int = 0
    """Of how many."""
    first_event: int = 0
    last_event: int = 0
    """Range of the events that were replaced or left out."""
    total_events: int = 0
    """Of the observation."""
    calls: int = 0
    """Extra model calls."""
    tokens_before: int = 0
    tokens_after: int = 0
    token_limit: int = 0
    """Of a prompt."""
    kept: tuple[str, ...] = ()
    """Clues and pictures that stayed as they were."""
    audience: Audience = "host"
    kind: Literal["prompt_adjusted"] = "prompt_adjusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnNoted:
    """What a player's method did in a turn, in the method's own word.

    Such as a step whose answer could not be read, or a rule that took over from the model.
    """

    seat: SeatId
    request: str
    topic: str
    values: Values = ()
    audience: Audience = "host"
    kind: Literal["turn_noted"] = "turn_noted"


PlayerEvent = PromptAdjusted | TurnNoted
"""What a player reports of its own work. No rule depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStarted:
    """The next part of a script that is read in parts begins: each seat gets its own."""

    stage: int
    audience: Audience = "all"
    kind: Literal["stage_started"] = "stage_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A seat, or an onlooker with its model, judged another seat on a scale."""

    seat: SeatId
    request: str
    scale: str
    """What is judged, in the game's own word."""
    about: SeatId
    value: int | None
    """None: no legal answer. A missing value is not the lowest."""
    moment: int = 0
    """How many events were known."""
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
    """What kind of speech it is, in the game's own word."""
    parts: Values
    to: SeatId | None = None
    """Whom it answers."""
    truncated: bool = False
    audience: Audience = "all"
    kind: Literal["said"] = "said"

    @property
    def text(self) -> str:
        """All parts, a line each."""
        return "\n".join(text for _, text in self.parts if text)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked:
    """A seat put a question to another seat."""

    seat: SeatId
    request: str
    to: SeatId
    text: str
    about: str = ""
    """The victim that it is about, where there are several."""
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
    """The victim whose murderer is voted on, where there are several."""
    ballot: int = 1
    audience: Audience
    kind: Literal["vote_cast"] = "vote_cast"


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesTallied:
    """Votes were counted, and the audience hears who voted for whom."""

    votes: tuple[tuple[str, int], ...]
    leaders: tuple[str, ...]
    """Candidates that reach the quorum, before a tie is resolved."""
    named: tuple[str, ...]
    ballots: tuple[tuple[SeatId, str], ...] = ()
    """Seat and choice, in the order of the script."""
    about: str = ""
    ballot: int = 1
    """0: several ballots of each seat are counted together."""
    audience: Audience = "all"
    kind: Literal["votes_tallied"] = "votes_tallied"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEliminated:
    """A seat left the game; it is asked nothing more."""

    seat: SeatId
    cause: str
    audience: Audience = "all"
    kind: Literal["seat_eliminated"] = "seat_eliminated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """The game master announced something to the audience, such as the result of a power."""

    topic: str
    """In the game's own word; its texts say how it reads."""
    values: Values = ()
    audience: Audience
    kind: Literal["announced"] = "announced"


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimResult:
    """Result of the vote about one victim, or of one ballot where each is an election."""

    about: str = ""
    """The victim, where there are several."""
    ballot: int = 1
    outcome: Outcome | None
    """None: no seat killed the victim, and the vote counts for nothing."""
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded:
    """The match ended; everybody learns who the murderers are."""

    outcome: Outcome
    murderers: tuple[SeatId, ...]
    winners: tuple[SeatId, ...] = ()
    results: tuple[VictimResult, ...] = ()
    """Of each victim or ballot, where a game votes on several."""
    ranking: tuple[tuple[SeatId, float], ...] = ()
    """Seats and scores, best first, where a game ranks."""
    forfeit_seat: SeatId | None = None
    """A seat of the contestant that used up its fault budget."""
    cause: str = ""
    """Of a forfeit or an error; of another outcome, why it is none of play and enters no rate."""
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
