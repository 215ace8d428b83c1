"""The messages that the pieces of a trace stand for, with the replies that a server really gave."""

import hashlib
from typing import Literal

from arena.bench.content import read_picture, text_of
from arena.bench.trace import Piece, Trace
from arena.models.chat import Message
from scripts_mm.script import Picture


class Words:
    """Messages by the keys of their pieces; equal pieces are the same object."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._messages: dict[str, Message] = {}
        self._replies: dict[str, Message] = {}
        self._pictures: dict[str, Picture] = {}
        self._names: dict[str, str] = {}

    def message(self, piece: Piece, *, ids: bool) -> Message:
        """Return what `piece` stands for; a reply that was given, with its tokens or without."""
        if piece.role == "assistant":
            said = self._replies.get(piece.key)
            if said is not None:
                return said if ids else Message(role="assistant", text=said.text)
        found = self._messages.get(piece.key)
        if found is None:
            picture = self._picture(piece.picture) if piece.picture else None
            found = Message(role=piece.role, text=text_of(piece), picture=picture)
            self._messages[piece.key] = found
        return found

    def keep(self, key: str, text: str, ids: tuple[int, ...]) -> None:
        """Let the reply with this key stand in later prompts as it was given."""
        self._replies[key] = Message(role="assistant", text=text, ids=ids)

    def read(self, picture: Picture) -> bytes:
        """Return the bytes of a picture that is part of a message; raise `RecordError`."""
        return read_picture(self._trace, self._names[picture.sha256])

    def _picture(self, name: str) -> Picture:
        found = self._pictures.get(name)
        if found is None:
            content, shown = read_picture(self._trace, name), self._trace.pictures[name]
            sha = hashlib.sha256(content).hexdigest()
            found = Picture(
                sha256=sha,
                file=f"{sha}.img",
                mime=_mime(content),
                width=shown.width,
                height=shown.height,
            )
            self._pictures[name], self._names[sha] = found, name
        return found


def _mime(content: bytes) -> Literal["image/png", "image/jpeg", "image/webp"]:
    if content.startswith(b"\x89PNG"):
        return "image/png"
    return "image/webp" if content.startswith(b"RIFF") else "image/jpeg"
