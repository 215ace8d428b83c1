"""Propagation of key facts, from judgements of which utterance contains which fact.

A judgement `key_mentions` has an event's index (from 0) as `about`, and as values the numbers (from
1) of the key statements in its text; `key_distortions` those whose meaning the text changes.
"""

from collections.abc import Iterator, Sequence

from arena.core.events import QuestionAsked, Said
from arena.core.seats import SeatId
from eval.metrics.fact_spread.propagation import (
    define_metric,
    score_path,
    score_spreads,
    trace_facts,
)
from eval.metrics.fact_spread.tracked_facts import FactMention, key_facts, proof_chain
from eval.metrics.judgements import Judgement, no_scores
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score

STRAIGHT, DISTORTED = "key_mentions", "key_distortions"


def key_mentions(match: PlayedMatch, judgements: Sequence[Judgement]) -> tuple[FactMention, ...]:
    """Return the judged mentions of key facts, in the order of events."""
    found = [
        mention
        for one in judgements
        if one.metric in {STRAIGHT, DISTORTED}
        for mention in _mentions(match, one)
    ]
    return tuple(sorted(found, key=lambda mention: mention.event))


def score_propagation(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[Score]:
    """Yield disclosure, reach, delay and the proof path, if key facts were judged."""
    if any(one.metric == STRAIGHT for one in judgements):
        mentions = key_mentions(match, judgements)
        spreads = trace_facts(key_facts(match), mentions, match.started.seats)
        yield from score_spreads(match, spreads, "key")
        yield from score_path(match, spreads, proof_chain(match.script))


def _mentions(match: PlayedMatch, judgement: Judgement) -> Iterator[FactMention]:
    keys = match.script.truth.key_clues
    number = int(judgement.about)
    event = match.events[number]
    for value in dict.fromkeys(judgement.values or ()):
        if 1 <= value <= len(keys):
            yield FactMention(
                event=number,
                seat=SeatId(judgement.seat),
                fact=keys[int(value) - 1].id,
                public=isinstance(event, Said | QuestionAsked) and event.audience == "all",
                is_answer=isinstance(event, Said) and event.to is not None,
                distorted=judgement.metric == DISTORTED,
            )


METRICS: tuple[Metric, ...] = (
    define_metric(
        "key_disclosure",
        "Share of the key facts of a side that were disclosed to all.",
        "某一方持有的关键事实中被公开的比例。",
        measure=no_scores,
    ),
    define_metric(
        "key_reach",
        "Share of the other seats that used a key fact after its disclosure.",
        "关键事实公开后使用过它的其他席位比例。",
        measure=no_scores,
    ),
    define_metric(
        "key_delay",
        "Events from the disclosure of a key fact to its first use by another seat.",
        "关键事实公开到被他人首次使用之间的事件数。",
        None,
        measure=no_scores,
    ),
    define_metric(
        "key_elicited",
        "Share of the key facts that were disclosed in an answer to a question.",
        "在回答提问时说出的关键事实比例。",
        measure=no_scores,
    ),
    define_metric(
        "key_out_degree",
        "Uses of the key facts of a seat by others.",
        "该席位的关键事实被他人使用的次数。",
        None,
        measure=no_scores,
    ),
    define_metric(
        "killer_path",
        "Whether all facts of the proof were disclosed.",
        "推出真凶所需的全部事实是否都已公开。",
        measure=no_scores,
    ),
)
