"""Cache of judges' replies, by judge, prompt, sampling and sample number."""

import hashlib
import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.models.chat import Request
from arena.records.record_files import open_jsonl_append, read_jsonl
from arena.records.record_schema import JsonCodec
from eval.judges.scales import Scale

CACHE: Final = "cache.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedReply:
    """One reply of a judge, with its original cost."""

    key: str
    text: str
    finish: str
    prompt_tokens: int
    output_tokens: int
    seconds: float


_CODEC: Final = JsonCodec[CachedReply](CachedReply, "a judge's reply")


class ReplyCache:
    """Known replies; a new one is written to the file first."""

    def __init__(self, known: dict[str, CachedReply], write: Callable[[CachedReply], None]) -> None:
        self._known, self._write = known, write

    def get(self, key: str) -> CachedReply | None:
        """Return the reply under `key`, or None."""
        return self._known.get(key)

    def add(self, reply: CachedReply) -> None:
        """Write and store a reply."""
        self._write(reply)
        self._known[reply.key] = reply


def memory_cache() -> ReplyCache:
    """Return an empty cache without a file."""
    return ReplyCache({}, lambda _: None)


@contextmanager
def open_cache(folder: Path) -> Generator[ReplyCache]:
    """Open the cache in `folder`, or raise `RecordError`; a torn last line is ignored."""
    path = folder / CACHE
    known = {one.key: one for one in read_jsonl(path, _CODEC.decode)}
    with open_jsonl_append(path) as append:
        yield ReplyCache(known, lambda reply: append(_CODEC.encode(reply)))


def reply_key(judge: str, request: Request, scale: Scale, sample: int) -> str:
    """Return the key of a reply: a hash of its inputs and the sample number."""
    content = (
        judge,
        [(one.role, one.text) for one in request.messages],
        (request.temperature, request.max_tokens, request.call_id.attempt),
        (scale.form, scale.low, scale.high),
        sample,
    )
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
