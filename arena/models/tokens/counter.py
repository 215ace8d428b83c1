"""How many tokens a conversation is, where its prompts cannot be spelt message by message.

A template without special tokens lets the end of one message melt into the beginning of the next,
so the whole conversation is rendered and tokenised each time. That is exact, and quick enough for
the small contexts of the models that have such templates.
"""

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from arena.models.chat import Message
from arena.models.tokens.files import TemplateError
from arena.models.tokens.pieces import WORD
from arena.models.tokens.placeholder import SOME_PICTURE
from arena.models.tokens.template import ChatTemplate, read_template
from arena.models.tokens.tokenizer import Ids, Tokenizer, read_tokenizer
from scripts_mm.script import Picture

_REMEMBERED: Final = 256
"""Prompts whose tokens are remembered: those of the seats that are fitted into a context now."""

_ASKED: Final = (Message(role="user", text=WORD),)
_MARK: Final = re.compile(r"<[^<>\s]+>")
"""What a placeholder looks like."""


class Counter:
    """Counts the tokens of one model's prompts. Made by `read_counter`."""

    def __init__(self, template: ChatTemplate, tokenizer: Tokenizer) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._image = _image(template)
        self._length = lru_cache(maxsize=_REMEMBERED)(self._counted)

    @property
    def lead(self) -> str:
        """The space with which the model begins its replies, where the template ends with a colon.

        Such a template leaves the space to the reply: in most tokenizers it is part of its first
        word.
        """
        return " " if self._template.render(_ASKED, opened=True).endswith(":") else ""

    def ids(self, messages: Sequence[Message]) -> Ids:
        """Return the tokens of a prompt, opened for the reply, without those of its pictures.

        Raises `TemplateError` where the template does not take the messages.
        """
        ids: Ids = array("I")
        for chunk in self._chunks(messages):
            ids.extend(self._tokenizer.ids(chunk))
        return ids

    def count(self, messages: Sequence[Message], picture_tokens: Callable[[Picture], int]) -> int:
        """Return the tokens of the prompt where each picture is `picture_tokens` of them."""
        pictures = sum(picture_tokens(one.picture) for one in messages if one.picture is not None)
        return pictures + sum(self._length(chunk) for chunk in self._chunks(messages))

    def _counted(self, chunk: str) -> int:
        return len(self._tokenizer.ids(chunk))

    def _chunks(self, messages: Sequence[Message]) -> list[str]:
        """Return what stands between pictures, which the server tokenises each by itself."""
        text = self._template.render(messages, opened=True)
        return [chunk for chunk in text.split(self._image) if chunk] if self._image else [text]


def read_counter(folder: Path, *, template: Path | None = None) -> Counter:
    """Return the counter of a model's folder, or raise `TemplateError`.

    `template`: the chat template that its server uses, if not the folder's own.
    """
    return Counter(read_template(folder, source=template), read_tokenizer(folder))


def _image(template: ChatTemplate) -> str:
    """Return what stands for a picture, if it is one mark; other words count beside the picture."""
    plain = Message(role="user", text=WORD)
    try:
        without = template.render((plain,), opened=False)
        shown = template.render((replace(plain, picture=SOME_PICTURE),), opened=False)
    except TemplateError:
        return ""
    marks = {mark for mark in _MARK.findall(shown) if mark not in without}
    return marks.pop() if len(marks) == 1 else ""
