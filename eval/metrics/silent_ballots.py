"""Silent ballots of a match: every civilian seat's suspicion after each speech."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.core.events import QuestionAsked, Said
from arena.core.seats import SeatId
from eval.metrics.match_cache import cache_last_match
from eval.played_match import PlayedMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentBallot:
    """A seat's suspicion after the first `event` events."""

    seat: SeatId
    event: int
    shares: Mapping[str, float]
    """Candidate -> probability, sum 1: from the model, or 1 for the named candidate. Empty: no
    legal answer."""
    is_graded: bool
    """Whether the model gave probabilities."""

    @property
    def top(self) -> str:
        """The likeliest candidate, the first of equal ones; empty: none."""
        return max(self.shares, key=lambda name: self.shares[name], default="")

    @property
    def entropy(self) -> float | None:
        """Entropy of the probabilities in nats; None: no probabilities."""
        if not self.is_graded:
            return None
        return -sum(share * math.log(share) for share in self.shares.values() if share > 0)

    def probability_of(self, names: tuple[str, ...]) -> float:
        """Return the total probability of `names`."""
        return sum(self.shares.get(name, 0.0) for name in names)


@cache_last_match
def silent_ballots(match: PlayedMatch) -> tuple[SilentBallot, ...]:
    """Return the silent ballots of a match, in the order of their moments."""
    probes = [probe for probe in match.probes if probe.kind == "ballot"]
    stated = dict(_read_probabilities(match)) if probes else {}
    ballots: list[SilentBallot] = []
    for probe in sorted(probes, key=lambda one: one.event):
        shares = stated.get((probe.seat, probe.event), {})
        named = {} if probe.candidate is None else {probe.candidate: 1.0}
        ballots.append(
            SilentBallot(
                seat=probe.seat,
                event=probe.event,
                shares=(shares or named) if named else {},
                is_graded=bool(shares and named),
            )
        )
    return tuple(ballots)


def speaker_before(match: PlayedMatch, event: int) -> SeatId | None:
    """Return the speaker of the event before index `event`; None: it is not speech."""
    last = match.events[event - 1] if 0 < event <= len(match.events) else None
    return last.seat if isinstance(last, Said | QuestionAsked) else None


def _read_probabilities(
    match: PlayedMatch,
) -> Iterator[tuple[tuple[SeatId, int], Mapping[str, float]]]:
    """Yield seat, moment and probabilities of every graded ballot, later attempts last."""
    calls = [
        call
        for call in match.calls().items()
        if call[0].off_path and call[0].kind == "reply" and call[0].request.startswith(_BALLOT)
    ]
    for call_id, call in sorted(calls, key=lambda one: one[0].attempt):
        told = call.completion.probabilities if call.completion else ()
        total = sum(share for _, share in told)
        if total > 0:
            moment = int(call_id.request.removeprefix(_BALLOT).split("/")[0])
            yield (SeatId(call_id.seat), moment), {name: share / total for name, share in told}


_BALLOT = "probe/ballot/"
"""The prefix of silent ballots' request ids; moment and seat follow."""
