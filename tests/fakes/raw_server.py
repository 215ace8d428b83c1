"""A server that sends any bytes at all, and counts how many of them were taken."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import repeat

from arena.models.http.endpoint import CHAT, TOKENIZE
from tests.fakes.tokens import ids_of

Answer = bytes | Callable[[bytes], bytes]
"""What is sent, or what makes it of the body of the request."""

_CARD = {"id": "m", "owned_by": "vllm", "max_model_len": 4096}
_PIECE = 64 * 1024


def http(body: bytes, status: int = 200, headers: Iterable[str] = ()) -> bytes:
    """Return a response with a body of a known length."""
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*lines, *headers, "", ""]).encode() + body


def http_json(value: object, status: int = 200) -> bytes:
    """Return a response with a JSON body."""
    return http(json.dumps(value).encode(), status)


@dataclass(slots=True, kw_only=True)
class RawServer:
    """The server's state; `url` leads to it while it runs."""

    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    """What is sent for a path; every other path gets a 404."""
    endless: bytes = b""
    """What follows an answer of the chat path again and again, until the client is gone."""
    url: str = ""
    sent: int = 0
    """Bytes of answers that the system took."""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close the connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lengths = [line[15:] for line in head.split("\r\n") if line[:15] == "Content-Length:"]
            body = await reader.readexactly(int(lengths[0])) if lengths else b""
            path = head.split(" ")[1]
            found = self.answers.get(path, http(b"", 404))
            answer = found if isinstance(found, bytes) else found(body)
            for start in range(0, len(answer), _PIECE):
                await self._send(writer, answer[start : start + _PIECE])
            for piece in repeat(self.endless) if self.endless and path == CHAT else ():
                await self._send(writer, piece)
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()

    async def _send(self, writer: asyncio.StreamWriter, piece: bytes) -> None:
        writer.write(piece)
        await writer.drain()
        self.sent += len(piece)


def _tokenize(body: bytes) -> bytes:
    asked = json.loads(body)
    return http_json({"tokens": ids_of(asked.get("prompt") or str(asked["messages"]))})


@asynccontextmanager
async def raw_server(
    answer: Answer, *, endless: bytes = b"", **paths: Answer
) -> AsyncGenerator[RawServer]:
    """Yield a server that lists one model and answers a chat request with `answer`.

    `paths` are the answers of other paths: `v1__models` is /v1/models.
    """
    answers = {f"/{path.replace('__', '/')}": one for path, one in paths.items()}
    server = RawServer(
        answers={
            "/v1/models": http_json({"data": [_CARD]}),
            TOKENIZE: _tokenize,
            CHAT: answer,
            **answers,
        },
        endless=endless,
    )
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listening.close()
        await listening.wait_closed()
