"""Journal of the proxy: every request for a completion, and what became of its answer.

The proxy appends two lines a request, one when it is asked and one when it is answered. A request
without a second line was in flight when the proxy was killed.
"""

import json
import os
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.models.chat import Message

OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedLine:
    """A request as it came in."""

    number: str
    at: float
    """Seconds of the machine's clock."""
    digest: str
    spoilt: str = ""
    """The kind of fault that takes the place of the answer; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredLine:
    """What became of a request."""

    number: str
    until: float
    status: int
    """0: the engine gave no answer."""
    is_delivered: bool
    """The whole answer went to the system's buffers, and the client had not hung up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A request and its answer, if there was one."""

    asked: AskedLine
    answered: AnsweredLine | None

    @property
    def is_good(self) -> bool:
        """Whether the client can have had the model's own completion."""
        found = self.answered
        return (
            found is not None
            and found.status == OK
            and found.is_delivered
            and not self.asked.spoilt
        )

    def overlaps(self, start: float, end: float) -> bool:
        """Return whether the request was in flight between two moments."""
        until = self.answered.until if self.answered is not None else float("inf")
        return self.asked.at <= end and until >= start


class JournalWriter:
    """Writer of a journal: each line is one write, so that a kill cuts none in half."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def append(self, line: AskedLine | AnsweredLine) -> None:
        """Append one line."""
        os.write(self._file, f"{json.dumps(asdict(line))}\n".encode())

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class JournalReader:
    """Reader of a journal that still grows: each call of `entries` reads only what is new."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._asked: dict[str, AskedLine] = {}
        self._answered: dict[str, AnsweredLine] = {}

    def entries(self) -> list[Entry]:
        """Return all requests so far, in the order in which they came."""
        self._read()
        return [
            Entry(asked=asked, answered=self._answered.get(number))
            for number, asked in self._asked.items()
        ]

    def count_answered(self) -> int:
        """Return the number of requests that got an answer of any kind."""
        self._read()
        return len(self._answered)

    def _read(self) -> None:
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._offset)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._offset += len(whole)
        for line in whole.splitlines():
            found: dict[str, Any] = json.loads(line)
            if "digest" in found:
                self._asked[found["number"]] = AskedLine(**found)
            else:
                self._answered[found["number"]] = AnsweredLine(**found)


def digest_of_body(body: bytes) -> str:
    """Return the digest of a chat request: of its messages alone.

    Priority, limits and other fields may change when a request is repeated, and a picture may go
    with its bytes or by its name.
    """
    found: dict[str, Any] = json.loads(body)
    return _digest([_of_wire(message) for message in found.get("messages", [])])


def digest_of_messages(messages: Sequence[Message]) -> str:
    """Return the digest of the chat request that these recorded messages made."""
    return _digest(
        [
            (
                message.role,
                message.text.encode(errors="replace").decode(),
                [message.picture.sha256] if message.picture else [],
            )
            for message in messages
        ]
    )


def count_bad(entries: Iterable[Entry]) -> Counter[str]:
    """Return how often each digest was asked without the model's completion reaching the client."""
    return Counter(entry.asked.digest for entry in entries if not entry.is_good)


def count_digests(entries: Iterable[Entry]) -> Counter[str]:
    """Return how often each digest was asked."""
    return Counter(entry.asked.digest for entry in entries)


def _of_wire(message: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    content: str | list[dict[str, Any]] | None = message.get("content")
    if content is None or isinstance(content, str):
        return message["role"], content or "", []
    texts: list[str] = []
    pictures: list[str] = []
    for part in content:
        if part["type"] == "text":
            texts.append(part["text"])
        else:
            pictures.append(part.get("uuid") or _hash_of_url(part["image_url"]["url"]))
    return message["role"], "".join(texts), pictures


def _hash_of_url(url: str) -> str:
    return sha256(b64decode(url.partition(",")[2])).hexdigest()


def _digest(messages: list[tuple[str, str, list[str]]]) -> str:
    return sha256(json.dumps(messages).encode()).hexdigest()[:24]
