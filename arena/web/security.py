"""Who may ask for pages: the right host name, the right origin, and a token where others can reach.

A page that an attacker's site opens in the user's browser must get nothing: neither by a name that
resolves to this host (DNS rebinding), nor by a form that is posted from elsewhere.
"""

import hmac
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from yarl import URL

from arena.errors import ConfigError

COOKIE: Final = "arena_token"
TOKEN: Final = "token"  # noqa: S105 - the name of a parameter
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY_ADDRESS: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - it is asked about
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send forms with `Origin: null`
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who may ask."""

    hosts: frozenset[str] = LOOPBACK
    """Names in the header `Host`."""
    token: str = ""
    """Wanted once in the address, then in a cookie; empty: none."""
    name: str = ""
    """Under which the address is told; empty: it is that at which the server listens."""

    @property
    def query(self) -> str:
        """What an address ends with to be let in; empty: nothing is wanted."""
        return f"?{TOKEN}={self.token}" if self.token else ""


def make_access(host: str, names: Sequence[str]) -> Access:
    """Return who may ask a server that listens at `host`; others than this host need a token.

    `names` are host names by which others reach it. Raises `ConfigError` where there must be one.
    """
    if host in LOOPBACK:
        return Access(hosts=LOOPBACK | {*names})
    if not names and host in _ANY_ADDRESS:
        raise ConfigError(f"--host {host} needs --name NAME: the host name that others will write")
    return Access(
        hosts=LOOPBACK | {host, *names},
        token=secrets.token_urlsafe(24),
        name=names[0] if names else "",
    )


def guard(access: Access, open_routes: Collection[str] = ()) -> Middleware:
    """Return the middleware that lets nobody else in.

    `open_routes` are the routes that need no token: what they show has tokens of its own, or is no
    secret. They are compared as routes, for a path can be written in many ways.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if _host_of(request) not in access.hosts:
            raise web.HTTPForbidden(text="this server does not answer to that host name\n")
        if request.method not in ("GET", "HEAD") and not _is_same_origin(request):
            raise web.HTTPForbidden(text="a form of another site is not taken\n")
        if access.token and _route_of(request) not in open_routes:
            given = request.query.get(TOKEN, "")
            if given and _equal(given, access.token):
                answer = web.HTTPSeeOther(location=str(request.rel_url.without_query_params(TOKEN)))
                answer.set_cookie(COOKIE, given, httponly=True, samesite="Strict", path="/")
                raise answer
            if not _equal(request.cookies.get(COOKIE, ""), access.token):
                raise web.HTTPUnauthorized(text="open the address with its token\n")
        return await handler(request)

    return check


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that forbid what no page needs."""
    del request
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


def _route_of(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else ""


def _host_of(request: web.Request) -> str:
    try:
        return URL(f"http://{request.headers.get('Host', '')}").host or ""
    except ValueError:
        return ""


def _is_same_origin(request: web.Request) -> bool:
    origin = request.headers.get("Origin", "")
    return origin == f"{request.scheme}://{request.headers.get('Host', '')}"


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())
