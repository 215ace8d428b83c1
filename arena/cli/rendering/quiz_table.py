"""Tables of a quiz: one row per category, per script for public information, per mode."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from arena.cli.rendering.formatting import UNKNOWN, format_percent
from arena.view.sanitize import sanitize_line
from eval.questions.quiz_comparison import CategoryContrast
from eval.questions.quiz_results import CategoryResult, PublicOnlyResult, QuizSpeed
from eval.rounding import round_half_up

_LEGEND = (
    "per cent, except n and none (no legal answer: wrong); 95 %: Wilson; macro: mean over "
    "readers, then scripts; corr.: above chance; const: best single letter, options as in the "
    "script; long: always the longest option; place: range of accuracy over the positions of "
    "the key"
)

_CONTRASTS = (
    "per cent; n: questions of both; 95 %: over works, of five or more; p: signs of works flipped"
)


def category_table(rows: Sequence[CategoryResult]) -> Group:
    """Return accuracy in per cent with its baselines."""
    table = _table(
        "kind", "n", "none", "right", "95 %", "macro", "chance", "corr.", "const",
        "long", "place",
    )  # fmt: skip
    for row in rows:
        table.add_row(
            f" hops {row.hops}" if row.hops is not None else row.category,
            f"{row.questions}",
            f"{row.unanswered}",
            _percent(row.accuracy),
            f"{_percent(row.low)}-{_percent(row.high)}",
            _percent(row.macro),
            _percent(row.chance),
            _percent(row.corrected),
            _percent(row.constant),
            _percent(row.longest),
            _percent(row.positions),
        )
    return Group(table, Text(_LEGEND, style="dim"))


def contrast_table(rows: Sequence[CategoryContrast]) -> Group:
    """Return the differences of two quizzes in per cent, one row per category."""
    table = _table("kind", "n", "works", "first", "second", "diff.", "95 %", "p", "Holm p")
    for row in rows:
        paired, interval = row.paired, row.paired.interval
        table.add_row(
            row.category,
            f"{paired.pairs}",
            f"{paired.clusters}",
            *map(_percent, (row.first, row.second, paired.difference)),
            f"{_percent(interval.low)} to {_percent(interval.high)}" if interval else UNKNOWN,
            *(
                UNKNOWN if p is None else f"{round_half_up(p, 3):.3f}"
                for p in (paired.sign_flip_p, row.holm_p)
            ),
        )
    return Group(table, Text(_CONTRASTS, style="dim"))


def public_table(rows: Sequence[PublicOnlyResult]) -> Table:
    """Return how often the culprit of each script is named from public information."""
    table = _table("script", "roles", "replies", "named %", "95 %", "chance", "probability %")
    for row in rows:
        table.add_row(
            Text(sanitize_line(f"{row.script} ({row.language})")),
            f"{row.roles}",
            f"{row.asked}",
            _percent(row.named),
            f"{_percent(row.low)}-{_percent(row.high)}",
            _percent(row.chance),
            _percent(row.probability),
        )
    return table


def speed_table(rows: Sequence[QuizSpeed]) -> Table:
    """Return the speed of answering."""
    table = _table("way", "asked", "seconds", "a second", "prompt tokens", "cached", "new tokens")
    for row in rows:
        cached = row.cached_tokens
        table.add_row(
            row.way,
            f"{row.questions}",
            f"{row.seconds:.1f}",
            UNKNOWN if row.rate is None else f"{row.rate:.2f}",
            f"{row.prompt_tokens:,}",
            UNKNOWN if cached is None else format_percent(cached, row.prompt_tokens),
            f"{row.output_tokens:,}",
        )
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    return table


def _percent(value: float | None) -> str:
    return UNKNOWN if value is None else f"{round_half_up(100 * value, 1):.1f}"
