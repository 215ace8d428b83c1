"""The input of every section: the matches, their figures, and the report's wording."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.games.wording import Wording, load_wording
from arena.records.run_config import Pair
from eval.figures import summarise
from eval.metrics.catalogue import METRICS
from eval.report.collection.match_facts import MatchFacts, RunCollection
from eval.report.elements import Align, Column, FigureCell, ReportBlock, ReportParagraph, Section
from eval.scores import Metric, MetricFigure, Score

LANGUAGES = ("en", "zh")
_BY = ("game", "contestant", "faction", "group", "judge")
_WORDING = Path(__file__).parent / "wording"


@dataclass(frozen=True, kw_only=True)
class ReportContext:
    """The input of one report. Sections do not change it."""

    collected: RunCollection
    language: str

    @cached_property
    def say(self) -> Wording:
        """The texts of the report."""
        return load_report_wording(self.language)

    @property
    def matches(self) -> tuple[MatchFacts, ...]:
        """The matches without people."""
        return tuple(one for one in self.collected.matches if not one.is_human)

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """The scores of these matches."""
        return tuple(score for match in self.matches for score in match.scores)

    @cached_property
    def figures(self) -> tuple[MetricFigure, ...]:
        """Figures by game, contestant, faction, group and judge."""
        return summarise(self.scores, _BY)

    @cached_property
    def levels(self) -> tuple[Score, ...]:
        """The chance levels of decided matches, as scores of `DECIDED_LEVEL`."""
        return tuple(one.level for one in self.matches if one.level is not None)

    @cached_property
    def games(self) -> tuple[str, ...]:
        """The played games."""
        return tuple(dict.fromkeys(one.summary.game for one in self.matches))

    @cached_property
    def display_names(self) -> Mapping[str, str]:
        """Contestant -> its name in tables."""
        sides = [
            name
            for one in self.collected.matches
            for name in (one.summary.civilians, one.summary.murderer)
        ]
        return shorten_names(dict.fromkeys(sides))

    def display_name(self, contestant: str) -> str:
        """Return a contestant's name in tables."""
        return self.display_names.get(contestant, contestant)

    def sides(self, pairs: Sequence[Pair]) -> tuple[str, str]:
        """Return the names of all civilian contestants and of all murderer contestants."""
        sides = ([one.civilians for one in pairs], [one.murderer for one in pairs])
        civilians, murderer = (
            ", ".join(map(self.display_name, dict.fromkeys(side))) for side in sides
        )
        return civilians, murderer

    def faction(self, faction: str) -> str:
        """Return the name of a side; match-level figures are the civilians'."""
        return self.say(f"faction.{faction or 'civilians'}")

    def column(self, key: str, align: Align = "right", places: int = 1) -> Column:
        """Return a column with its title from the wording."""
        return Column(
            key=key,
            title=self.say(f"column.{key}"),
            help=self.say.get(f"help.{key}"),
            align=align,
            places=places,
        )

    def metric_column(self, name: str, judge: str = "") -> Column:
        """Return a column for one metric, and one judge if it is judged."""
        metric = METRICS[name]
        title = f"{name} · {judge}" if judge else name
        key = f"{name}_{judge}" if judge else name
        return Column(key=key, title=title, help=self.explain(metric))

    def free_column(self, title: str) -> Column:
        """Return a column with a title from the data."""
        return Column(key=title, title=title)

    def explain(self, metric: Metric) -> str:
        """Return a metric's meaning, with its source and direction."""
        meaning = metric.meaning.get(self.language, metric.meaning["en"])
        return self.say(
            "metric.explained",
            meaning=meaning,
            source=metric.source,
            better=self.say(f"better.{metric.better}"),
        )

    def missing(self, key: str) -> ReportParagraph:
        """Return the line that names missing data and the command that creates it."""
        return ReportParagraph(text=self.say(f"missing.{key}"), missing=True)

    def section(self, name: str, *blocks: ReportBlock | None) -> Section:
        """Return a section with its title from the wording, without None blocks."""
        kept = tuple(block for block in blocks if block is not None)
        return Section(name=name, title=self.say(f"section.{name}"), blocks=kept)


def load_report_wording(language: str) -> Wording:
    """Return the texts of reports in one language."""
    return load_wording(_WORDING / f"{language}.toml")


def shorten_names(names: Iterable[str]) -> Mapping[str, str]:
    """Return each contestant without its server's address, if that stays unique."""
    every = tuple(names)
    shorts = [name.rpartition("#")[2] if "://" in name else name for name in every]
    return {
        name: short if shorts.count(short) == 1 else name
        for name, short in zip(every, shorts, strict=True)
    }


def figure_cell(
    figure: MetricFigure | None, *, chance: float | None = None, with_bar: bool = True
) -> FigureCell | None:
    """Return a figure as a cell, in the unit of its metric."""
    if figure is None:
        return None
    metric = METRICS[figure.metric]
    bounded = with_bar and metric.low is not None and metric.high is not None

    def scale(value: float | None) -> float | None:
        return None if value is None else value * metric.scale

    return FigureCell(
        value=scale(figure.macro),
        low=scale(figure.low),
        high=scale(figure.high),
        count=figure.scores,
        chance=scale(chance),
        places=1 if metric.scale == 100 or (metric.high or 0) >= 10 or metric.high is None else 3,  # noqa: PLR2004
        least=scale(metric.low) if bounded else None,
        most=scale(metric.high) if bounded else None,
    )


def find_figure(figures: Iterable[MetricFigure], metric: str, **group: str) -> MetricFigure | None:
    """Return the first figure of a metric whose group has these values."""
    return next(
        (
            one
            for one in figures
            if one.metric == metric and group.items() <= dict(one.group).items()
        ),
        None,
    )


def contestants_by_side(matches: Sequence[MatchFacts]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the civilian contestants and the murderer contestants."""
    civilians = dict.fromkeys(one.summary.civilians for one in matches)
    return tuple(civilians), tuple(dict.fromkeys(one.summary.murderer for one in matches))
