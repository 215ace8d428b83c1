"""Short ways to ask a simulated server, and a model's folder without weights to give it."""

import io
import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
from PIL import Image

from serving.standin import standin_cache
from serving.standin.bpe_tokenizer import END_OF_TURN, IMAGE, train_tokenizer

CHAT = "/v1/chat/completions"
GENERATE = "/inference/v1/generate"


def model_folder(folder: Path) -> Path:
    """Write a tokenizer, a chat template and settings into `folder` and return it."""
    tokenizer = train_tokenizer(())
    tokenizer.save(str(folder / "tokenizer.json"))
    template = (
        Path(standin_cache.__file__).with_name("chat_template.jinja").read_text(encoding="utf-8")
    )
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    written: dict[str, dict[str, Any]] = {
        "tokenizer_config.json": {"eos_token": END_OF_TURN},
        "config.json": {"image_token_id": tokenizer.token_to_id(IMAGE)},
        "preprocessor_config.json": {
            "patch_size": 14,
            "merge_size": 2,
            "min_pixels": 3136,
            "max_pixels": 200_704,
        },
    }
    for name, value in written.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder


class Asker:
    """A session with the server at `url`."""

    def __init__(self, url: str, http: aiohttp.ClientSession) -> None:
        self.url = url
        self._http = http

    async def post(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Return the status and the JSON of the answer."""
        async with self._http.post(self.url + path, json=body or {}) as answer:
            return answer.status, await answer.json()

    async def get(self, path: str) -> tuple[int, str]:
        """Return the status and the text of the answer."""
        async with self._http.get(self.url + path) as answer:
            return answer.status, await answer.text()

    async def chat(self, messages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        """Return the body of a chat completion that succeeds, with the reply's tokens."""
        body = {"messages": messages, "return_token_ids": True, **more}
        status, said = await self.post(CHAT, body)
        assert status == 200, said
        return said

    async def generate(self, ids: list[int], **sampling: Any) -> dict[str, Any]:
        """Return the body of a token-in answer that succeeds, in text."""
        body = {"token_ids": ids, "sampling_params": sampling, "output_mode": "text"}
        status, said = await self.post(GENERATE, body)
        assert status == 200, said
        return said

    async def metrics(self) -> dict[str, float]:
        """Return the samples of /metrics by name, where the name alone decides."""
        _, page = await self.get("/metrics")
        lines = [line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#")]
        return {head.partition("{")[0]: float(value) for head, value in lines}


def user(text: str) -> dict[str, Any]:
    """Return a message of the user."""
    return {"role": "user", "content": text}


def seeing(*parts: dict[str, Any], text: str = "What is this?") -> dict[str, Any]:
    """Return a message of the user with pictures."""
    return {"role": "user", "content": [{"type": "text", "text": text}, *parts]}


def png(number: int, size: tuple[int, int] = (280, 140)) -> tuple[str, str]:
    """Return a picture like no other as data URL and content hash."""
    out = io.BytesIO()
    Image.new("RGB", size, (number % 256, number // 256 % 256, 90)).save(out, "PNG")
    data = out.getvalue()
    return "data:image/png;base64," + b64encode(data).decode(), sha256(data).hexdigest()


def shown(number: int) -> dict[str, Any]:
    """Return a picture as part of a message, with its bytes."""
    url, sha = png(number)
    return {"type": "image_url", "image_url": {"url": url}, "uuid": sha}


def named(number: int) -> dict[str, Any]:
    """Return a picture as part of a message, by its uuid alone."""
    return {"type": "image_url", "image_url": None, "uuid": png(number)[1]}
