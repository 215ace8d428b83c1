"""The report as one HTML page: no script, no address, nothing from the network."""

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
"""Lines of a chart that differ by colour; more begin again, dashed."""
_KINDS: Final = (
    ("table", elements.Table),
    ("lines", elements.LineChart),
    ("graph", elements.GraphChart),
    ("prose", elements.ReportParagraph),
    ("quotes", elements.Quotations),
)


def render_page(report: RunReport) -> str:
    """Return the page. Every text of a match is escaped by the template."""
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
    """Return what a block or a cell is, as templates ask for it."""
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
"""What the templates use besides the report."""
