"""What the fake model says: a pure function of the request, so that two runs are the same run."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from tests.fakes.tokens import (
    CHARS_PER_TOKEN,
    PLACEHOLDER,
    shown,
    tokens_of,
)

BLOCK_TOKENS = 16

_EN = (
    ("I was in the library", "I stood at the window", "I had gone to bed", "I was in the garden"),
    ("at ten", "after supper", "when the clock struck", "until midnight"),
    ("and I saw nobody", "and I heard two voices", "and the door was open", "and it was quiet"),
)
_ZH = (
    ("我当时在书房", "我站在窗边", "我已经睡下了", "我在花园里"),
    ("那时是十点", "那是晚饭以后", "钟正好敲响", "一直到半夜"),
    ("我没有看见任何人", "我听见了两个人的声音", "门是开着的", "四周很安静"),
)
_HAN = re.compile("[\u4e00-\u9fff]")
_CHINESE_SHARE = 0.3


def prompt_of(messages: list[dict[str, Any]], pictures: list[str]) -> str:
    """Return the text that the fake model reads; a longer conversation begins with a shorter.

    `pictures` are what it reads of the pictures, in order.
    """
    left = iter(pictures)
    return "".join(_turn(message, left) for message in messages) + "<assistant>"


def prompt_of_ids(ids: list[int], pictures: list[str]) -> str:
    """Return what the fake model reads of a prompt in tokens, a placeholder for each picture."""
    left = iter(pictures)
    return "".join(next(left) if number == PLACEHOLDER else shown([number]) for number in ids)


def said(prompt: str, constraint: dict[str, Any]) -> str:
    """Return what the fake model says, obedient to the constraint."""
    if "choice" in constraint:
        return _pick(prompt, "choice", constraint["choice"])
    if "json" in constraint:
        form = constraint["json"]
        if "anyOf" in form:
            form = form["anyOf"][int.from_bytes(_digest(prompt, "anyOf")) % len(form["anyOf"])]
        properties: dict[str, dict[str, Any]] = form["properties"]
        reply = {name: _value(prompt, name, value) for name, value in properties.items()}
        return json.dumps(reply, ensure_ascii=False)
    return _sentence(prompt, "")


def logprobs_of(prompt: str, ids: list[int]) -> dict[int, float]:
    """Return how likely each of some tokens is next."""
    return {number: -1.0 - int.from_bytes(_digest(prompt, str(number))) % 50 / 10 for number in ids}


def constraint_of(body: dict[str, Any]) -> dict[str, Any]:
    """Return the structured outputs that a body, or its sampling parameters, ask for."""
    if "structured_outputs" in body:
        return body["structured_outputs"]
    if "response_format" in body:
        return {"json": body["response_format"]["json_schema"]["schema"]}
    return {}


class PrefixCache:
    """Full blocks of prompts and replies, each under the hash of all that stands before it."""

    def __init__(self) -> None:
        self._blocks: set[bytes] = set()

    def cached_tokens(self, prompt: str) -> int:
        """Return how many tokens of `prompt` are cached; the last one never is."""
        most = (tokens_of(prompt) - 1) // BLOCK_TOKENS
        known = 0
        for block in _chain(prompt)[:most]:
            if block not in self._blocks:
                break
            known += 1
        return known * BLOCK_TOKENS

    def keep(self, text: str) -> None:
        """Remember every full block of `text`."""
        self._blocks.update(_chain(text))

    def clear(self) -> None:
        """Forget everything, as a restarted engine does."""
        self._blocks.clear()


def _turn(message: dict[str, Any], pictures: Iterator[str]) -> str:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    said = [part["text"] if part["type"] == "text" else next(pictures) for part in parts]
    return f"<{message['role']}>{''.join(said)}</>"


def _value(prompt: str, name: str, form: dict[str, Any]) -> str:
    if "enum" in form:
        return _pick(prompt, name, form["enum"])
    return _sentence(prompt, name)[: form.get("maxLength")]


def _sentence(prompt: str, salt: str) -> str:
    chinese = 0 if prompt.isascii() else len(_HAN.findall(prompt))
    if chinese > _CHINESE_SHARE * len(prompt):
        return "，".join(_pick(prompt, f"{salt}{i}", part) for i, part in enumerate(_ZH)) + "。"
    return " ".join(_pick(prompt, f"{salt}{i}", part) for i, part in enumerate(_EN)) + "."


def _pick(prompt: str, salt: str, options: list[str] | tuple[str, ...]) -> str:
    return options[int.from_bytes(_digest(prompt, salt)) % len(options)]


def _digest(prompt: str, salt: str) -> bytes:
    return sha256(f"{salt}\n{prompt}".encode()).digest()[:8]


def _chain(text: str) -> list[bytes]:
    size = BLOCK_TOKENS * CHARS_PER_TOKEN
    parent, chain = b"", list[bytes]()
    for start in range(0, len(text) - size + 1, size):
        parent = sha256(parent + text[start : start + size].encode()).digest()
        chain.append(parent)
    return chain
