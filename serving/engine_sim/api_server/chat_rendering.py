"""Render a chat into prompt text with the chat template of a model's folder."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from serving.engine_sim.api_server.request_bodies import ChatMessageBody, MessagePart
from serving.engine_sim.sim_tokenizer import END, PICTURE, START, read_json_object
from serving.errors import ProfileError

ChatRenderer = Callable[[Sequence[ChatMessageBody]], str]
"""A function of messages; returns the text, which ends with the beginning of the model's turn."""

_PICTURE: Final = f"<|vision_start|>{PICTURE}<|vision_end|>"


def load_renderer(folder: Path | None) -> ChatRenderer:
    """Return the renderer of `folder`'s chat template, or ChatML if `folder` is None.

    Raises `ProfileError` if the folder has no template, or an invalid one.
    """
    return render_chat_ml if folder is None else _build_renderer(folder, _read_template(folder))


def render_chat_ml(messages: Sequence[ChatMessageBody]) -> str:
    """Return the text of `messages` in ChatML, a picture between the vision tokens."""
    said = [
        f"{START}{message.role}\n{_render_content(message.content)}{END}\n" for message in messages
    ]
    return "".join(said) + f"{START}assistant\n"


def _render_content(content: str | list[MessagePart] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.text if part.type == "text" else _PICTURE for part in content)


def _read_template(folder: Path) -> str:
    loose = folder / "chat_template.jinja"
    if loose.is_file():
        return loose.read_text(encoding="utf-8")
    for name in ("chat_template.json", "tokenizer_config.json"):
        source = read_json_object(folder / name).get("chat_template")
        if isinstance(source, str):
            return source
    raise ProfileError(f"no chat template in {str(folder)!r}")


def _build_renderer(folder: Path, source: str) -> ChatRenderer:
    # The environment equals the one of transformers, so templates render the same text.
    world = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    world.filters["tojson"] = _to_json
    try:
        template = world.from_string(source)
    except TemplateError as error:
        raise ProfileError(f"the chat template in {str(folder)!r} is invalid: {error}") from error

    def render(messages: Sequence[ChatMessageBody]) -> str:
        spoken = [_template_message(message) for message in messages]
        return template.render(messages=spoken, add_generation_prompt=True)

    return render


def _template_message(message: ChatMessageBody) -> dict[str, Any]:
    if not isinstance(message.content, list):
        return {"role": message.role, "content": message.content or ""}
    parts = [
        {"type": "text", "text": part.text} if part.type == "text" else {"type": "image"}
        for part in message.content
    ]
    return {"role": message.role, "content": parts}


def _to_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
