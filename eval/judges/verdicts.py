"""Verdicts: several samples of a judge combined, and their stored form."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from arena.records.record_schema import JsonCodec
from eval.judges.judge_model import JudgeModel, JudgeSample
from eval.judges.scales import Scale
from eval.judges.tasks import Task, prompt_hash
from eval.metrics.judgements import Judgement, median_sample

OWN_MODEL: Final = "own model"
"""Flag: the judge's model plays the judged seat."""
_TIE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeVerdict:
    """One judgement, with its samples."""

    metric: str
    match: str
    seat: str
    about: str = ""
    value: float | None = None
    values: tuple[float, ...] | None = None
    text: str = ""
    reason: str = ""
    judge: str
    """Model and hash of all prompts."""
    prompt: str
    """Hash of the prompt."""
    temperature: float
    samples: tuple[JudgeSample, ...]
    flags: tuple[str, ...] = ()
    repeat: int = 0
    """0: the scored judgement; else the number of the repeat that measures noise."""

    @property
    def is_null(self) -> bool:
        """Whether no sample was legal."""
        return self.value is None and self.values is None and not self.text

    def as_judgement(self) -> Judgement:
        """Return it as input of the metrics."""
        return Judgement(
            metric=self.metric,
            seat=self.seat,
            value=self.value,
            values=self.values,
            about=self.about,
            text=self.text,
            reason=self.reason,
            judge=self.judge,
        )


CODEC: Final = JsonCodec[JudgeVerdict](JudgeVerdict, "a judgement")


def make_verdict(
    task: Task,
    judge: JudgeModel,
    samples: Sequence[JudgeSample],
    *,
    temperature: float,
    flags: tuple[str, ...] = (),
    repeat: int = 0,
) -> JudgeVerdict:
    """Combine the samples: the median, or the numbers that a majority found."""
    value, values = _combine(task.scale, samples)
    texts = [one for one in samples if one.text]
    nearest = _nearest(samples, value)
    return JudgeVerdict(
        metric=task.metric,
        match=task.match,
        seat=task.seat,
        about=task.about,
        value=value,
        values=values,
        text=texts[0].text if texts else "",
        reason=nearest.reason or nearest.fault,
        judge=judge.name,
        prompt=prompt_hash(task),
        temperature=temperature,
        samples=tuple(samples),
        flags=(*judge.flags, *flags),
        repeat=repeat,
    )


def as_number(scale: Scale, verdict: JudgeVerdict) -> float | None:
    """Return a judgement as one number, to compare repeats: for a list the found share."""
    if verdict.values is not None and scale.form == "points":
        return 100 * len(verdict.values) / scale.high
    if verdict.values is not None and scale.form == "parts":
        return fmean(verdict.values)
    return verdict.value


def _combine(
    scale: Scale, samples: Sequence[JudgeSample]
) -> tuple[float | None, tuple[float, ...] | None]:
    lists = [one.values for one in samples if one.values is not None]
    known = tuple(one.value for one in samples if one.value is not None)
    match scale.form:
        case "points":
            return None, _majority_numbers(lists) if lists else None
        case "parts":
            return None, tuple(map(median, zip(*lists, strict=True))) if lists else None
        case "verdict":
            middle = median_sample(known)
            return (None if middle == _TIE else middle), known or None
        case "number" | "pair":
            return median_sample(known), known or None
        case "text":
            return None, None


def _majority_numbers(lists: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return the numbers that more than half of the samples name."""
    every = sorted({number for one in lists for number in one})
    return tuple(n for n in every if 2 * sum(n in one for one in lists) > len(lists))


def _nearest(samples: Sequence[JudgeSample], value: float | None) -> JudgeSample:
    """Return the sample whose value is nearest, for its reason."""
    return min(samples, key=lambda one: _distance(one, value))


def _distance(sample: JudgeSample, value: float | None) -> float:
    if sample.value is None or value is None:
        return 0.0 if sample.reason or sample.fault else float("inf")
    return abs(sample.value - value)
