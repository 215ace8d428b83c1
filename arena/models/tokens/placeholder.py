"""Placeholder token of a picture, which the server expands."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.models.chat import Message
from arena.models.tokens.incremental_template import PLAIN_WORD, IncrementalTemplate
from arena.models.tokens.model_files import ModelConfig, TemplateError, read_json
from arena.models.tokens.tokenizer import Ids, Tokenizer
from scripts_mm.script import Picture

SAMPLE_PICTURE: Final = Picture(
    sha256="0" * 64, file="some.png", mime="image/png", width=28, height=28
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """Placeholder of a picture in the token ids of one model."""

    folder: str
    id: int | None
    """None: the model has none."""
    text: str
    renders_pictures: bool
    """Whether the template renders each picture as one placeholder."""

    def index_in(self, ids: Ids) -> int:
        """Return the index of the placeholder in a message's `ids`, or raise `TemplateError`."""
        if not self.renders_pictures or self.id is None or ids.count(self.id) != 1:
            raise TemplateError(
                f"the chat template in {self.folder!r} should render one picture as one token, "
                "but does not; use the chat endpoint"
            )
        return ids.index(self.id)

    def escape_text(self, message: Message) -> Message:
        """Return `message` with every placeholder in its text escaped."""
        if not self.text or self.text not in message.text:
            return message
        return replace(message, text=message.text.replace(self.text, self._plain_text))

    def escape_ids(self, ids: Iterable[int], tokenizer: Tokenizer) -> Ids:
        """Return the ids of a reply with every placeholder in it escaped as plain text."""
        reply = array("I", ids)
        if self.id is None or self.id not in reply:
            return reply
        plain = tokenizer.encode(self._plain_text)
        harmless: Ids = array("I")
        for id_ in reply:
            harmless.extend(plain if id_ == self.id else (id_,))
        return harmless

    @property
    def _plain_text(self) -> str:
        return f"{self.text[:1]} {self.text[1:]}"


def find_placeholder(
    folder: Path, incremental: IncrementalTemplate, tokenizer: Tokenizer
) -> Placeholder:
    """Find the placeholder: the token that config.json names, or the only one a picture adds."""
    config = read_json(folder / "config.json", ModelConfig) or ModelConfig()
    named = config.image_token_id if config.image_token_id is not None else config.image_token_index
    ids = _encode_sample_picture(incremental, tokenizer)
    id_ = named
    if id_ is None:
        plain = Message(role="user", text=PLAIN_WORD)
        new = {*ids} - {*tokenizer.encode(incremental.render_increment("user", plain))}
        marks = [mark.id for mark in tokenizer.added_tokens if mark.id in new]
        id_ = marks[0] if len(marks) == 1 else None
    mark = next((mark for mark in tokenizer.added_tokens if mark.id == id_), None)
    return Placeholder(
        folder=str(folder),
        id=mark.id if mark else None,
        text=mark.text if mark else "",
        renders_pictures=mark is not None and ids.count(mark.id) == 1,
    )


def _encode_sample_picture(incremental: IncrementalTemplate, tokenizer: Tokenizer) -> Ids:
    """Tokenise a message with a picture; empty if the template rejects pictures."""
    try:
        shown = incremental.render_increment(
            "user", Message(role="user", text=PLAIN_WORD, picture=SAMPLE_PICTURE)
        )
    except TemplateError:
        return array("I")
    return tokenizer.encode(shown)
