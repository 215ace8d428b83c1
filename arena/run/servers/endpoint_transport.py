"""Transport of an endpoint: token ids if this machine can reproduce them, else messages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arena.errors import ConfigError, EndpointUnavailableError, ModelError
from arena.models.api.reply_format import ReplyFormat
from arena.models.chat import Message
from arena.models.http.endpoint import Endpoint
from arena.models.http.http_errors import MalformedResponseError, ServerBusyError
from arena.models.http.server_identity import SAMPLE
from arena.models.retrying import Backoff, exponential_backoff
from arena.models.tokens.chat_template import load_template
from arena.models.tokens.model_files import TemplateError, find_model_folder
from arena.models.tokens.prompt_tokenizer import (
    IncrementalPromptTokenizer,
    TokenizedPrompt,
    load_prompt_tokenizer,
)
from arena.models.tokens.token_counter import (
    PromptTokenCounter,
    detect_image_marker,
    detect_reply_prefix,
    load_token_counter,
)
from arena.records.run_config import Transport
from scripts_mm.script import Picture

_BYTES_PER_TOKEN = 3
"""UTF-8 bytes per token, assumed for English and Chinese. A low value overestimates tokens."""
_FRAME_TOKENS = 8
"""Tokens that a chat template adds around one message, assumed if unknown."""

_MAX_ATTEMPTS = 5
"""Maximum attempts to get a tokenised sample from an unavailable server."""

PictureTokens = Callable[[Picture], int]
_Tokenizer = IncrementalPromptTokenizer | PromptTokenCounter | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointHints:
    """Known properties of an endpoint's model before the server is queried."""

    picture_tokens: PictureTokens
    tokenizer_folder: Path | None = None
    """Folder of its tokenizer, used if the server names no local folder."""
    template: Path | None = None
    """The chat template that its servers use instead of the one in the folder."""
    stop: tuple[str, ...] = ()
    """Texts that end its replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTransport:
    """API of one endpoint, and the token counter of its prompts."""

    name: Literal["chat", "tokens"]
    reason: str
    """Why this API was chosen."""
    prompt_tokenizer: IncrementalPromptTokenizer | None
    """Encodes prompts as token ids; None: the chat API is used."""
    reply_format: ReplyFormat
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt."""
    exact: bool
    """Whether `count` uses the model's own tokenizer."""
    count_text: Callable[[str], int] | None
    """Tokens of a text without a message frame; None if they would be an estimate."""


async def choose_transport(
    endpoint: Endpoint,
    *,
    requested: Transport,
    hints: EndpointHints,
    backoff: Backoff | None = None,
) -> EndpointTransport:
    """Choose the API for a probed `endpoint`; `ConfigError` if `tokens` are impossible.

    A local tokenizer is trusted only if the server tokenises a sample conversation to the same ids:
    a folder of the same name can hold another model. A trusted tokenizer also counts the tokens of
    prompts that cannot be sent as ids because the template is not incremental. The choice holds for
    the whole run, so an unavailable server is queried again after a `backoff`.
    """
    served = endpoint.probe_result
    sampler = _ServerTokenizer(endpoint, backoff or exponential_backoff())
    folder = find_model_folder(served.root) or hints.tokenizer_folder
    tokenizer, obstacle = await _find_tokenizer(sampler, folder, hints)
    if not served.accepts_token_ids:
        needed = "vLLM 0.32 or later with --enable-scale-out"
        obstacle = obstacle or f"the server has no token endpoint that replies with text ({needed})"
    if requested == "tokens" and obstacle:
        raise ConfigError(f"{endpoint.url} cannot be queried with token ids: {obstacle}")
    prompt_tokenizer: IncrementalPromptTokenizer | None = None
    if isinstance(tokenizer, IncrementalPromptTokenizer) and not obstacle and requested != "chat":
        prompt_tokenizer = tokenizer
    return EndpointTransport(
        name="tokens" if prompt_tokenizer else "chat",
        reason="exact and saves the server work" if prompt_tokenizer else obstacle or "requested",
        prompt_tokenizer=prompt_tokenizer,
        reply_format=(
            # Such prompts end with a special token, so only the stop strings apply.
            ReplyFormat(stop=hints.stop)
            if prompt_tokenizer
            else detect_reply_format(tokenizer, hints)
        ),
        count=make_count(tokenizer, hints.picture_tokens),
        exact=tokenizer is not None,
        count_text=None if tokenizer is None else tokenizer.count_text,
    )


