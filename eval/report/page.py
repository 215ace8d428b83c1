"""The report as one HTML page: no script, no address, nothing from the network."""

from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from eval.report import values
from eval.report.context import load_texts
from eval.report.drawing import HEIGHT, WIDTH, draw_graph, draw_lines
from eval.report.values import Report

_FOLDER: Final = Path(__file__).parent / "templates"
COLOURS: Final = 8
"""Lines of a chart that differ by colour; more begin again, dashed."""
_KINDS: Final = (
    ("table", values.Table),
    ("lines", values.LineChart),
    ("graph", values.GraphChart),
    ("prose", values.Prose),
    ("quotes", values.Quotations),
)


def render_page(report: Report) -> str:
    """Return the page. Every text of a match is escaped by the template."""
    return _template().render(_TOOLS | {"report": report, "say": load_texts(report.language)})


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
    if isinstance(thing, values.Measured):
        return "measured"
    if isinstance(thing, values.Shaded):
        return "shaded"
    return next((name for name, block in _KINDS if isinstance(thing, block)), "plain")


_TOOLS: Final[dict[str, object]] = {
    "draw_lines": draw_lines,
    "draw_graph": draw_graph,
    "show_cell": values.show_cell,
    "kind": _kind,
    "width": WIDTH,
    "height": HEIGHT,
    "colours": COLOURS,
    "style": Markup((_FOLDER / "page.css.jinja").read_text(encoding="utf-8")),  # noqa: S704 - our own file
}
"""What the templates use besides the report."""
