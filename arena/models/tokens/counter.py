"""How many tokens a conversation is, where its prompts cannot be spelt message by message.

A template without special tokens lets the end of one message melt into the beginning of the next,
so the whole conversation is rendered each time and its tokens are counted: by lines, which are
remembered, where the tokenizer is one whose tokens end with the line, else as a whole. Both are
exact.
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
_LINES: Final = 16_384
"""Lines that are remembered, where a text is counted line by line: a few megabytes."""

_ASKED: Final = (Message(role="user", text=WORD),)
_MARK: Final = re.compile(r"<[^<>\s]+>")
"""What a placeholder looks like."""
_LINE: Final = re.compile(r"\n+|[^\n]+")


class Counter:
    """Counts the tokens of one model's prompts. Made by `read_counter`."""

    def __init__(self, template: ChatTemplate, tokenizer: Tokenizer) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._image = image_of(template)
        self._length = lru_cache(maxsize=_REMEMBERED)(self._counted)
        self._line = lru_cache(maxsize=_LINES)(self._counted)
        self._by_line = tokenizer.ends_with_lines

    @property
    def template(self) -> ChatTemplate:
        """The template of the prompts that are counted."""
        return self._template

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
        return pictures + sum(self.words(chunk) for chunk in self._chunks(messages))

    def words(self, text: str) -> int:
        """Return the tokens of `text` by itself, without a template."""
        if not self._by_line:
            return self._length(text)
        return sum(map(self._line, _LINE.findall(text)))

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


def lead_of(template: ChatTemplate) -> str:
    """Return the space with which a model begins its replies, where its template ends with a colon.

    Such a template leaves the space to the reply: in most tokenizers it is part of its first word.
    Raises `TemplateError` where the template takes no question.
    """
    return " " if template.render(_ASKED, opened=True).endswith(":") else ""


def image_of(template: ChatTemplate) -> str:
    """Return what stands for a picture, if it is one mark; other words count beside the picture."""
    plain = Message(role="user", text=WORD)
    try:
        without = template.render((plain,), opened=False)
        shown = template.render((replace(plain, picture=SOME_PICTURE),), opened=False)
    except TemplateError:
        return ""
    marks = {mark for mark in _MARK.findall(shown) if mark not in without}
    return marks.pop() if len(marks) == 1 else ""