def detect_reply_format(tokenizer: _Tokenizer, hints: EndpointHints) -> ReplyFormat:
    """Detect how replies begin and end; without a tokenizer, the template suffices."""
    try:
        if isinstance(tokenizer, PromptTokenCounter):
            template = tokenizer.template
        elif hints.template is not None:
            template = load_template(hints.template.parent, source=hints.template)
        else:
            return ReplyFormat(stop=hints.stop)
        image = detect_image_marker(template)
        return ReplyFormat(
            prefix=detect_reply_prefix(template), stop=hints.stop, markers=(image,) if image else ()
        )
    except TemplateError:
        return ReplyFormat(stop=hints.stop)


@dataclass(frozen=True, slots=True)
class _ServerTokenizer:
    endpoint: Endpoint
    backoff: Backoff

    async def tokenize_sample(self) -> tuple[int, ...] | None:
        """Return the server's tokens of `SAMPLE`; None if the server does not tokenise.

        A server that answers every attempt with a failure does not tokenise. A server that does not
        answer is a `ConfigError`.
        """
        failures = 0
        while True:
            try:
                return await self.endpoint.tokenize(SAMPLE)
            except EndpointUnavailableError as error:
                failures += 1
                if failures == _MAX_ATTEMPTS and isinstance(
                    error, ServerBusyError | MalformedResponseError
                ):
                    return None
                if failures == _MAX_ATTEMPTS:
                    raise ConfigError(
                        f"{error}; POST /tokenize failed {_MAX_ATTEMPTS} times: "
                        "fix the server or restart it"
                    ) from error
                await self.backoff(failures, None)
            except ModelError:
                return None


async def _find_tokenizer(
    sampler: _ServerTokenizer, folder: Path | None, hints: EndpointHints
) -> tuple[_Tokenizer, str]:
    """Return the trusted tokenizer, and why prompts cannot be sent as token ids (empty: they can).

    The order matters: files are checked before the server is queried, because a server may take
    minutes to answer.
    """
    if folder is None:
        return None, "the model's tokenizer is not on this machine"
    tokenizer, obstacle = _load_tokenizer(folder, hints)
    if tokenizer is None:
        return None, obstacle
    server_ids = await sampler.tokenize_sample()
    if server_ids is None:
        return None, "the server does not show how it tokenises (vLLM: POST /tokenize)"
    encoded = tokenizer.encode(SAMPLE)
    local_ids = encoded.ids if isinstance(encoded, TokenizedPrompt) else encoded
    if server_ids != tuple(local_ids):
        return None, f"the server tokenises differently from the model in {str(folder)!r}"
    return tokenizer, obstacle


def _load_tokenizer(folder: Path, hints: EndpointHints) -> tuple[_Tokenizer, str]:
    if hints.template is None:
        try:
            return load_prompt_tokenizer(folder), ""
        except ConfigError as error:
            obstacle = str(error)
    else:
        obstacle = "the chat template of its servers cannot be tokenised by message"
    try:
        counter = load_token_counter(folder, template=hints.template)
        # A template that rejects the sample cannot count prompts either.
        counter.encode(SAMPLE)
    except ConfigError as error:
        return None, obstacle if hints.template is None else str(error)
    return counter, obstacle


def make_count(
    tokenizer: _Tokenizer, picture_tokens: PictureTokens
) -> Callable[[Sequence[Message]], int]:
    """Return the function that counts the tokens of messages; an estimate without a tokenizer."""

    def estimate(messages: Sequence[Message]) -> int:
        return sum(_estimate_tokens(message, picture_tokens) for message in messages)

    def count(messages: Sequence[Message]) -> int:
        try:
            if tokenizer is not None:
                return tokenizer.count(messages, picture_tokens)
        except TemplateError:
            # Callers also count parts of a conversation, which some templates reject.
            pass
        return estimate(messages)

    return count


def _estimate_tokens(message: Message, picture_tokens: PictureTokens) -> int:
    text = len(message.text.encode(errors="replace")) // _BYTES_PER_TOKEN + _FRAME_TOKENS
    return text + (picture_tokens(message.picture) if message.picture else 0)
