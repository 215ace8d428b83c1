"""Token counts of conversations whose prompts cannot be tokenised message by message.

A template without special tokens lets the end of one message merge with the beginning of the next.
So the whole conversation is rendered each time. If the tokenizer works line by line, the counts of
lines are cached; otherwise the counts of whole texts. Both are exact.
"""

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from arena.models.chat import Message
from arena.models.tokens.chat_template import ChatTemplate, load_template
from arena.models.tokens.incremental_template import PLAIN_WORD
from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.placeholder import SAMPLE_PICTURE
from arena.models.tokens.tokenizer import Ids, Tokenizer, load_tokenizer
from scripts_mm.script import Picture

_CACHED_PROMPTS: Final = 256
"""Number of cached prompt counts: those of the seats that now fit a prompt into a context."""
_CACHED_LINES: Final = 16_384
"""Number of cached line counts, if texts are counted line by line: a few megabytes."""

_QUESTION: Final = (Message(role="user", text=PLAIN_WORD),)
_MARKER: Final = re.compile(r"<[^<>\s]+>")
"""Form of a placeholder."""
_LINE: Final = re.compile(r"\n+|[^\n]+")


class PromptTokenCounter:
    """Counter of the tokens of one model's prompts, made by `load_token_counter`."""

    def __init__(self, template: ChatTemplate, tokenizer: Tokenizer) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._image_marker = detect_image_marker(template)
        self._cached_count = lru_cache(maxsize=_CACHED_PROMPTS)(self._count_chunk)
        self._cached_line_count = lru_cache(maxsize=_CACHED_LINES)(self._count_chunk)
        self._by_line = tokenizer.is_line_based

    @property
    def template(self) -> ChatTemplate:
        """Template of the prompts."""
        return self._template

    def encode(self, messages: Sequence[Message]) -> Ids:
        """Tokenise a prompt with the generation prompt at its end, without its pictures.

        Raises `TemplateError` if the template rejects the messages.
        """
        ids: Ids = array("I")
        for chunk in self._split_at_pictures(messages):
            ids.extend(self._tokenizer.encode(chunk))
        return ids

    def count(self, messages: Sequence[Message], picture_tokens: Callable[[Picture], int]) -> int:
        """Count the tokens of the prompt; each picture has `picture_tokens` of them."""
        pictures = sum(picture_tokens(one.picture) for one in messages if one.picture is not None)
        return pictures + sum(self.count_text(chunk) for chunk in self._split_at_pictures(messages))

    def count_text(self, text: str) -> int:
        """Count the tokens of `text` without a template."""
        if not self._by_line:
            return self._cached_count(text)
        return sum(map(self._cached_line_count, _LINE.findall(text)))

    def _count_chunk(self, chunk: str) -> int:
        return len(self._tokenizer.encode(chunk))

    def _split_at_pictures(self, messages: Sequence[Message]) -> list[str]:
        """Return the texts between pictures, which the server tokenises separately."""
        text = self._template.render(messages, opened=True)
        return (
            [chunk for chunk in text.split(self._image_marker) if chunk]
            if self._image_marker
            else [text]
        )


def load_token_counter(folder: Path, *, template: Path | None = None) -> PromptTokenCounter:
    """Load the counter of a model's folder, or raise `TemplateError`.

    `template`: the chat template that its server uses instead of the folder's own.
    """
    return PromptTokenCounter(load_template(folder, source=template), load_tokenizer(folder))


def detect_reply_prefix(template: ChatTemplate) -> str:
    """Return the space with which a model begins its replies, if its template ends with a colon.

    Such a template leaves the space to the reply: most tokenizers join it with the first word.
    Raises `TemplateError` if the template rejects a question.
    """
    return " " if template.render(_QUESTION, opened=True).endswith(":") else ""


def detect_image_marker(template: ChatTemplate) -> str:
    """Return the marker of a picture; empty if the template adds no single marker for one."""
    plain = Message(role="user", text=PLAIN_WORD)
    try:
        without = template.render((plain,), opened=False)
        shown = template.render((replace(plain, picture=SAMPLE_PICTURE),), opened=False)
    except TemplateError:
        return ""
    marks = {mark for mark in _MARKER.findall(shown) if mark not in without}
    return marks.pop() if len(marks) == 1 else ""
