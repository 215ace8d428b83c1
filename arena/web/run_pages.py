"""Pages of the runs in a folder, and of one run with its live progress."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from aiohttp import web

from arena.view.i18n.language_choice import messages_for
from arena.view.i18n.messages import Messages
from arena.web.event_stream import END_MESSAGE, encode_change, send_stream
from arena.web.pages import render_page
from arena.web.run_directory import MatchRow
from arena.web.site import SITE, Site, make_page

ROUTES: Final = web.RouteTableDef()
_POLL_SECONDS: Final = 2.0
"""Seconds between two reads of a run, which can have hundreds of live matches."""


@ROUTES.get("/")
async def show_index(request: web.Request) -> web.StreamResponse:
    """Show all runs."""
    runs = request.app[SITE].runs
    if runs.is_one:
        raise web.HTTPFound(f"/runs/{runs.names()[0]}")
    return make_page(
        "index.html.jinja", runs=[runs.row(name) for name in runs.names()], language="en"
    )


@ROUTES.get("/runs/{run}")
async def show_run(request: web.Request) -> web.StreamResponse:
    """Show the matches of a run."""
    site, name = request.app[SITE], request.match_info["run"]
    rows = site.runs.matches(name)
    messages = _messages(rows)
    return make_page(
        "run.html.jinja",
        name=name,
        figures=await _render_status(site, name, rows),
        rows=[_render_row(name, at, row, messages) for at, row in enumerate(rows)],
        is_over=_is_over(rows),
        messages=messages,
        language=messages.language,
    )


@ROUTES.get("/runs/{run}/progress")
async def stream_progress(request: web.Request) -> web.StreamResponse:
    """Send the progress of the run, and the changed rows of its table."""
    site, name = request.app[SITE], request.match_info["run"]
    site.runs.open(name)
    return await send_stream(request, _follow(site, name))


async def _follow(site: Site, name: str) -> AsyncGenerator[str]:
    before, shown = (), ""
    while True:
        rows = site.runs.matches(name)
        status = await _render_status(site, name, rows)
        changed = [
            _render_row(name, at, row, _messages(rows))
            for at, row in enumerate(rows)
            if at >= len(before) or before[at] != row
        ]
        if status != shown:
            yield encode_change(status)
        if changed:
            # In a separate message: between other elements, a browser reads table rows as plain
            # text.
            yield encode_change("\n".join(changed))
        before, shown = rows, status
        if _is_over(rows):
            yield END_MESSAGE
            return
        await asyncio.sleep(_POLL_SECONDS)


async def _render_status(site: Site, name: str, rows: Sequence[MatchRow]) -> str:
    run = site.runs.open(name)
    progress = await site.run_in_worker(site.meter(name, run).measure, rows)
    messages = _messages(rows)
    return render_page(
        "status.html.jinja", progress=progress, messages=messages, language=messages.language
    )


def _render_row(run: str, at: int, row: MatchRow, messages: Messages) -> str:
    return render_page(
        "row.html.jinja", run=run, at=at, one=row, messages=messages, language=messages.language
    )


def _messages(rows: Sequence[MatchRow]) -> Messages:
    return messages_for(*{row.language for row in rows})


def _is_over(rows: Sequence[MatchRow]) -> bool:
    return all(row.summary is not None and row.summary.outcome != "error" for row in rows)
