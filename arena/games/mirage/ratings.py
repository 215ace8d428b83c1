"""Ratings of suspicion and trust: off-path requests about earlier moments of the match."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from arena.core.actions import Reply
from arena.core.events import (
    ActionAccepted,
    Announced,
    Event,
    PhaseStarted,
    QuestionAsked,
    Rated,
    Said,
    StageStarted,
)
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import CHOICE, Choice
from arena.core.state import MatchState
from arena.games.mirage.requests import options_of
from arena.games.mirage.speeches import WORDING
from arena.games.shared.texts import find_wording
from arena.games.shared.vote_texts import join_sentences

PHASE = "rating"
UTTERANCE = "utterance"
"""In the context of a request to rate: the utterance after the moment."""
_SCALES = ("suspicion", "trust")
_KIND = "rate_"
_VALUES = Choice(options=("0", "1", "2"))


@dataclass(slots=True)
class _Utterance:
    """Utterance of a seat in one turn, and the number of events before it."""

    seat: SeatId
    moment: int
    round: int
    texts: list[str] = field(default_factory=list[str])


def rating_requests(state: MatchState) -> tuple[DecisionRequest, ...]:
    """Return all requests for ratings; call it after the last speech of the match."""
    match options_of(state).raters:
        case "characters":
            return tuple(_by_characters(state))
        case "observer":
            return tuple(_by_observer(state))
        case "none":
            return ()


def rate(request: DecisionRequest, reply: Reply | None) -> Rated:
    """Return the rating of a request; without a reply its value is None."""
    return Rated(
        seat=request.seat,
        request=request.id,
        scale=request.kind.removeprefix(_KIND),
        about=SeatId(request.about),
        value=int(reply[CHOICE]) if reply else None,
        moment=request.moment or 0,
    )


def count_doubt(state: MatchState) -> Mapping[SeatId, int]:
    """Return the doubt of every rated seat: the sum of its suspicion ratings less that of trust."""
    doubt: Counter[SeatId] = Counter()
    for event in state.history:
        if isinstance(event, Rated):
            value = event.value or 0
            doubt[event.about] += value if event.scale == _SCALES[0] else -value
    return doubt


def _by_characters(state: MatchState) -> Iterator[DecisionRequest]:
    """Yield requests for ratings of every seat by all others, after each round of conversation."""
    for number, moment in _round_ends(state):
        for rater in state.started.seats:
            for about in state.started.seats:
                if about != rater:
                    request = _request(state, rater, about, f"{number}/{rater}/{about}")
                    yield from _expand_scales(replace(request, round=number, moment=moment))


def _by_observer(state: MatchState) -> Iterator[DecisionRequest]:
    """Yield requests for ratings of every utterance by an onlooker with its speaker's model."""
    for name, spoken in _utterances(state).items():
        text = join_sentences(state.script.language, *spoken.texts)
        request = replace(
            _request(state, spoken.seat, spoken.seat, name),
            round=spoken.round,
            moment=spoken.moment,
            onlooker=True,
            context=((UTTERANCE, text),),
        )
        yield from _expand_scales(request)


def _request(state: MatchState, rater: SeatId, about: SeatId, name: str) -> DecisionRequest:
    options = options_of(state)
    return DecisionRequest(
        id=f"{PHASE}/{name}",
        seat=rater,
        kind=_KIND,
        purpose=Purpose.RATE,
        phase=PHASE,
        spec=_VALUES,
        about=about,
        attempts_left=options.attempts,
        max_chars=options.max_chars,
        off_path=True,
        corrected=options.reruns == "corrected",
    )


def _expand_scales(request: DecisionRequest) -> Iterator[DecisionRequest]:
    for scale in _SCALES:
        yield replace(request, id=f"{request.id}/{scale}", kind=f"{_KIND}{scale}")


def _round_ends(state: MatchState) -> tuple[tuple[int, int], ...]:
    """Return each round of conversation with the number of events up to its end."""
    ends: dict[int, int] = {}
    current = 0
    for number, event in enumerate(state.history):
        if isinstance(event, PhaseStarted):
            current = event.round if event.phase == "conversation" else 0
        elif isinstance(event, StageStarted):
            current = 0
        if current:
            ends[current] = number + 1
    return tuple(ends.items())


def _utterances(state: MatchState) -> dict[str, _Utterance]:
    """Return the utterances of introductions and conversation, by request id."""
    found: dict[str, _Utterance] = {}
    phase, accepted = PhaseStarted(phase=""), ""
    for number, event in enumerate(state.history):
        if isinstance(event, PhaseStarted):
            phase = event
        elif isinstance(event, ActionAccepted):
            accepted = event.request
        if phase.phase not in {"introduction", "conversation"}:
            continue
        spoken = _parse_utterance(state, event, accepted)
        if spoken is not None:
            request, seat, text = spoken
            new = _Utterance(seat=seat, moment=number, round=phase.round)
            found.setdefault(request, new).texts.append(text)
    return found


def _parse_utterance(
    state: MatchState, event: Event, accepted: str
) -> tuple[str, SeatId, str] | None:
    """Return request id, seat and words of a public event; None: it is not an utterance."""
    match event:
        case Said(audience="all"):
            return event.request, event.seat, event.text
        case QuestionAsked(audience="all", to=to):
            say = find_wording(WORDING, state.script.language)
            return event.request, event.seat, say("utterance.asks", to=to, question=event.text)
        case Announced(topic="investigates", values=values):
            say, told = find_wording(WORDING, state.script.language), dict(values)
            return accepted, SeatId(told["seat"]), say("utterance.investigates", **told)
        case _:
            return None
