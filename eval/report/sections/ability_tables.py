"""Tables of the papers: the chain of WhodunitBench, MIRAGE, WellPlay, ThinkThrice, Werewolf."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from eval.figures import summarise
from eval.metrics.catalogue import METRICS
from eval.metrics.papers.whodunitbench import average_columns
from eval.report.elements import Cell, Column, ReportParagraph, Section, Table, format_number
from eval.report.figure_objects import CHANCE, chance_of
from eval.report.report_context import ReportContext, figure_cell, find_figure
from eval.report.sections.script_totals import WEIGHTED, report_totals
from eval.scores import MetricFigure

CHAIN: Final = ("TIU", "MIU", "LSU", "RP", "SPC", "ITD", "MMR", "CMD")
"""In the order of the paper's table."""
NAIVE: Final = "naive"
_CHANCE: Final[Mapping[str, str]] = MappingProxyType(
    {"ITD": "ITD_random", "Victory": "chance_rank"}
)
_CHOICE: Final = frozenset({"TIU", "MIU", "LSU", "MMR"})
FAMILIES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "mirage": (
            *("Victory", "chance_rank", "TII", "fii", "missing_ratings"),
            *("CIC", "cic_role", "cic_key", "MIRAGE_RP", "MIRAGE_RA", "MIRAGE_CC"),
            *("MIRAGE_DO", "MIRAGE_CT", "MIRAGE_RL", "ICI", "SCI"),
        ),
        "wellplay": WEIGHTED,
        "thinkthrice": (
            *("Own", "CQ", "MQ", "Other", "inferential", "informed"),
            *("identification", "civ_win_rate"),
            *("similarity_tfidf", "similarity_token3", "similarity_embedding"),
        ),
        "werewolf": (
            *("persona", "naturalness", "interest", "deception", "closing"),
            "template_turns",
        ),
    }
)
"""Section -> its metrics. Metrics that are not in the catalogue are omitted."""


def report_chain(context: ReportContext) -> Section:
    """Return the section of the chain table, with a bar for each ability."""
    scores = [
        one
        for one in context.scores
        if one.metric in {*CHAIN, *CHANCE.values()} and one.faction != "murderer"
    ]
    against = [one for one in scores if one.opponent == NAIVE]
    is_naive = any(one.metric in CHAIN for one in against)
    note = context.say("note.chain_naive" if is_naive else "note.chain_all")
    figures = summarise(
        against if is_naive else scores, ("contestant", "faction", "group", "judge")
    )
    if not any(one.metric in CHAIN and one.macro is not None for one in figures):
        return context.section("chain", context.missing("chain"))
    return context.section("chain", _chain_table(context, figures, note), _absent(context, figures))


_GAMES: Final[Mapping[str, str]] = MappingProxyType({"mirage": "mirage", "werewolf": "werewolf5"})
"""Section -> the only game of its figures."""
QUESTIONS: Final = (
    *("choice_random", "choice_constant_letter", "choice_longest_option"),
    *("choice_corrected", "choice_unanswered", "choice_by_position", "choice_length_bias"),
)


def _chain_table(context: ReportContext, figures: Sequence[MetricFigure], note: str) -> Table:
    columns = _columns_of(figures, CHAIN)
    names = dict.fromkeys(dict(one.group)["contestant"] for one in figures if one.metric in CHAIN)
    judges = tuple(dict.fromkeys(judge for _, judge in columns if judge)) or ("",)
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        found = {
            key: find_figure(figures, key[0], contestant=name, judge=key[1], group="")
            for key in columns
        }
        averages = (average_columns(_values(found, judge)) for judge in judges)
        cells = [
            figure_cell(one, chance=None if one is None else chance_of(figures, one))
            for one in found.values()
        ]
        shown = (None if one is None else format_number(one, 2) for one in averages)
        rows.append((context.display_name(name), *cells, *shown))
    return Table(
        name="chain",
        title=context.say("table.chain"),
        columns=(
            context.column("contestant", "left"),
            *(context.metric_column(*key) for key in columns),
            *(_average_column(context, judge) for judge in judges),
        ),
        rows=tuple(rows),
        note=note,
    )


def _average_column(context: ReportContext, judge: str) -> Column:
    """Return the column of the averages whose judged parts are from one judge."""
    plain = context.column("coe_avg")
    if not judge:
        return plain
    return replace(plain, key=f"{plain.key}_{judge}", title=f"{plain.title} · {judge}")


def _values(
    found: Mapping[tuple[str, str], MetricFigure | None], judge: str
) -> dict[str, float | None]:
    """Return the columns in their units: unjudged ones, and those of one judge."""
    return {
        name: figure.macro * METRICS[name].scale
        for (name, own), figure in found.items()
        if own in {"", judge} and figure is not None and figure.macro is not None
    }


def _absent(context: ReportContext, figures: Sequence[MetricFigure]) -> ReportParagraph | None:
    there = {one.metric for one in figures if one.macro is not None}
    absent = [name for name in CHAIN if name not in there]
    names = ", ".join(absent)
    return (
        ReportParagraph(text=context.say("missing.columns", names=names), missing=True)
        if absent
        else None
    )


