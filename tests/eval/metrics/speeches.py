"""Matches made by hand in which seats say, ask, rate and suspect what a test gives."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.core.actions import Values
from arena.core.events import Event, QuestionAsked, Rated, RequestsOpened, Said
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, SeatId
from arena.core.specs import TEXT, ActionSpec, Field, Form, FreeText
from arena.models.chat import CallId, Completion, Request
from arena.models.recording import RecordedCall
from arena.records.probe_answers import ProbeAnswer
from eval.metrics.judgements import Judgement
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score
from tests.eval.made import made
from tests.table import NAMES

ADA, BRAM, CLEO, DIRK, EDDA = map(SeatId, NAMES)


def said(
    seat: str,
    text: str,
    *,
    to: str | None = None,
    audience: Audience = "all",
    truncated: bool = False,
    request: str = "r",
    parts: Values = (),
) -> Said:
    """Return a speech, or an answer to the seat `to`."""
    return Said(
        seat=SeatId(seat),
        request=request,
        act="say",
        parts=parts or ((TEXT, text),),
        to=None if to is None else SeatId(to),
        audience=audience,
        truncated=truncated,
    )


def asked(seat: str, to: str, text: str) -> QuestionAsked:
    """Return a public question."""
    return QuestionAsked(seat=SeatId(seat), request="q", to=SeatId(to), text=text)


def rated(about: str, scale: str, value: int | None) -> Rated:
    """Return a rating by the second seat."""
    return Rated(seat=BRAM, request="rating", scale=scale, about=SeatId(about), value=value)


def opened(
    seat: str,
    purpose: Purpose = Purpose.SPEAK,
    *,
    name: str = "r",
    number: int = 1,
    sampled: bool = False,
    spec: ActionSpec | None = None,
    kind: str = "some",
) -> RequestsOpened:
    """Return a request to a seat."""
    request = DecisionRequest(
        id=name,
        seat=SeatId(seat),
        kind=kind,
        purpose=purpose,
        phase="some",
        round=number,
        spec=spec or Form(fields=(Field(name=TEXT, spec=FreeText()),)),
        sampled=sampled,
    )
    return RequestsOpened(requests=(request,), mode="turns")


def judged(metric: str, seat: str = "", value: float | None = None, **values: Any) -> Judgement:
    """Return a judgement by one judge."""
    return Judgement(metric=metric, seat=seat, value=value, judge="j", **values)


@dataclass(frozen=True, kw_only=True)
class CalledMatch(PlayedMatch):
    """A match made by hand that has calls."""

    made_calls: Mapping[CallId, RecordedCall] = field(default_factory=dict[CallId, RecordedCall])

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Return the calls that were made up."""
        return self.made_calls


Thoughts = Mapping[str, Mapping[str, float] | str | None]
"""Seat -> probabilities, the one candidate it named, or None: no legal ballot."""


def suspected(*moments: tuple[Event, Thoughts], **values: Any) -> PlayedMatch:
    """Return a match in which after each event the civilians think something."""
    events = [event for event, _ in moments]
    probes: list[ProbeAnswer] = []
    calls: dict[CallId, RecordedCall] = {}
    for number, (_, thoughts) in enumerate(moments, start=2):
        for seat, thought in thoughts.items():
            shares = {} if thought is None or isinstance(thought, str) else {**thought}
            named = (
                thought
                if isinstance(thought, str)
                else max(shares, key=shares.__getitem__, default=None)
            )
            probes.append(
                ProbeAnswer(kind="ballot", seat=SeatId(seat), event=number, candidate=named)
            )
            call = _ballot_call(seat, number, shares)
            calls[call.request.call_id] = call
    match = made(*events, probes=tuple(probes), **values)
    return with_calls(match, calls)


def with_calls(match: PlayedMatch, calls: Mapping[CallId, RecordedCall]) -> PlayedMatch:
    """Return the match with these calls."""
    return CalledMatch(
        run=match.run,
        manifest=match.manifest,
        script=match.script,
        events=match.events,
        summary=match.summary,
        probes=match.probes,
        made_calls=calls,
    )


def call_of(call_id: CallId, finish: str = "stop", **values: Any) -> RecordedCall:
    """Return a call with an answer."""
    completion = Completion(
        text="x",
        finish=finish,
        prompt_tokens=1,
        output_tokens=1,
        cached_tokens=None,
        seconds=0.1,
        **values,
    )
    request = Request(call_id=call_id, messages=(), max_tokens=1, temperature=0)
    return RecordedCall(request=request, completion=completion)


def values_of(metric: Metric, match: PlayedMatch) -> dict[str, float | None]:
    """Return the values of a metric by seat, or by group where the match is scored."""
    return by_place(metric.measure(match))


def by_place(scores: Iterable[Score]) -> dict[str, float | None]:
    """Return the values of scores by seat and group."""
    return {" ".join(filter(None, (one.seat, one.group))): one.value for one in scores}


def by_name(scores: Iterable[Score], seat: str) -> dict[str, float | None]:
    """Return the values of the scores of one seat by metric."""
    return {one.metric: one.value for one in scores if one.seat == seat}


def _ballot_call(seat: str, event: int, shares: Mapping[str, float]) -> RecordedCall:
    call_id = CallId(seat=seat, request=f"probe/ballot/{event}/{seat}", off_path=True)
    return call_of(call_id, probabilities=tuple(shares.items()))
