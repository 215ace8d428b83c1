"""Web server: pages of the runs in a folder, and streams of their events."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from arena.errors import ArenaError, RecordError
from arena.web import match_pages, replay_uploads, run_pages
from arena.web.pages import STATIC, compile_pages
from arena.web.review import Reviewer, review_nothing
from arena.web.run_directory import RunDirectory
from arena.web.seat_pages import MAX_FORM_BYTES, ROUTES, SEATS, SeatPages
from arena.web.security import Access, add_headers, guard
from arena.web.site import SITE, Site, make_page, picture_address

__all__ = ["make_app", "picture_address", "serve_runs"]
_FOREVER: Final = "public, max-age=31536000, immutable"
_PICTURE: Final = "/runs/{run}/pictures/{sha256}"
_OPEN: Final = frozenset(
    {"/static", _PICTURE, *(one.path for one in ROUTES if isinstance(one, web.RouteDef))}
)
"""Routes without the server's token: a seat has its own token, a picture its hash."""
_TYPES: Final = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def make_app(
    folder: Path,
    access: Access,
    seats: Sequence[SeatPages] = (),
    reviewer: Reviewer = review_nothing,
) -> web.Application:
    """Return the application that shows the runs of `folder`, and the seats of persons."""
    app = web.Application(
        middlewares=[guard(access, _OPEN), _report_errors], client_max_size=MAX_FORM_BYTES
    )
    app.on_response_prepare.append(add_headers)
    runs = RunDirectory(folder)
    compile_pages()

    async def with_site(app: web.Application) -> AsyncGenerator[None]:
        with TemporaryDirectory(prefix="arena-web-") as scratch:
            site = Site(runs=runs, reviewer=reviewer, replays_folder=Path(scratch))
            app[SITE] = site
            yield
            site.worker.shutdown(wait=False, cancel_futures=True)

    app.cleanup_ctx.append(with_site)
    app[SEATS] = tuple(seats)
    for routes in (ROUTES, run_pages.ROUTES, match_pages.ROUTES, replay_uploads.ROUTES):
        app.add_routes(routes)
    app.add_routes([web.get(_PICTURE, send_picture), web.static("/static", STATIC)])
    return app


@asynccontextmanager
async def serve_runs(
    folder: Path,
    access: Access,
    *,
    seats: Sequence[SeatPages] = (),
    reviewer: Reviewer = review_nothing,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncGenerator[str]:
    """Serve the runs of `folder` until the block ends; yields the address."""
    app = make_app(folder, access, seats, reviewer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        name, found = runner.addresses[0][:2]
        name = access.name or name
        yield f"http://[{name}]:{found}" if ":" in name else f"http://{name}:{found}"
    finally:
        await runner.cleanup()


@web.middleware
async def _report_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except ArenaError as error:
        return make_page("fault.html.jinja", status=404, fault=str(error), language="en")


async def send_picture(request: web.Request) -> web.StreamResponse:
    """Send a picture by its content hash."""
    run = request.app[SITE].runs.open(request.match_info["run"])
    data = run.read_picture(request.match_info["sha256"])
    kind = next((name for start, name in _TYPES.items() if data.startswith(start)), "")
    if not kind:
        raise RecordError("this picture is neither PNG nor JPEG")
    return web.Response(body=data, content_type=kind, headers={"Cache-Control": _FOREVER})
