"""Judgements, and the judged scores of WhodunitBench.

RP, SPC and CMD (WhodunitBench, section 5.1 and Figure 14). The judge, a model or a person, supplies
`Judgement` values; this module calls no model.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from types import MappingProxyType

from arena.core.events import Said
from arena.core.purposes import Purpose
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score
from scripts_mm.script import KeyClue


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A judge's verdict on one seat of one match in one metric."""

    metric: str
    """The judged metric, such as `RP`, `SPC` or `CMD`."""
    seat: str
    """Empty: all seats together."""
    value: float | None = None
    """The requested number; None: no sample had a legal one, or a list was requested."""
    values: tuple[float, ...] | None = None
    """A list of numbers: the key statements found (SPC, from 1), method and motive (CMD_parts), or
    the samples whose median is `value`. None: the judge gave no list."""
    about: str = ""
    """The judged part, if not the whole play: the id of a question, the name of a script part, a
    dialogue state."""
    text: str = ""
    """The judge's text, if one was requested, such as a reconstructed part of a script."""
    reason: str = ""
    judge: str = ""
    """Model and hash of the prompt."""


def median_sample(samples: Iterable[float | None]) -> float | None:
    """Return the median of the samples of one judgement; None: there is none."""
    known = [one for one in samples if one is not None]
    return float(median(known)) if known else None


def scenario_progression(
    mentioned: Iterable[object], key_statements: Collection[object]
) -> tuple[int, int]:
    """Return the number of found key statements and of all key statements: SPC is their ratio.

    Each counts once; other values are dropped.
    """
    keys = set(key_statements)
    return len(keys & set(mentioned)), len(keys)


def murder_detail(value: float | None) -> float | None:
    """Return CMD of one conclusion, clipped to 0..100."""
    return None if value is None else min(100.0, max(0.0, value))


def murder_detail_by_parts(parts: Sequence[float | None]) -> float | None:
    """Return CMD as the mean of the ratings of method and motive, each 0..100."""
    known = [murder_detail(part) for part in parts]
    return fmean(part for part in known if part is not None) if None not in known else None


def score_judgements(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[Score]:
    """Yield the scores from the judgements of a match; judgements of other metrics are skipped.

    Regardless of the judge, a seat that never spoke has RP 0, and a seat that did not answer the
    request for a conclusion has CMD 0.
    """
    for judgement in judgements:
        if judgement.metric in _SCORERS:
            yield from _SCORERS[judgement.metric](match, judgement)


def _score_rp(match: PlayedMatch, judgement: Judgement) -> Iterator[Score]:
    spoke = any(said.seat == judgement.seat for said in match.utterances)
    yield make_score(
        match,
        "RP",
        value=judgement.value if spoke else 0.0,
        seat=judgement.seat,
        judge=judgement.judge,
    )


def _score_spc(match: PlayedMatch, judgement: Judgement) -> Iterator[Score]:
    keys = dict(enumerate(match.script.truth.key_clues, start=1))
    yield _share(match, "SPC", judgement, keys)
    if judgement.seat:
        new = {n: key for n, key in keys.items() if judgement.seat not in key.holders}
        yield _share(match, "SPC_asked_for", judgement, new)


def _share(
    match: PlayedMatch, metric: str, judgement: Judgement, keys: Mapping[int, KeyClue]
) -> Score:
    found, every = scenario_progression(judgement.values or (), keys)
    return make_score(
        match,
        metric,
        numerator=None if judgement.values is None else found,
        denominator=every,
        seat=judgement.seat,
        judge=judgement.judge,
        group="" if judgement.seat else "table",
    )


def _score_cmd(match: PlayedMatch, judgement: Judgement) -> Iterator[Score]:
    by_parts = judgement.metric == "CMD_parts"
    judged = (
        murder_detail_by_parts(judgement.values or (None,))
        if by_parts
        else murder_detail(judgement.value)
    )
    yield make_score(
        match,
        judgement.metric,
        value=0.0 if _is_without_conclusion(match, judgement.seat) else judged,
        seat=judgement.seat,
        judge=judgement.judge,
    )


def _is_without_conclusion(match: PlayedMatch, seat: str) -> bool:
    """Return whether a seat was asked for a conclusion and stated none, public or secret."""
    asked = {
        request.id
        for request in match.requests.values()
        if request.seat == seat and request.purpose is Purpose.CONCLUDE
    }
    return bool(asked) and not any(
        isinstance(event, Said) and event.request in asked and event.text.strip()
        for event in match.events
    )


_SCORERS: Mapping[str, Callable[[PlayedMatch, Judgement], Iterator[Score]]] = MappingProxyType(
    {"RP": _score_rp, "SPC": _score_spc, "CMD": _score_cmd, "CMD_parts": _score_cmd}
)


def no_scores(match: PlayedMatch) -> Iterable[Score]:
    """Return no scores: judged metrics need judgements."""
    del match
    return ()


METRICS = (
    Metric(
        name="RP",
        source="WhodunitBench, 5.1",
        meaning={
            "en": "Role-play: how naturally and coherently a seat plays its role, judged 0 to 10.",
            "zh": "角色扮演：座位扮演角色的自然与连贯程度，评分 0 至 10。",
        },
        high=10.0,
        measure=no_scores,
    ),
    Metric(
        name="SPC",
        source="WhodunitBench, 5.1",
        meaning={
            "en": "Scenario progression: share of the script's key statements that a seat voiced.",
            "zh": "剧情推进：座位说出的关键信息占剧本关键信息的比例。",
        },
        scale=100,
        measure=no_scores,
    ),
    Metric(
        name="SPC_asked_for",
        source="own",
        meaning={
            "en": "The same for key statements that are not in the seat's own script.",
            "zh": "同上，只计不在座位自己剧本中的关键信息。",
        },
        scale=100,
        measure=no_scores,
    ),
    Metric(
        name="CMD",
        source="WhodunitBench, 5.1",
        meaning={
            "en": "Case and murder detail: how well the conclusion states method and motive.",
            "zh": "案情还原：结论对作案手法与动机的还原程度。",
        },
        high=100.0,
        measure=no_scores,
    ),
    Metric(
        name="CMD_parts",
        source="own",
        meaning={
            "en": "The same as the mean of method and motive, judged separately.",
            "zh": "同上，手法与动机分别评分后取均值。",
        },
        high=100.0,
        measure=no_scores,
    ),
)
"""The metrics of this file."""
