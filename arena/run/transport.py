"""How an endpoint is asked: with token ids where they are exact, with messages where not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.errors import ConfigError, DownError, ModelError
from arena.models.chat import ChatModel, Message
from arena.models.endpoint import Endpoint
from arena.models.openai_http import OpenAIChat
from arena.models.outcomes import BusyError
from arena.models.retrying import Pause, back_off
from arena.models.stopping import Replies
from arena.models.token_in import TokenIn
from arena.models.tokens.counter import Counter, image_of, lead_of, read_counter
from arena.models.tokens.files import TemplateError
from arena.models.tokens.folder import model_folder
from arena.models.tokens.speller import Speller, read_speller
from arena.models.tokens.template import read_template
from arena.run.config import Transport
from scripts_mm.script import Picture

_BYTES_A_TOKEN = 3
"""Of UTF-8, English and Chinese alike; low, so that a guess is too many tokens."""
_FRAME = 8
"""Tokens that a chat template puts round a message."""

_TRIES = 5
"""To have a conversation tokenised by a server that does not answer now."""

_TRIAL = (
    Message(role="system", text="Rules: one murder, five seats."),
    Message(role="user", text="谁在花园里？ Who was there at 21:07 — Zoë?\n\n"),
    Message(role="assistant", text="Nobody, I swear… 没有人。"),
    Message(role="user", text="<b>And now?</b> 🕯️  "),
)
"""A conversation in which two models' tokenizers and templates would hardly agree by chance."""

PictureTokens = Callable[[Picture], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of an endpoint's model without asking the server."""

    picture_tokens: PictureTokens
    folder: Path | None = None
    """Where its tokenizer lies, if not where the server says."""
    template: Path | None = None
    """The chat template that its servers are given, if not the folder's own."""
    stop: tuple[str, ...] = ()
    """Texts that end its replies."""


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
    words: Callable[[str], int] | None
    """Tokens of a text by itself; None where they would be guessed."""


async def choose(
    endpoint: Endpoint,
    read: Callable[[Picture], bytes],
    *,
    wanted: Transport,
    known: Known,
    pause: Pause | None = None,
) -> Way:
    """Return how to ask `endpoint`, or raise `ConfigError` where `tokens` are wanted in vain.

    A tokenizer on this machine is believed only when the server tokenises a conversation as it
    does. It counts prompts also where it cannot spell them, because the template's messages are
    no pieces that stand alone. A server that cannot tell now is asked again after a `pause`, since
    what came of it stays the same for a whole run.
    """
    served, ask = endpoint.served, _Asking(endpoint, pause or back_off())
    teller, lacking = await _teller(ask, model_folder(served.root) or known.folder, known)
    if not served.token_in:
        lacking = lacking or "the server has no token endpoint (vLLM: --enable-scale-out)"
    if wanted == "tokens" and lacking:
        raise ConfigError(f"{endpoint.url} cannot be asked with token ids: {lacking}")
    if not isinstance(teller, Speller) or lacking or wanted == "chat":
        chat = OpenAIChat(endpoint, read, replies=replies_of(teller, known))
        name, why = "chat", lacking or "as wanted"
    else:
        chat = TokenIn(endpoint, teller, read, stop=known.stop)
        name, why = "tokens", "exact and spares the server work"
    return Way(
        name=name,
        why=why,
        chat=chat,
        count=_counted(teller, known.picture_tokens),
        exact=teller is not None,
        words=None if teller is None else teller.words,
    )


def replies_of(teller: Speller | Counter | None, known: Known) -> Replies:
    """Return how replies begin and end, told by the template alone where there is no tokenizer."""
    try:
        if isinstance(teller, Counter):
            template = teller.template
        elif known.template is not None:
            template = read_template(known.template.parent, source=known.template)
        else:
            return Replies(stop=known.stop)
        image = image_of(template)
        return Replies(lead=lead_of(template), stop=known.stop, marks=(image,) if image else ())
    except TemplateError:
        return Replies(stop=known.stop)


@dataclass(frozen=True, slots=True)
class _Asking:
    endpoint: Endpoint
    pause: Pause

    async def tokenized(self) -> tuple[int, ...] | None:
        """Return `_TRIAL` in the server's tokens; None where it does not tell them.

        One that answers with a failure each time does not tell; one that is gone is to be mended.
        """
        failed = 0
        while True:
            try:
                return await self.endpoint.tokenized(_TRIAL)
            except DownError as error:
                failed += 1
                if failed == _TRIES and isinstance(error, BusyError):
                    return None
                if failed == _TRIES:
                    raise ConfigError(
                        f"{error}; it was to tell how it tokenises (POST /tokenize) and failed "
                        f"{_TRIES} times: mend the server or start it anew"
                    ) from error
                await self.pause(failed, None)
            except ModelError:
                return None


async def _teller(
    ask: _Asking, folder: Path | None, known: Known
) -> tuple[Speller | Counter | None, str]:
    """Return who tells the tokens of a prompt, and why prompts are not spelt in tokens."""
    if folder is None:
        return None, "the model's tokenizer is not on this machine"
    teller, lacking = _read(folder, known)
    if teller is None:
        return None, lacking
    told = await ask.tokenized()
    if told is None:
        return None, "the server does not tell how it tokenises (vLLM: POST /tokenize)"
    ours = teller.spell(_TRIAL).ids if isinstance(teller, Speller) else teller.ids(_TRIAL)
    if told != tuple(ours):
        return None, f"the server tokenises otherwise than the model in {str(folder)!r}"
    return teller, lacking


def _read(folder: Path, known: Known) -> tuple[Speller | Counter | None, str]:
    if known.template is None:
        try:
            return read_speller(folder), ""
        except ConfigError as error:
            lacking = str(error)
    else:
        lacking = "the chat template that its servers are given is no pieces in tokens"
    try:
        counter = read_counter(folder, template=known.template)
        # A template that refuses these messages counts nothing.
        counter.ids(_TRIAL)
    except ConfigError as error:
        return None, lacking if known.template is None else str(error)
    return counter, lacking


def _counted(
    teller: Speller | Counter | None, picture_tokens: PictureTokens
) -> Callable[[Sequence[Message]], int]:
    def guess(messages: Sequence[Message]) -> int:
        return sum(_guess(message, picture_tokens) for message in messages)

    def count(messages: Sequence[Message]) -> int:
        try:
            return guess(messages) if teller is None else teller.count(messages, picture_tokens)
        except TemplateError:
            # Only a whole conversation that the template takes has a count of its own.
            return guess(messages)

    return count


def _guess(message: Message, picture_tokens: PictureTokens) -> int:
    text = len(message.text.encode(errors="replace")) // _BYTES_A_TOKEN + _FRAME
    return text + (picture_tokens(message.picture) if message.picture else 0)
