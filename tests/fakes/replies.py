"""What the fake model says: a pure function of the request, so that two runs are the same run."""

import json
from hashlib import sha256
from typing import Any

CHARS_PER_TOKEN = 4
BLOCK_TOKENS = 16
PICTURE_TOKENS = 64

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
_CHINESE_SHARE = 0.3


def prompt_of(messages: list[dict[str, Any]]) -> str:
    """Return the text that the fake model reads; a longer conversation begins with a shorter."""
    return "".join(map(_turn, messages)) + "<assistant>"


def reply_to(body: dict[str, Any], *, unconstrained: bool = False) -> str:
    """Return the reply, which obeys the constraint unless told otherwise."""
    prompt = prompt_of(body["messages"])
    constraint = {} if unconstrained else _constraint(body)
    if "choice" in constraint:
        return _pick(prompt, "choice", constraint["choice"])
    if "json" in constraint:
        properties: dict[str, dict[str, Any]] = constraint["json"]["properties"]
        reply = {name: _value(prompt, name, form) for name, form in properties.items()}
        return json.dumps(reply, ensure_ascii=False)
    return _sentence(prompt, "")


def tokens_of(text: str) -> int:
    """Return how many tokens the fake model counts."""
    return -(-len(text) // CHARS_PER_TOKEN)


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


def _turn(message: dict[str, Any]) -> str:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return f"<{message['role']}>{''.join(map(_part, parts))}</>"


def _part(part: dict[str, Any]) -> str:
    if part["type"] == "text":
        return part["text"]
    # Fills as many tokens as a picture; the bytes alone decide, with a uuid or without.
    digest = sha256(part["image_url"]["url"].encode()).hexdigest()
    return (digest * PICTURE_TOKENS)[: PICTURE_TOKENS * CHARS_PER_TOKEN]


def _constraint(body: dict[str, Any]) -> dict[str, Any]:
    if "structured_outputs" in body:
        return body["structured_outputs"]
    if "response_format" in body:
        return {"json": body["response_format"]["json_schema"]["schema"]}
    return {}


def _value(prompt: str, name: str, form: dict[str, Any]) -> str:
    if "enum" in form:
        return _pick(prompt, name, form["enum"])
    return _sentence(prompt, name)[: form.get("maxLength")]


def _sentence(prompt: str, salt: str) -> str:
    chinese = sum("\u4e00" <= character <= "\u9fff" for character in prompt)
    if chinese > _CHINESE_SHARE * len(prompt):
        return "，".join(_pick(prompt, f"{salt}{i}", part) for i, part in enumerate(_ZH)) + "。"
    return " ".join(_pick(prompt, f"{salt}{i}", part) for i, part in enumerate(_EN)) + "."


def _pick(prompt: str, salt: str, options: list[str] | tuple[str, ...]) -> str:
    digest = sha256(f"{salt}\n{prompt}".encode()).digest()
    return options[int.from_bytes(digest[:8]) % len(options)]


def _chain(text: str) -> list[bytes]:
    size = BLOCK_TOKENS * CHARS_PER_TOKEN
    parent, chain = b"", list[bytes]()
    for start in range(0, len(text) - size + 1, size):
        parent = sha256(parent + text[start : start + size].encode()).digest()
        chain.append(parent)
    return chain
