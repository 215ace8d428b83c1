"""A model hub on loopback: as much of its interface as the hub's own client needs."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Any, Final

SHA: Final = "a" * 40
LARGE: Final = 10 * 2**20


@dataclass
class FakeHub:
    """Serves `models`: hub id to files by name. `cut` stops a file after so many bytes, once."""

    models: Mapping[str, Mapping[str, bytes]]
    licence: str = "apache-2.0"
    cut: dict[str, int] = field(default_factory=dict[str, int])
    ranges: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Of each file that was asked for: its name, and from which byte on."""
    reached: Event = field(default_factory=Event)
    """Set once a file was cut."""
    closing: Event = field(default_factory=Event)

    def __enter__(self) -> "FakeHub":
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def environ(self, cache: str) -> dict[str, str]:
        """Return the variables by which the hub's client finds this hub, and its cache."""
        return {"HF_ENDPOINT": self.url, "HF_HUB_CACHE": cache, "HF_HUB_OFFLINE": "0"}


def etag(content: bytes) -> str:
    """Return the name of a file's content: large ones have that of their SHA-256."""
    digest = hashlib.sha256 if len(content) > LARGE else hashlib.sha1
    return digest(content).hexdigest()


def _handler(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            path = self.path.partition("?")[0]
            if path == "/":
                return self._send(200, b"the hub", {}, with_body=with_body)
            if found := re.fullmatch(r"/api/models/([^/]+/[^/]+)(/.*)?", path):
                return self._tell(found[1], found[2] or "")
            found = re.fullmatch(r"/([^/]+/[^/]+)/resolve/[^/]+/(.+)", path)
            if found and found[2] in hub.models.get(found[1], {}):
                return self._give(found[2], hub.models[found[1]][found[2]], with_body=with_body)
            return self._missing("EntryNotFound")

        def _tell(self, hub_id: str, what: str) -> None:
            if hub_id not in hub.models:
                return self._missing("RepoNotFound")
            files = hub.models[hub_id]
            if what.startswith("/tree/"):
                body: Any = [
                    {"type": "file", "path": name, "size": len(data), "oid": etag(data)}
                    for name, data in files.items()
                ]
            else:
                body = {
                    "id": hub_id,
                    "modelId": hub_id,
                    "sha": SHA,
                    "private": False,
                    "cardData": {"license": hub.licence},
                    "siblings": [
                        {"rfilename": name, "size": len(data), "blobId": etag(data)}
                        for name, data in files.items()
                    ],
                }
            data = json.dumps(body).encode()
            return self._send(200, data, {"Content-Type": "application/json"}, with_body=True)

        def _give(self, name: str, data: bytes, *, with_body: bool) -> None:
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(asked[1]) if asked else 0
            if with_body:
                hub.ranges.append((name, start))
            headers = {
                "ETag": f'"{etag(data)}"',
                "X-Repo-Commit": SHA,
                "Accept-Ranges": "bytes",
                "Content-Type": "application/octet-stream",
            }
            if start:
                headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            most = hub.cut.pop(name, None) if with_body else None
            self._send(206 if start else 200, data[start:], headers, with_body=with_body, most=most)

        def _send(
            self,
            status: int,
            body: bytes,
            headers: Mapping[str, str],
            *,
            with_body: bool,
            most: int | None = None,
        ) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not with_body:
                return
            try:
                self.wfile.write(body if most is None else body[:most])
                self.wfile.flush()
                if most is not None:
                    hub.reached.set()
                    hub.closing.wait()
            except OSError:
                self.close_connection = True

        def _missing(self, code: str) -> None:
            self._send(404, b"", {"X-Error-Code": code}, with_body=True)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
            pass

    return Handler
