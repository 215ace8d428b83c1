"""Game value: the public announcements, one wave of requests, the count. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from arena.core.actions import Reply, Values
from arena.core.chance import seat_order
from arena.core.events import Announced, Event, MatchEnded, PhaseStarted, RequestsOpened
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import CHOICE
from arena.core.state import MatchState
from arena.games.reading.options import PRESETS, ReadingOptions
from arena.games.reading.texts import KEY_CLUE, ROLE, SCRIPT, TEXT, ReadingTexts
from arena.games.shared.clues import deal_to_owners, show_clue
from arena.games.shared.factions import find_murderers, make_parts
from arena.games.shared.speech import conclusion_form, order_choices, speech
from arena.games.shared.victims import (
    VOTING,
    count_ballots,
    require_known_killings,
    vote_requests,
)
from arena.games.shared.votes import cast_vote
from scripts_mm.script import Role, Script, ScriptError

REFERENCE = "reference row: nobody played against anybody"
"""Cause in the end event of a match that is neither a forfeit nor an error."""


class ReadingGame:
    """Reference for the games with talk: the same votes, without talk before them."""

    name: str = "reading"
    about: str = (
        "reference rows, no match between players: each seat votes from its script, from all "
        "scripts, or with the key clues, and nobody talks"
    )
    reference_for: str = "the same vote in a game with talk"
    options: type[GameOptions] = ReadingOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the parts of all seats: all killers are the murderer's faction."""
        del seed
        assert isinstance(options, ReadingOptions), f"{type(options).__name__} of another game"
        if options.knowledge == "key_clues" and not script.truth.key_clues:
            raise ScriptError(
                f"script {script.id!r} has no key clues; {self.name} with knowledge=key_clues "
                "needs them"
            )
        require_known_killings(script, self.name)
        return make_parts(script, find_murderers(script))

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Announce the public knowledge, open all requests simultaneously, then count the votes."""
        if state.phase is not None:
            return tuple(_mark_as_reference(event) for event in count_ballots(state))
        requests = (*_conclusions(state), *vote_requests(state))
        opened = (RequestsOpened(requests=requests, mode="simultaneous"),) if requests else ()
        return (*_reveal_common(state), PhaseStarted(phase=VOTING), *opened)

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the conclusion or vote of the answer; no other seat sees it."""
        del state
        private = (request.seat,)
        if request.kind == "vote":
            return (cast_vote(request, reply[CHOICE], ballot=request.round, audience=private),)
        return (speech(request, reply.values, reply, audience=private),)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return no events for an incomplete answer; no other seat sees the skip."""
        del state, request, partial
        return (), False

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return nothing: the game has no triggers."""
        del state, event
        return ()

    def texts(self, observation: Observation) -> ReadingTexts:
        """Return the texts for an observer."""
        return ReadingTexts(observation)


READING = ReadingGame()


def _mark_as_reference(event: Event) -> Event:
    """Return `event`, with the cause `REFERENCE` if it ends the match."""
    return replace(event, cause=REFERENCE) if isinstance(event, MatchEnded) else event


def _options(state: MatchState) -> ReadingOptions:
    options = state.started.options
    assert isinstance(options, ReadingOptions), f"{type(options).__name__} of another game"
    return options


def _reveal_common(state: MatchState) -> tuple[Event, ...]:
    """Return the scripts and clues that seats see before their requests, as `knowledge` says."""
    script, knowledge = state.script, _options(state).knowledge
    common = [show_clue(one) for one in script.clues if one.owner is None]
    match knowledge:
        case "own":
            return deal_to_owners(script.clues)
        case "scripts":
            scripts = (_announce(SCRIPT, ((ROLE, one.name), _whole(one))) for one in script.roles)
            return (*scripts, *(show_clue(one) for one in script.clues))
        case "key_clues":
            keys = (_announce(KEY_CLUE, ((TEXT, one.text),)) for one in script.truth.key_clues)
            return (*deal_to_owners(script.clues), *common, *keys)


def _announce(topic: str, values: Values) -> Announced:
    return Announced(topic=topic, values=values, audience="all")


def _whole(role: Role) -> tuple[str, str]:
    """Return a role's whole script, including its goals."""
    goals = "" if role.mission in role.script else role.mission
    return TEXT, "\n\n".join(filter(None, (role.script, goals)))


def _conclusions(state: MatchState) -> tuple[DecisionRequest, ...]:
    if not _options(state).conclusions:
        return ()
    started = state.started
    order = seat_order(started.seats, started, "conclude", 1)
    return tuple(_conclusion(state, seat) for seat in order)


def _conclusion(state: MatchState, seat: SeatId) -> DecisionRequest:
    options, name = _options(state), f"{VOTING}-1/conclude/{seat}"
    suspects = tuple(one for one in state.started.seats if options.self_vote or one != seat)
    return DecisionRequest(
        id=name,
        seat=seat,
        kind="conclude",
        purpose=Purpose.CONCLUDE,
        phase=VOTING,
        spec=conclusion_form(order_choices(state, suspects, name, is_vote=True)),
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )
