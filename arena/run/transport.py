"""How an endpoint is asked: with token ids where they are exact, with messages where not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.errors import ConfigError
from arena.models.chat import ChatModel, Message
from arena.models.endpoint import Endpoint
from arena.models.openai_http import OpenAIChat
from arena.models.token_in import TokenIn
from arena.models.tokens.folder import model_folder
from arena.models.tokens.speller import Speller, read_speller
from arena.run.config import Transport
from scripts_mm.script import Picture

_BYTES_A_TOKEN = 3
"""Of UTF-8, English and Chinese alike; low, so that a guess is too many tokens."""
_FRAME = 8
"""Tokens that a chat template puts round a message."""

PictureTokens = Callable[[Picture], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How to ask one endpoint."""

    name: Literal["chat", "tokens"]
    why: str
    chat: ChatModel
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt."""


def choose(
    endpoint: Endpoint,
    read: Callable[[Picture], bytes],
    *,
    wanted: Transport,
    folder: Path | None,
    picture_tokens: PictureTokens,
) -> Way:
    """Return how to ask `endpoint`, or raise `ConfigError` where `tokens` are wanted in vain.

    `folder`: where the model's tokenizer lies, if not where the server says.
    """
    served = endpoint.served
    speller, lacking = _speller(model_folder(served.root) or folder)
    if not served.token_in:
        lacking = "the server has no token endpoint (vLLM: --enable-scale-out)"
    if wanted == "tokens" and lacking:
        raise ConfigError(f"{endpoint.url} cannot be asked with token ids: {lacking}")
    count = _counted(speller, picture_tokens)
    if speller is None or lacking or wanted == "chat":
        why = lacking or "as wanted"
        return Way(name="chat", why=why, chat=OpenAIChat(endpoint, read), count=count)
    tokens = TokenIn(endpoint, speller, read)
    return Way(name="tokens", why="exact and spares the server work", chat=tokens, count=count)


def _speller(folder: Path | None) -> tuple[Speller | None, str]:
    if folder is None:
        return None, "the model's tokenizer is not on this machine"
    try:
        return read_speller(folder), ""
    except ConfigError as error:
        return None, str(error)


def _counted(
    speller: Speller | None, picture_tokens: PictureTokens
) -> Callable[[Sequence[Message]], int]:
    if speller is not None:
        return lambda messages: speller.count(messages, picture_tokens)
    return lambda messages: sum(_guess(message, picture_tokens) for message in messages)


def _guess(message: Message, picture_tokens: PictureTokens) -> int:
    text = len(message.text.encode(errors="replace")) // _BYTES_A_TOKEN + _FRAME
    return text + (picture_tokens(message.picture) if message.picture else 0)
