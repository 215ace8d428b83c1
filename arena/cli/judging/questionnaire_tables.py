"""Tables of `arena judge`: questionnaires, and the agreement between annotators."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.table import Table

from arena.view.sanitize import sanitize_line
from eval.judges.labelling.judge_agreement import Agreement
from eval.metrics.papers.questionnaire import NAMES, QuestionnaireScores
from eval.rounding import round_half_up

_UNKNOWN = "-"
_HEADS: Final = dict(
    zip(NAMES, ("story", "asking", "answering", "speed", "immersion"), strict=True)
)


def forms_table(scores: Mapping[str, QuestionnaireScores]) -> Table:
    """Return the judge's questionnaire answers on each contestant, 1 to 5."""
    table = Table(box=None, title="questionnaires answered by the judge", title_justify="left")
    table.add_column("contestant", overflow="fold")
    for name in (*_HEADS.values(), "mean", "sd"):
        table.add_column(name, justify="right")
    for name, one in scores.items():
        values = (*(one.means[item] for item in _HEADS), one.overall, one.deviation)
        table.add_row(sanitize_line(name), *map(_number, values))
    return table


def people_table(rows: Sequence[Agreement]) -> Table:
    """Return the agreement between annotators."""
    table = Table(box=None, title="the two annotators, both language models", title_justify="left")
    for name in ("metric", "statistic", "value", "95 %", "n"):
        table.add_column(name, justify="left" if name == "metric" else "right")
    for row in rows:
        known = row.low is not None and row.high is not None
        span = f"{_number(row.low)} to {_number(row.high)}" if known else _UNKNOWN
        table.add_row(row.metric, row.statistic, _number(row.value), span, f"{row.items}")
    return table


def _number(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{round_half_up(value, 3)}"
