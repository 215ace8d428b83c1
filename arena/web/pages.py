"""Pages and fragments of pages, from the templates of this package."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena.view.sanitize import sanitize, sanitize_line
from arena.web.page_messages import PAGE_MESSAGES

FOLDER: Final = Path(__file__).parent
STATIC: Final = FOLDER / "static"


def render_page(template: str, **values: Any) -> str:
    """Return a template of this package with `values`; all texts in them are escaped."""
    return _environment().get_template(template).render(words=PAGE_MESSAGES, **values)


def iterate_page(template: str, **values: Any) -> Iterator[str]:
    """Yield the output of `render_page` piece by piece, as soon as it is known."""
    return _environment().get_template(template).generate(words=PAGE_MESSAGES, **values)


def compile_pages() -> None:
    """Compile all templates, so that no visitor has to wait for it."""
    for name in _environment().list_templates(extensions=["jinja"]):
        _environment().get_template(name)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"text": sanitize, "line": sanitize_line}
    return environment
