"""Ratings of the werewolf player by people or a judge, and the use of its rules.

A judgement `persona`, `naturalness`, `interest`, `deception` or `closing` rates, 1..5, a seat's
speech in the dialogue state `about`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from types import MappingProxyType

from arena.core.events import TurnNoted, TurnSkipped
from arena.core.purposes import Purpose
from eval.metrics.judgements import Judgement, no_scores
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

AXES = ("persona", "naturalness", "interest", "deception", "closing")
LOW, HIGH = 1.0, 5.0

_RULE = "rule"
"""Topic of a player's note on the author of a turn's words, under `by`."""
_TEMPLATE = "template"
_TALK = {Purpose.INTRODUCE, Purpose.SPEAK, Purpose.ASK, Purpose.ANSWER, Purpose.ACT}


def axis_mean(ratings: Iterable[float | None]) -> float | None:
    """Return the mean of an axis over raters and states, 1..5, without missing ratings."""
    known = [one for one in ratings if one is not None and LOW <= one <= HIGH]
    return fmean(known) if known else None


def score_werewolf(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[Score]:
    """Yield the mean of every rated axis, for each seat and judge."""
    found: dict[tuple[str, str, str], list[float | None]] = {}
    for one in judgements:
        if one.metric in AXES:
            found.setdefault((one.metric, one.seat, one.judge), []).append(one.value)
    for (axis, seat, judge), ratings in found.items():
        yield make_score(match, axis, value=axis_mean(ratings), seat=seat, judge=judge)


def measure_templates(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of each seat's speech turns with template words.

    Only for seats whose player has templates: it records the author of every such turn.
    """
    talk = {one.id for one in match.requests.values() if one.purpose in _TALK}
    writers = {
        (event.seat, event.request): dict(event.values).get("by")
        for event in match.events
        if isinstance(event, TurnNoted) and event.topic == _RULE and event.request in talk
    }
    for seat in dict.fromkeys(seat for seat, _ in writers):
        own = [writer == _TEMPLATE for (one, _), writer in writers.items() if one == seat]
        yield make_score(
            match, "template_turns", numerator=sum(own), denominator=len(own), seat=seat
        )


def measure_misses(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of each seat's requests without an answer in time."""
    asked = Counter(one.seat for one in match.requests.values())
    late = Counter(
        event.seat
        for event in match.events
        if isinstance(event, TurnSkipped) and event.cause == "timeout"
    )
    for seat in match.started.seats:
        yield make_score(
            match, "deadline_misses", numerator=late[seat], denominator=asked[seat], seat=seat
        )


_MEANING: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "persona": ("How well it keeps to its character, 1 to 5.", "人设一致程度，1至5分。"),
        "naturalness": ("How natural its words are, 1 to 5.", "语言自然程度，1至5分。"),
        "interest": ("How interesting its words are, 1 to 5.", "发言有趣程度，1至5分。"),
        "deception": (
            "How well it deceives when the seer named it a wolf, 1 to 5.",
            "被预言家指为狼人时的欺骗能力，1至5分。",
        ),
        "closing": ("How well it closes the talk, 1 to 5.", "收尾发言的质量，1至5分。"),
    }
)
METRICS: tuple[Metric, ...] = (
    *(
        Metric(
            name=axis,
            source="Werewolf Table 5",
            meaning={"en": _MEANING[axis][0], "zh": _MEANING[axis][1]},
            low=LOW,
            high=HIGH,
            measure=no_scores,
        )
        for axis in AXES
    ),
    Metric(
        name="template_turns",
        source="own",
        meaning={
            "en": "Share of the speech turns with words from a template, not the model.",
            "zh": "使用模板而非模型发言的轮次比例。",
        },
        better="none",
        scale=100,
        measure=measure_templates,
    ),
    Metric(
        name="deadline_misses",
        source="own",
        meaning={
            "en": "Share of the requests without an answer in time.",
            "zh": "未能按时作答的请求比例。",
        },
        better="lower",
        scale=100,
        measure=measure_misses,
    ),
)
