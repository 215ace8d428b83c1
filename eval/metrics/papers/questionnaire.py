"""Questionnaire after a match: five scores of 1 to 5 by people (Questum, Table 7).

A model's questionnaire gives judgements with these metric names; people's answers are never mixed
in.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Final, Literal

from arena.errors import RecordError
from eval.metrics.judgements import Judgement, no_scores
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

LOWEST: Final = 1
HIGHEST: Final = 5
RaterKind = Literal["people", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One score of the questionnaire, with the meaning of both ends; texts by language."""

    name: str
    title: Mapping[str, str]
    low: Mapping[str, str]
    """The meaning of 1."""
    high: Mapping[str, str]
    """The meaning of 5."""


DIMENSIONS: Final = (
    Dimension(
        name="story_advancement",
        title={"en": "Story advancement", "zh": "剧情推进"},
        low={"en": "The talk goes in circles.", "zh": "对话原地打转。"},
        high={"en": "Every turn brings the case forward.", "zh": "每一轮都推进案情。"},
    ),
    Dimension(
        name="question_quality",
        title={"en": "Question quality", "zh": "提问质量"},
        low={"en": "Questions ask for nothing useful.", "zh": "提问没有用处。"},
        high={"en": "Questions are sharp and build on answers.", "zh": "提问切中要害并层层深入。"},
    ),
    Dimension(
        name="response_quality",
        title={"en": "Response quality", "zh": "回答质量"},
        low={"en": "Answers miss the question.", "zh": "答非所问。"},
        high={"en": "Answers are to the point and coherent.", "zh": "回答切题且连贯。"},
    ),
    Dimension(
        name="response_speed",
        title={"en": "Response speed", "zh": "回答速度"},
        low={"en": "Waiting spoils the game.", "zh": "等待时间破坏了游戏体验。"},
        high={"en": "No wait was noticed.", "zh": "感觉不到等待。"},
    ),
    Dimension(
        name="role_immersion",
        title={"en": "Role immersion", "zh": "角色沉浸"},
        low={"en": "The others seem to be machines.", "zh": "其他玩家像机器。"},
        high={"en": "The others seem to be their characters.", "zh": "其他玩家仿佛就是角色本人。"},
    ),
)
"""The questions, in order."""
NAMES: Final = tuple(one.name for one in DIMENSIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Questionnaire:
    """One rater's scores; a missing dimension was not answered."""

    rater: str
    contestant: str
    scores: Mapping[str, float]
    judge: RaterKind = "people"

    def __post_init__(self) -> None:
        """Reject unknown dimensions and scores outside 1..5."""
        for name, score in self.scores.items():
            if name not in NAMES or not LOWEST <= score <= HIGHEST:
                raise ValueError(
                    f"a questionnaire has scores of {LOWEST} to {HIGHEST} for {', '.join(NAMES)}; "
                    f"got {name!r}: {score!r}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionnaireScores:
    """Means of the dimensions, and the mean and population deviation of these means."""

    means: Mapping[str, float | None]
    overall: float | None
    deviation: float | None
    raters: int


def summarise_questionnaires(filled: Sequence[Questionnaire]) -> QuestionnaireScores:
    """Return the scores of one contestant; raise `ValueError` if people and models are mixed."""
    if len({one.judge for one in filled}) > 1:
        raise ValueError("questionnaires of people and of models are never pooled")
    means = {name: _mean(one.scores.get(name) for one in filled) for name in NAMES}
    known = [mean for mean in means.values() if mean is not None]
    return QuestionnaireScores(
        means=means,
        overall=_mean(known),
        deviation=pstdev(known) if known else None,
        raters=len({one.rater for one in filled}),
    )


def score_questionnaires(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[Score]:
    """Yield a judge's score for each seat and dimension."""
    for one in judgements:
        if one.metric in NAMES:
            yield make_score(match, one.metric, value=one.value, seat=one.seat, judge=one.judge)


def read_questionnaires(path: Path) -> tuple[Questionnaire, ...]:
    """Return the rows of a CSV file with columns rater, contestant, judge and the dimensions.

    An empty cell is a missing answer. Raises `RecordError` for an invalid row.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(_read_row(path, number, row) for number, row in enumerate(rows, start=2))


def _read_row(path: Path, line: int, row: Mapping[str, str | None]) -> Questionnaire:
    cells = {name: (row.get(name) or "").strip() for name in NAMES}
    try:
        return Questionnaire(
            rater=(row["rater"] or "").strip(),
            contestant=(row["contestant"] or "").strip(),
            scores={name: float(cell) for name, cell in cells.items() if cell},
            judge="model" if (row.get("judge") or "").strip() == "model" else "people",
        )
    except KeyError as error:
        raise RecordError(f"{str(path)!r} has no column {error}") from error
    except ValueError as error:
        raise RecordError(f"{str(path)!r}, line {line}: {error}") from error


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


METRICS: tuple[Metric, ...] = tuple(
    Metric(
        name=one.name,
        source="Questum Table 7",
        meaning={
            "en": f"{one.title['en']} in a judge's questionnaire, 1 to 5.",
            "zh": f"评审模型填写的问卷：{one.title['zh']}，1至5分。",
        },
        low=float(LOWEST),
        high=float(HIGHEST),
        measure=no_scores,
    )
    for one in DIMENSIONS
)
"""The metrics of this file."""
