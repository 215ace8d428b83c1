"""How an endpoint is asked: with token ids where they are exact, with messages where not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.errors import ConfigError, ModelError
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

_TRIAL = (
    Message(role="system", text="Rules: one murder, five seats."),
    Message(role="user", text="谁在花园里？ Who was there at 21:07 — Zoë?\n\n"),
    Message(role="assistant", text="Nobody, I swear… 没有人。"),
    Message(role="user", text="<b>And now?</b> 🕯️  "),
)
"""A conversation in which two models' tokenizers and templates would hardly agree by chance."""

PictureTokens = Callable[[Picture], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How to ask one endpoint."""

    name: Literal["chat", "tokens"]
    why: str
    chat: ChatModel
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt."""
    exact: bool
    """Whether they are counted with the model's own tokenizer."""


async def choose(
    endpoint: Endpoint,
    read: Callable[[Picture], bytes],
    *,
    wanted: Transport,
    folder: Path | None,
    picture_tokens: PictureTokens,
) -> Way:
    """Return how to ask `endpoint`, or raise `ConfigError` where `tokens` are wanted in vain.

    `folder`: where the model's tokenizer lies, if not where the server says. It is believed only
    when the server tokenises a conversation as it does.
    """
    served = endpoint.served
    speller, lacking = await _speller(endpoint, model_folder(served.root) or folder)
    if not served.token_in:
        lacking = "the server has no token endpoint (vLLM: --enable-scale-out)"
    if wanted == "tokens" and lacking:
        raise ConfigError(f"{endpoint.url} cannot be asked with token ids: {lacking}")
    count, exact = _counted(speller, picture_tokens), speller is not None
    if speller is None or lacking or wanted == "chat":
        chat = OpenAIChat(endpoint, read)
        return Way(name="chat", why=lacking or "as wanted", chat=chat, count=count, exact=exact)
    tokens = TokenIn(endpoint, speller, read)
    why = "exact and spares the server work"
    return Way(name="tokens", why=why, chat=tokens, count=count, exact=True)


async def _speller(endpoint: Endpoint, folder: Path | None) -> tuple[Speller | None, str]:
    if folder is None:
        return None, "the model's tokenizer is not on this machine"
    try:
        speller = read_speller(folder)
    except ConfigError as error:
        return None, str(error)
    try:
        told = await endpoint.tokenized(_TRIAL)
    except ModelError:
        told = None
    if told is None:
        return None, "the server does not tell how it tokenises (vLLM: POST /tokenize)"
    if told != tuple(speller.spell(_TRIAL).ids):
        return None, f"the server tokenises otherwise than the model in {str(folder)!r}"
    return speller, ""


def _counted(
    speller: Speller | None, picture_tokens: PictureTokens
) -> Callable[[Sequence[Message]], int]:
    if speller is not None:
        return lambda messages: speller.count(messages, picture_tokens)
    return lambda messages: sum(_guess(message, picture_tokens) for message in messages)


def _guess(message: Message, picture_tokens: PictureTokens) -> int:
    text = len(message.text.encode(errors="replace")) // _BYTES_A_TOKEN + _FRAME
    return text + (picture_tokens(message.picture) if message.picture else 0)
