"""Chat template of a model, rendered like in transformers 5 and vLLM 0.32."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import jinja2
import jinja2.ext
from jinja2 import nodes
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from arena.models.chat import Message
from arena.models.http.responses import one_line
from arena.models.tokens.model_files import (
    SpecialTokens,
    TemplateError,
    TemplateFile,
    TokenizerConfig,
    read_json,
    read_text,
)

_TEMPLATE_ERRORS: Final = (
    jinja2.TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Errors that a template can raise while it runs."""

_SAMPLE_WORD: Final = "Probe"


class ChatTemplate:
    """Chat template that renders messages as a prompt, made by `load_template`."""

    def __init__(
        self, source: str, *, folder: str, special_tokens: Mapping[str, str], now: datetime
    ) -> None:
        """Compile `source`, or raise `TemplateError`; `special_tokens` are texts by name.

        `now` is the time of every rendering, so that a prompt does not change with the clock.
        """
        self.folder = folder
        self._special_tokens = dict(special_tokens)
        try:
            self._compiled = _environment().from_string(
                source, globals={"raise_exception": _refuse, "strftime_now": now.strftime}
            )
        except _TEMPLATE_ERRORS as error:
            raise TemplateError(
                f"{folder!r} should have a chat template, but it cannot be compiled: "
                f"{one_line(str(error))}; fix the template"
            ) from error
        self._accepts_parts = self._detect_parts()

    def render(self, messages: Sequence[Message], *, opened: bool) -> str:
        """Render the conversation; `opened` adds the generation prompt.

        Raises `TemplateError` if the template rejects the messages.
        """
        if not messages:
            raise TemplateError(f"a prompt for {self.folder!r} must contain messages, but has none")
        try:
            return self._render(
                [self._to_template_message(message) for message in messages], opened=opened
            )
        except _TEMPLATE_ERRORS as error:
            roles = ", ".join(message.role for message in messages[-3:])
            raise TemplateError(
                f"the chat template in {self.folder!r} should render messages that end with "
                f"{roles}, but says: {one_line(str(error))}; use the chat endpoint"
            ) from error

    def _to_template_message(self, message: Message) -> dict[str, Any]:
        # As vLLM passes it to the template: text before the picture, and no empty text.
        if not self._accepts_parts:
            if message.picture is not None:
                raise ValueError("it takes no pictures")
            return {"role": message.role, "content": message.text}
        parts: list[dict[str, str]] = []
        if message.text or message.picture is None:
            parts.append({"type": "text", "text": message.text})
        if message.picture is not None:
            parts.append({"type": "image"})
        return {"role": message.role, "content": parts}

    def _detect_parts(self) -> bool:
        """Return whether the template accepts content as a list of parts.

        vLLM decides it from the syntax tree; rendering a sample gives the same result.
        """
        content = [{"type": "text", "text": _SAMPLE_WORD}]
        try:
            text = self._render([{"role": "user", "content": content}], opened=False)
        except _TEMPLATE_ERRORS:
            return False
        return (
            _SAMPLE_WORD in text and repr(content) not in text and json.dumps(content) not in text
        )

    def _render(self, conversation: list[dict[str, Any]], *, opened: bool) -> str:
        return self._compiled.render(
            messages=conversation,
            tools=None,
            documents=None,
            add_generation_prompt=opened,
            **self._special_tokens,
        )


def load_template(
    folder: Path, *, source: Path | None = None, now: datetime | None = None
) -> ChatTemplate:
    """Load the template of a model's folder, or raise `TemplateError`.

    If there are several, the one that vLLM uses: chat_template.jinja, then chat_template.json, then
    the (default) one in tokenizer_config.json. `source`: a file to use instead.
    """
    config = read_json(folder / "tokenizer_config.json", TokenizerConfig) or TokenizerConfig()
    text = read_text(source) if source else _read_source(folder, config)
    if text is None:
        raise TemplateError(f"{str(folder)!r} should have a chat template, but has none")
    words = config.texts()
    if not config.added_tokens_decoder:
        older = read_json(folder / "special_tokens_map.json", SpecialTokens) or SpecialTokens()
        words |= older.texts()
    return ChatTemplate(
        text, folder=str(folder), special_tokens=words, now=now or datetime.now().astimezone()
    )


def _read_source(folder: Path, config: TokenizerConfig) -> str | None:
    source = read_text(folder / "chat_template.jinja")
    if source is None and (file := read_json(folder / "chat_template.json", TemplateFile)):
        source = file.chat_template
    if source is not None:
        return source
    if isinstance(config.chat_template, list):
        return {named.name: named.template for named in config.chat_template}.get("default")
    return config.chat_template


def _environment() -> jinja2.Environment:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    return environment


class _Generation(jinja2.ext.Extension):
    """`{% generation %}`, which marks replies for training and changes no text."""

    tags = {"generation"}  # noqa: RUF012 - as jinja2 declares it

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


def _to_json(
    value: object,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _refuse(message: str) -> str:
    raise jinja2.TemplateError(message)
