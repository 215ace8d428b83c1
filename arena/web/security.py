"""Access control of pages: host name, origin, and a token if other hosts can connect.

A page of an attacker's site that the user opens must get nothing: neither by a name that resolves
to this host (DNS rebinding), nor by a form posted from elsewhere.
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
    """Conditions of access."""

    hosts: frozenset[str] = LOOPBACK
    """Allowed names in the header `Host`."""
    token: str = ""
    """Required once in the address, then in a cookie; empty: none."""
    name: str = ""
    """Host name in the printed address; empty: the one at which the server listens."""

    @property
    def query(self) -> str:
        """Return the query that an address needs for access; empty: none."""
        return f"?{TOKEN}={self.token}" if self.token else ""


def make_access(host: str, names: Sequence[str]) -> Access:
    """Return the access to a server that listens at `host`; a token if other hosts can connect.

    `names` are host names by which others reach it. Raises `ConfigError` if one is missing.
    """
    if host in LOOPBACK:
        return Access(hosts=LOOPBACK | {*names})
    if not names and host in _ANY_ADDRESS:
        raise ConfigError(f"--host {host} needs --name NAME: the host name that others will use")
    return Access(
        hosts=LOOPBACK | {host, *names},
        token=secrets.token_urlsafe(24),
        name=names[0] if names else "",
    )


def guard(access: Access, open_routes: Collection[str] = ()) -> Middleware:
    """Return the middleware that enforces `access`.

    `open_routes` are the routes that need no token: their contents have their own tokens, or are
    not secret. They are compared as routes, because a path can be written in many ways.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if _host_of(request) not in access.hosts:
            raise web.HTTPForbidden(text="this server does not answer to that host name\n")
        if request.method not in ("GET", "HEAD") and not _is_same_origin(request):
            raise web.HTTPForbidden(text="a form of another site is not accepted\n")
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
    """Add the headers that forbid what pages do not need."""
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
