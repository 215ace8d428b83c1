"""The fake server's pictures: those that come with bytes are kept, later ones need only a uuid."""

from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests.fakes.tokens import CHARS_PER_TOKEN

PICTURE_TOKENS = 64


class MissError(Exception):
    """A picture that came by uuid alone is not there; says so in vLLM's words."""


@dataclass(slots=True)
class MediaCache:
    """Keeps what was seen last, by uuid."""

    room: int = 100
    """Pictures; 0: the server keeps none."""
    kept: OrderedDict[str, str] = field(default_factory=OrderedDict[str, str])

    def seen(self, parts: list[dict[str, Any]]) -> list[str]:
        """Return what the model reads of each picture, or raise `MissError`."""
        read = [self._one(index, part) for index, part in enumerate(parts)]
        while len(self.kept) > self.room:
            self.kept.popitem(last=False)
        return read

    def _one(self, index: int, part: dict[str, Any]) -> str:
        url, uuid = _url(part), part.get("uuid")
        if url is not None:
            # Fills as many tokens as a picture; the bytes alone decide, with a uuid or without.
            digest = sha256(url.encode()).hexdigest()
            text = (digest * PICTURE_TOKENS)[: PICTURE_TOKENS * CHARS_PER_TOKEN]
            if uuid:
                self.kept[uuid] = text
                self.kept.move_to_end(uuid)
            return text
        if not self.room:
            raise MissError("Failed to apply FakeProcessor on data={'images': [None]}")
        if uuid not in self.kept:
            raise MissError(f"Cache miss for image at index {index} but data is not provided.")
        self.kept.move_to_end(uuid)
        return self.kept[uuid]


def pictures_in(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the picture parts of a conversation, in order."""
    contents = [message["content"] for message in messages]
    parts = [part for content in contents if not isinstance(content, str) for part in content]
    return [part for part in parts if part["type"] == "image_url"]


def _url(part: dict[str, Any]) -> str | None:
    # Chat wraps the URL, /inference/v1/generate does not.
    if "url" in part:
        return part["url"]
    wrapped: dict[str, str] | None = part["image_url"]
    return wrapped["url"] if wrapped else None
