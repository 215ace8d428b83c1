"""Render the report as one HTML page without scripts, links or network access."""

from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from eval.report import elements
from eval.report.chart_geometry import HEIGHT, WIDTH, draw_graph, draw_lines
from eval.report.elements import RunReport
from eval.report.report_context import load_report_wording

_FOLDER: Final = Path(__file__).parent / "templates"
COLOURS: Final = 8
"""The number of line colours in a chart; further lines repeat them, dashed."""
_KINDS: Final = (
    ("table", elements.Table),
    ("lines", elements.LineChart),
    ("graph", elements.GraphChart),
    ("prose", elements.ReportParagraph),
    ("quotes", elements.Quotations),
)


def render_page(report: RunReport) -> str:
    """Return the page. The template escapes every text of a match."""
    return _template().render(
        _TOOLS | {"report": report, "say": load_report_wording(report.language)}
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.jinja")


def _kind(thing: object) -> str:
    """Return the kind of a block or cell, for templates."""
    if isinstance(thing, elements.FigureCell):
        return "measured"
    if isinstance(thing, elements.HeatCell):
        return "shaded"
    return next((name for name, block in _KINDS if isinstance(thing, block)), "plain")


_TOOLS: Final[dict[str, object]] = {
    "draw_lines": draw_lines,
    "draw_graph": draw_graph,
    "show_cell": elements.format_cell,
    "kind": _kind,
    "width": WIDTH,
    "height": HEIGHT,
    "colours": COLOURS,
    "style": Markup((_FOLDER / "page.css.jinja").read_text(encoding="utf-8")),  # noqa: S704 - our own file
}
"""Names for the templates, besides the report."""
