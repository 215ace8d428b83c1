"""Access control of the simulated server, and its request counts."""

from collections import Counter
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from serving.shim.engine_guard import Refusal, refusal_body, refuse_host, refuse_key

_JSON: Final = "application/json"
_OPEN: Final = "/health"


class AccessGate:
    """Refuses what an engine's guard refuses, and counts the accepted requests.

    Without a key it accepts every request to the server's own address. A web page can post to that
    address too, but needs a CORS preflight to post JSON; so no other content type is accepted.
    """

    def __init__(self, key: str) -> None:
        self.requests: Counter[str] = Counter()
        """The number of accepted requests by path; unknown paths are not counted."""
        self._key = key

    @property
    def middleware(self) -> Middleware:
        """The middleware that checks every request before its handler."""

        @web.middleware
        async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
            refusal = self._refuse(request)
            if refusal is not None:
                status, line = refusal
                body = refusal_body(status, line)
                return web.Response(body=body, status=status, content_type=_JSON)
            if _is_known(request):
                self.requests[request.path] += 1
            return await handler(request)

        return check

    def _refuse(self, request: web.Request) -> Refusal | None:
        door = request.get_extra_info("sockname")
        refusal = refuse_host(request.headers.getall("Host", []), door[1] if door else None)
        if refusal is None and self._key and request.path != _OPEN:
            refusal = refuse_key(request.headers.getall("Authorization", []), self._key)
        is_form = request.method == "POST" and request.content_type != _JSON
        if refusal is None and is_form and _is_known(request):
            return (
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                f"a request must be {_JSON}, but it is {request.content_type}",
            )
        return refusal


def _is_known(request: web.Request) -> bool:
    return request.match_info.http_exception is None
