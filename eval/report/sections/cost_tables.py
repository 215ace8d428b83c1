"""Cost of the runs: tokens, calls, seconds, and their price."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from arena.records.match_summary import MatchSummary
from eval.metrics.call_costs import OFF_PATH, UNKEPT, CostStage, PriceTable, run_throughput
from eval.metrics.catalogue import METRICS
from eval.report.collection.match_facts import MatchFacts, RunFacts
from eval.report.elements import Cell, Section, Table
from eval.report.report_context import ReportContext, figure_cell

_FIGURES: Final = (
    *("prompt_tokens", "cached_tokens", "output_tokens", "calls", "pictures_sent", "cache_hit"),
    *("call_seconds_p50", "call_seconds_p95", "turns_per_s"),
)
_SILENT: Final = ("prompt_tokens", "output_tokens")
_TOKENS: Final = (*_SILENT, "cached_tokens")
_RATES: Final = ("turns_per_s", "matches_per_h", "output_tokens_per_s", "cache_hit")
_STAGES: Final[tuple[CostStage, ...]] = ("gameplay", "evaluation")
_RESUMED: Final = "resumed"
"""Flag of a match whose seconds start at its resumption."""


def report_cost(context: ReportContext) -> Section:
    """Return the section of tokens, seconds, speed and price per run, and usage by purpose."""
    prices = context.collected.prices
    paid = context.missing("price") if prices is None else _prices(context, prices)
    return context.section("cost", _runs(context), _speeds(context), paid, _purposes(context))


def _runs(context: ReportContext) -> Table:
    keys = ("matches", "turns", "prompt_tokens", "cached_tokens", "output_tokens")
    unkept = sum(bool(_tokens(one, UNKEPT)) for one in context.collected.matches)
    told = [context.say("note.unkept", count=unkept)] if unkept else []
    return Table(
        name="cost",
        title=context.say("table.cost"),
        columns=(
            *(context.column(key, "left") for key in ("run", "civilians", "murderer")),
            *map(context.column, keys),
            *map(context.column, ("silent_prompt_tokens", "silent_output_tokens")),
            context.column("seconds"),
            context.column("seconds_each", places=2),
            context.column("tokens_per_turn", places=0),
        ),
        rows=tuple(_run_row(context, run) for run in context.collected.runs),
        note=" ".join((context.say("note.cost"), *told)),
    )


def _run_row(context: ReportContext, run: RunFacts) -> tuple[Cell, ...]:
    found = [_of_play(one) for one in _matches(context, run)]
    silent = [_tokens(one, OFF_PATH) for one in _matches(context, run)]
    cached = [one.cached_tokens for one in found if one.cached_tokens is not None]
    turns, seconds = sum(one.turns for one in found), sum(one.seconds for one in found)
    tokens = sum(one.prompt_tokens + one.output_tokens for one in found)
    return (
        run.name,
        *context.sides(run.manifest.config.pairs),
        len(found),
        turns,
        sum(one.prompt_tokens for one in found),
        sum(cached) if cached else None,
        sum(one.output_tokens for one in found),
        *(sum(int(one.get(name) or 0) for one in silent) for name in _SILENT),
        seconds,
        seconds / len(found) if found else None,
        tokens / turns if turns else None,
    )


def _speeds(context: ReportContext) -> Table:
    return Table(
        name="throughput",
        title=context.say("table.throughput"),
        columns=(
            *(context.column(key, "left") for key in ("run", "basis")),
            *(context.column(key, places=2) for key in _RATES),
        ),
        rows=tuple(_speed_row(context, run) for run in context.collected.runs),
        note=context.say(
            "note.throughput", wall=context.say("word.wall"), sum=context.say("word.sum")
        ),
    )


def _speed_row(context: ReportContext, run: RunFacts) -> tuple[Cell, ...]:
    found = [_of_play(one) for one in _matches(context, run)]
    is_wall = run.planned == len(found) == 1 and _RESUMED not in found[0].flags
    rates = run_throughput(found)
    return (
        run.name,
        context.say("word.wall" if is_wall else "word.sum"),
        rates.turns_per_s,
        rates.matches_per_h,
        rates.output_tokens_per_s,
        None if rates.cache_hit is None else 100 * rates.cache_hit,
    )


def _prices(context: ReportContext, prices: PriceTable) -> Table:
    models = {name for match in context.collected.matches for name in match.models}
    unpriced = ", ".join(sorted(models - prices.models.keys()))
    return Table(
        name="price",
        title=context.say("table.price", currency=prices.currency),
        columns=(
            context.column("run", "left"),
            *(context.column(f"cost_{stage}", places=4) for stage in _STAGES),
            *(context.column(key, places=4) for key in ("cost_all", "cost_each")),
        ),
        rows=tuple(_price_row(run, _matches(context, run)) for run in context.collected.runs),
        note=" ".join(
            (
                context.say("note.price"),
                *([context.say("note.unpriced", models=unpriced)] if unpriced else ()),
            )
        ),
    )


def _price_row(run: RunFacts, matches: Sequence[MatchFacts]) -> tuple[Cell, ...]:
    stages = [_sum([one.costs[stage] for one in matches]) for stage in _STAGES]
    every = _sum(stages)
    each = every / len(matches) if every is not None and matches else None
    return (run.name, *stages, every, each)


def _sum(costs: Sequence[float | None]) -> float | None:
    """Return the sum; None if a part is unknown."""
    known = [one for one in costs if one is not None]
    return sum(known) if len(known) == len(costs) else None


def _of_play(match: MatchFacts) -> MatchSummary:
    """Return the summary of a match with the tokens of play only, if its calls were recorded."""
    tokens = _tokens(match, "") or _tokens(match, UNKEPT)
    cached = tokens.get("cached_tokens")
    return replace(
        match.summary,
        prompt_tokens=int(tokens.get("prompt_tokens") or 0),
        cached_tokens=None if cached is None else int(cached),
        output_tokens=int(tokens.get("output_tokens") or 0),
    )


def _tokens(match: MatchFacts, group: str) -> dict[str, float | None]:
    """Return the tokens of a group of calls of a match; empty if it has no such calls."""
    return {
        one.metric: one.value
        for one in match.scores
        if one.metric in _TOKENS and one.group == group
    }


def _matches(context: ReportContext, run: RunFacts) -> Sequence[MatchFacts]:
    return [one for one in context.collected.matches if one.run == run.name]


def _purposes(context: ReportContext) -> Table:
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
                *(row[0], context.display_name(row[1]), row[2] or context.say("word.play")),
                *(figure_cell(cells.get((name, row)), with_bar=False) for name in names),
            )
            for row in rows
        ),
        folded=True,
    )


def _row(group: dict[str, str]) -> tuple[str, str, str]:
    return group["game"], group["contestant"], group["group"]
