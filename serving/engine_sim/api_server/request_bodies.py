"""Request bodies of vLLM 0.32, and the generation parameters that they hold."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class ImageUrl(BaseModel):
    """The data URL of a picture."""

    url: str


class MessagePart(BaseModel):
    """A part of a message."""

    type: str
    text: str = ""
    image_url: ImageUrl | None = None
    uuid: str | None = None


class ChatMessageBody(BaseModel):
    """A message of a chat."""

    role: str
    content: str | list[MessagePart] | None = None


class _StructuredOutputs(BaseModel):
    model_config = ConfigDict(extra="forbid")

    choice: list[str] = []
    form: dict[str, Any] | None = Field(default=None, alias="json")


class _JsonSchema(BaseModel):
    form: dict[str, Any] = Field(alias="schema")


class _ResponseFormat(BaseModel):
    type: Literal["json_schema"]
    json_schema: _JsonSchema


class _SamplingBody(BaseModel):
    max_tokens: int | None = Field(default=None, ge=1)
    min_tokens: int = Field(default=0, ge=0)
    ignore_eos: bool = False
    structured_outputs: _StructuredOutputs | None = None
    allowed_token_ids: list[int] | None = Field(default=None, min_length=1)
    logprob_token_ids: list[int] | None = None


class _RequestBody(BaseModel):
    model: str | None = None
    request_id: str = ""
    priority: int = 0
    cache_salt: str | None = None
    stream: bool | None = False


class TokenSampling(_SamplingBody):
    """The `sampling_params` of a token-in request."""

    logprobs: int | None = Field(default=None, ge=0)


class ChatBody(_SamplingBody, _RequestBody):
    """The body of POST /v1/chat/completions."""

    messages: list[ChatMessageBody] = Field(min_length=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    response_format: _ResponseFormat | None = None
    logprobs: bool | None = False
    top_logprobs: int | None = Field(default=0, ge=0)
    return_tokens_as_token_ids: bool | None = None
    return_token_ids: bool | None = None


class PicturePart(BaseModel):
    """A picture of a token-in request."""

    type: str
    url: str | None = None
    uuid: str | None = None


class TokenBody(_RequestBody):
    """The body of POST /inference/v1/generate."""

    token_ids: list[int] = Field(min_length=1)
    content_parts: list[PicturePart] | None = None
    sampling_params: TokenSampling
    output_mode: Literal["tokens", "text"] = "tokens"


class TokenizeBody(BaseModel):
    """The body of POST /tokenize: a prompt or messages."""

    prompt: str | None = None
    messages: list[ChatMessageBody] | None = None
    add_generation_prompt: Literal[True] = True


class EmbeddingBody(BaseModel):
    """The body of POST /v1/embeddings."""

    model: str | None = None
    input: str | list[str]
    encoding_format: Literal["float"] = "float"


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationParams:
    """The generation parameters of a request, the same for every endpoint."""

    max_tokens: int | None
    """Tokens; None: the rest of the context."""
    min_tokens: int
    """The least number of tokens of a reply."""
    ignore_eos: bool
    """Whether generation continues after the end token."""
    choice: tuple[str, ...] = ()
    json_schema: dict[str, Any] | None = None
    """A JSON schema."""
    allowed_token_ids: tuple[int, ...] = ()
    """The only tokens that can be sampled; empty: all."""
    top_logprobs: int | None = None
    """How many of the allowed tokens to return with their probabilities; None: none."""
    logprob_token_ids: tuple[int, ...] = ()
    """Tokens whose probabilities to return, instead of the most probable."""


def chat_params(body: ChatBody) -> GenerationParams:
    """Return the generation parameters of a chat request."""
    tops = (body.top_logprobs or 0) if body.logprobs else None
    form = body.response_format and body.response_format.json_schema.form
    return _build_params(
        body, most=body.max_completion_tokens or body.max_tokens, tops=tops, form=form
    )


def token_params(body: TokenSampling) -> GenerationParams:
    """Return the generation parameters of a token-in request."""
    return _build_params(body, most=body.max_tokens, tops=body.logprobs, form=None)


def _build_params(
    body: _SamplingBody, *, most: int | None, tops: int | None, form: dict[str, Any] | None
) -> GenerationParams:
    outputs = body.structured_outputs or _StructuredOutputs()
    return GenerationParams(
        max_tokens=most,
        min_tokens=body.min_tokens,
        ignore_eos=body.ignore_eos,
        choice=tuple(outputs.choice),
        json_schema=outputs.form or form,
        allowed_token_ids=tuple(body.allowed_token_ids or ()),
        top_logprobs=tops,
        logprob_token_ids=tuple(body.logprob_token_ids or ()),
    )
