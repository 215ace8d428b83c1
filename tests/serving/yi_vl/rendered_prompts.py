"""Prompts of vLLM's renderer for some conversations, with the status that a server answers."""

import base64
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from vllm.engine.arg_utils import EngineArgs
from vllm.entrypoints.serve.exception_handling import error_response
from vllm.renderers import registry
from vllm.renderers.params import ChatParams

from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER

REGISTRY: Any = registry
ERRORS: Any = error_response
LITERAL = f"Type {IMAGE_PLACEHOLDER} here."
WORDS = 8_192
"""Tokens of the tiny checkpoint; the image token is the first after them."""


def picture_part() -> dict[str, Any]:
    """Return a content part with a picture, as a client sends it."""
    buffer = io.BytesIO()
    Image.new("RGB", (40, 20), "red").save(buffer, "PNG")
    data = base64.b64encode(buffer.getvalue()).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def chats() -> dict[str, list[dict[str, Any]]]:
    picture = picture_part()
    text = {"type": "text", "text": LITERAL}
    return {
        "a picture": [{"role": "user", "content": [picture]}],
        "a literal": [{"role": "user", "content": LITERAL}],
        "a literal, then a picture": [{"role": "user", "content": [text, picture]}],
        "a picture, then a literal": [{"role": "user", "content": [picture, text]}],
        "a literal in a reply": [
            {"role": "user", "content": [picture]},
            {"role": "assistant", "content": LITERAL},
            {"role": "user", "content": "Why?"},
        ],
    }


def report_prompts(folder: Path, template: str) -> dict[str, Any]:
    """Return for each conversation and prompt: status, placeholders, error."""
    config = EngineArgs(
        model=str(folder), config_format="yi_vl", tokenizer_mode="yi_vl", max_model_len=4096
    ).create_engine_config()
    renderer: Any = REGISTRY.renderer_from_config(config)
    params = ChatParams(chat_template=template)

    def chat(messages: list[dict[str, Any]]) -> Any:
        _, (prompt,) = renderer.render_chat([messages], params)
        return prompt

    def complete(prompt: dict[str, Any]) -> Any:
        (done,) = renderer.render_cmpl([prompt])
        return done

    picture = Image.new("RGB", (40, 20), "red")
    prompts = {
        "one picture": with_pictures("{0}\nWhat?", [picture]),
        "two placeholders, one picture": with_pictures("{0}{0}\nWhat?", [picture]),
        "one placeholder, two pictures": with_pictures("{0}\nWhat?", [picture, picture]),
        "no placeholder, one picture": with_pictures("What?", [picture]),
        "one placeholder, no picture": {"prompt": f"{IMAGE_PLACEHOLDER}\nWhat?"},
        "no placeholder, no picture": {"prompt": "What?"},
    }
    return {name: outcome(chat, messages) for name, messages in chats().items()} | {
        name: outcome(complete, prompt) for name, prompt in prompts.items()
    }


def with_pictures(text: str, pictures: Sequence[Image.Image]) -> dict[str, Any]:
    prompt = text.format(IMAGE_PLACEHOLDER)
    return {"prompt": prompt, "multi_modal_data": {"image": list(pictures)}}


def outcome(render: Any, request: Any) -> dict[str, Any]:
    try:
        prompt = render(request)
    except Exception as error:  # noqa: BLE001 - every error has a status
        answer = ERRORS.create_error_response(error).error
        return {"status": answer.code, "error": answer.message}
    ranges = prompt.get("mm_placeholders", {}).get("image", [])
    return {
        "status": 200,
        "tokens": prompt["prompt_token_ids"].count(WORDS),
        "ranges": [[one.offset, one.length] for one in ranges],
        "first": prompt["prompt_token_ids"].index(WORDS) if ranges else None,
    }