def report_family(context: ReportContext, family: str) -> Section:
    """Return the section of one paper: one row per game, contestant and side."""
    wanted = [name for name in FAMILIES[family] if name in METRICS]
    figures = [
        one
        for one in context.figures
        if one.metric in wanted and not dict(one.group)["group"] and one.scores
        if _GAMES.get(family, dict(one.group)["game"]) == dict(one.group)["game"]
    ]
    if not figures:
        unrated = family == "werewolf" and _GAMES[family] in context.games
        return context.section(family, context.missing("werewolf_ratings" if unrated else family))
    own_game = family in _GAMES
    columns = _columns_of(figures, wanted)
    rows: dict[tuple[str, str, str], None] = dict.fromkeys(map(_row_of, figures))
    cells = {(_row_of(one), (one.metric, dict(one.group)["judge"])): one for one in figures}
    table = Table(
        name=family,
        title=context.say(f"table.{family}"),
        columns=(
            *(context.column(key, "left") for key in ("contestant", "faction")),
            *([] if own_game else [context.column("game", "left")]),
            *(context.metric_column(*key) for key in columns),
        ),
        rows=tuple(
            (
                *(context.display_name(row[1]), context.faction(row[2])),
                *(() if own_game else row[:1]),
                *(_cell(cells, row, key) for key in columns),
            )
            for row in sorted(rows)
        ),
        note=context.say("note.macro"),
    )
    return context.section(family, table, report_totals(context) if family == "wellplay" else None)


def _cell(
    cells: Mapping[tuple[tuple[str, str, str], tuple[str, str]], MetricFigure],
    row: tuple[str, str, str],
    key: tuple[str, str],
) -> Cell:
    base = cells.get((row, (CHANCE.get(key[0], ""), "")))
    return figure_cell(cells.get((row, key)), chance=base.macro if base else None)


def _row_of(figure: MetricFigure) -> tuple[str, str, str]:
    group = dict(figure.group)
    return group["game"], group["contestant"], group["faction"] or "civilians"


def _columns_of(figures: Sequence[MetricFigure], metrics: Sequence[str]) -> list[tuple[str, str]]:
    """Return metric and judge of each column; two judges never share one."""
    there = {(one.metric, dict(one.group)["judge"]) for one in figures if one.scores}
    return sorted(
        (key for key in there if key[0] in metrics), key=lambda key: (metrics.index(key[0]), key[1])
    )


def report_questions(context: ReportContext) -> Section:
    """Return the section of answer baselines: one row per contestant and kind."""
    figures = [one for one in context.figures if one.metric in QUESTIONS and one.scores]
    if not figures:
        return context.section("choice_quiz", context.missing("choice_quiz"))
    names = [name for name in QUESTIONS if any(one.metric == name for one in figures)]
    keys = ("game", "contestant", "faction", "group")
    cells = {(one.metric, _place_of(one)): one for one in figures}
    table = Table(
        name="choice_quiz",
        title=context.say("table.choice_quiz"),
        columns=(
            *(context.column(key, "left") for key in keys),
            *map(context.metric_column, names),
        ),
        rows=tuple(
            (
                *(row[0], context.display_name(row[1]), context.faction(row[2]), row[3]),
                *(figure_cell(cells.get((name, row)), with_bar=False) for name in names),
            )
            for row in sorted({place for _, place in cells})
        ),
        folded=True,
    )
    return context.section("choice_quiz", table)


def _place_of(figure: MetricFigure) -> tuple[str, str, str, str]:
    return *_row_of(figure), dict(figure.group)["group"]


def report_all(context: ReportContext) -> Section:
    """Return the section of all figures of all metrics."""
    keys = ("metric", "game", "contestant", "faction", "group", "judge")
    rows: list[tuple[Cell, ...]] = []
    for one in context.figures:
        group = dict(one.group)
        cell = figure_cell(one, with_bar=False)
        rows.append(
            (
                *(one.metric, group["game"], context.display_name(group["contestant"])),
                *(context.faction(group["faction"]), group["group"], group["judge"]),
                cell,
                None if one.pooled is None else one.pooled * METRICS[one.metric].scale,
                *(one.missing, one.matches, one.scripts, one.clusters, one.interval),
            )
        )
    table = Table(
        name="figures",
        title=context.say("table.figures"),
        columns=(
            *(context.column(key, "left") for key in keys),
            *map(context.column, ("macro", "pooled", "missing", "matches", "scripts", "clusters")),
            context.column("interval", "left"),
        ),
        rows=tuple(rows),
        folded=True,
    )
    used = dict.fromkeys(one.metric for one in context.figures)
    meanings = Table(
        name="metrics",
        title=context.say("table.metrics"),
        columns=(context.column("metric", "left"), context.column("meaning", "left")),
        rows=tuple((name, context.explain(METRICS[name])) for name in used),
        folded=True,
    )
    return context.section(
        "figures", ReportParagraph(text=context.say("figures.how")), table, meanings
    )
