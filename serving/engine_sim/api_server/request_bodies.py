"""Request bodies of vLLM 0.32."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


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


class StructuredOutputs(BaseModel):
    """The only replies that are allowed: one of `choice`, or an instance of a JSON schema."""

    model_config = ConfigDict(extra="forbid")

    choice: list[str] = []
    form: dict[str, Any] | None = Field(default=None, alias="json")


class _JsonSchema(BaseModel):
    form: dict[str, Any] = Field(alias="schema")


class _ResponseFormat(BaseModel):
    type: Literal["json_schema"]
    json_schema: _JsonSchema


class GenerationParams(BaseModel):
    """The generation parameters that requests of both kinds have."""

    max_tokens: int | None = Field(default=None, ge=1)
    """Tokens; None: the rest of the context."""
    min_tokens: int = Field(default=0, ge=0)
    """The least number of tokens of a reply."""
    ignore_eos: bool = False
    """Whether generation continues after the end token."""
    structured_outputs: Annotated[StructuredOutputs, BeforeValidator(lambda given: given or {})] = (
        Field(default_factory=StructuredOutputs)
    )
    allowed_token_ids: list[int] | None = Field(default=None, min_length=1)
    """The only tokens that can be sampled; None: all."""
    logprob_token_ids: list[int] | None = None
    """Tokens whose probabilities to return, instead of the most probable."""
    top_count: int | None = None
    """How many of the allowed tokens to return with their probabilities; None: none."""


class RequestBody(BaseModel):
    """What all requests for a reply have."""

    model: str | None = None
    request_id: str = ""
    """The seed of the reply; empty: the prompt is the seed."""
    priority: int = 0
    cache_salt: str | None = None
    stream: bool | None = False


class TokenSampling(GenerationParams):
    """The `sampling_params` of a token-in request."""

    top_count: int | None = Field(default=None, ge=0, alias="logprobs")


class ChatBody(GenerationParams, RequestBody):
    """The body of POST /v1/chat/completions."""

    messages: list[ChatMessageBody] = Field(min_length=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    response_format: _ResponseFormat | None = None
    logprobs: bool | None = False
    top_logprobs: int | None = Field(default=0, ge=0)
    return_tokens_as_token_ids: bool | None = None
    return_token_ids: bool | None = None

    @model_validator(mode="after")
    def merge_fields(self) -> Self:
        """Set the common fields from those that only a chat has."""
        self.max_tokens = self.max_completion_tokens or self.max_tokens
        self.top_count = (self.top_logprobs or 0) if self.logprobs else None
        if self.response_format is not None and self.structured_outputs.form is None:
            self.structured_outputs.form = self.response_format.json_schema.form
        return self


class PicturePart(BaseModel):
    """A picture of a token-in request."""

    type: str
    url: str | None = None
    uuid: str | None = None


class TokenBody(RequestBody):
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


class EmbeddingBody(RequestBody):
    """The body of POST /v1/embeddings."""

    input: str | list[str]
    encoding_format: Literal["float"] = "float"
