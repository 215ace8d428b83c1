"""What the runs took: tokens, calls, seconds."""

from typing import Final

from eval.metrics.catalogue import METRICS
from eval.report.context import Context, measured
from eval.report.matches import RunFacts
from eval.report.values import Cell, Section, Table

_FIGURES: Final = (
    *("prompt_tokens", "cached_tokens", "output_tokens", "calls", "pictures_sent", "cache_hit"),
    *("call_seconds_p50", "call_seconds_p95", "turns_per_s"),
)


def report_cost(context: Context) -> Section:
    """Return tokens and seconds of each run, and of each contestant and purpose."""
    return context.section("cost", _runs(context), _purposes(context))


def _runs(context: Context) -> Table:
    keys = ("matches", "turns", "prompt_tokens", "cached_tokens", "output_tokens")
    return Table(
        name="cost",
        title=context.say("table.cost"),
        columns=(
            *(context.column(key, "left") for key in ("run", "civilians", "murderer")),
            *map(context.column, keys),
            context.column("seconds"),
            context.column("seconds_each", places=2),
            context.column("tokens_per_turn", places=0),
        ),
        rows=tuple(_run_row(context, run) for run in context.collected.runs),
        note=context.say("note.cost"),
    )


def _run_row(context: Context, run: RunFacts) -> tuple[Cell, ...]:
    found = [one.summary for one in context.collected.matches if one.run == run.name]
    cached = [one.cached_tokens for one in found if one.cached_tokens is not None]
    turns, seconds = sum(one.turns for one in found), sum(one.seconds for one in found)
    tokens = sum(one.prompt_tokens + one.output_tokens for one in found)
    return (
        run.name,
        context.name(run.manifest.config.civilians),
        context.name(run.manifest.config.murderer),
        len(found),
        turns,
        sum(one.prompt_tokens for one in found),
        sum(cached) if cached else None,
        sum(one.output_tokens for one in found),
        seconds,
        seconds / len(found) if found else None,
        tokens / turns if turns else None,
    )


def _purposes(context: Context) -> Table:
    names = [name for name in _FIGURES if name in METRICS]
    figures = [one for one in context.figures if one.metric in names and one.scores]
    rows = dict.fromkeys(
        (group["game"], group["contestant"], group["group"])
        for one in figures
        for group in [dict(one.group)]
    )
    cells = {(one.metric, _row(dict(one.group))): one for one in figures}
    return Table(
        name="cost_by_purpose",
        title=context.say("table.cost_by_purpose"),
        columns=(
            *(context.column(key, "left") for key in ("game", "civilians", "purpose")),
            *map(context.metric_column, names),
        ),
        rows=tuple(
            (
                *(row[0], context.name(row[1]), row[2] or context.say("word.all")),
                *(measured(cells.get((name, row)), with_bar=False) for name in names),
            )
            for row in rows
        ),
        folded=True,
    )


def _row(group: dict[str, str]) -> tuple[str, str, str]:
    return group["game"], group["contestant"], group["group"]
