"""Request parameters: the allowed features of one request, and its encoded body."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from arena.models.api.capabilities import ONLY_VLLM, Feature, UnsupportedFeatures
from arena.models.chat import Request

_RESPONSE_BYTES = 256 * 1024
"""Bytes of a response besides its reply: ids, usage, 128 probabilities of about 200 bytes."""
_REPLY_TOKEN_BYTES = 128
"""Bytes of a reply token: 16 characters as JSON escapes of 6 bytes, its id, and a margin."""
_PROMPT_TOKEN_BYTES = 12
"""Bytes of the id of a prompt token."""
_LONGEST_CONTEXT = 1_000_000
"""Tokens, assumed if the server does not report its context."""

MAX_LOGPROBS = 128
"""Probabilities of named tokens, limit of vLLM 0.32 (sampling_params.MAX_LOGPROB_TOKEN_IDS)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestParams:
    """Parameters of one request; negotiation narrows them from attempt to attempt."""

    unsupported: UnsupportedFeatures
    max_tokens: int
    is_vllm: bool
    """Whether the server is known to be vLLM."""
    first_tokens: tuple[int, ...] = ()
    """For a `ChoiceConstraint`: the first token of each option, all different. The reply is one of
    these tokens. Empty: the reply is a whole option.
    """
    send_all_media: bool = False
    """Send every picture with its bytes."""
    reply_ids: bool = False
    """Request the token ids of the reply."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply, because the model would continue as another speaker."""

    suspects: tuple[Feature, ...] = ()
    """Subset of `unsupported` that this request omits on suspicion, in that order."""
    max_logprobs: int = MAX_LOGPROBS
    """Maximum probabilities per token to request."""

    def allows(self, feature: Feature) -> bool:
        """Return whether the request may use `feature`."""
        return feature not in self.unsupported and (self.is_vllm or feature not in ONLY_VLLM)

    def without(self, features: UnsupportedFeatures) -> Self:
        """Return params that omit `features`."""
        return replace(self, unsupported=self.unsupported | features)

    def without_suspect(self, feature: Feature) -> Self:
        """Return params that omit `feature` on suspicion: no error named it."""
        return replace(self.without(frozenset({feature})), suspects=(*self.suspects, feature))

    @property
    def confirmed_unsupported(self) -> UnsupportedFeatures:
        """Features that the server certainly rejects if a request with these params succeeds.

        Only the last suspect is confirmed: omitting the earlier ones did not help. If one of those
        is rejected as well, the next request shows it.
        """
        return self.unsupported.difference(self.suspects[:-1])

    def uses_grammar(self, used: UnsupportedFeatures) -> bool:
        """Return whether a request with features `used` certainly gets a reply within a grammar."""
        return self.is_vllm and bool(used & _GRAMMAR_FEATURES)

    def max_response_bytes(self, context_tokens: int | None) -> int:
        """Return the maximum bytes of a response from a server with this context."""
        # With the ids of a reply, vLLM returns those of the prompt.
        prompt = (context_tokens or _LONGEST_CONTEXT) if self.reply_ids else 0
        return _RESPONSE_BYTES + _REPLY_TOKEN_BYTES * self.max_tokens + _PROMPT_TOKEN_BYTES * prompt

    @property
    def is_single_token(self) -> bool:
        """Whether the reply is a single token that represents an option."""
        return bool(self.first_tokens) and self.allows(Feature.SINGLE_TOKEN_CHOICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedRequest:
    """Body of a request, and its features that a server may reject."""

    body: bytes
    features: UnsupportedFeatures
    uuids: frozenset[str] = frozenset()
    """Content hashes of the pictures that are sent with a uuid: the server can cache them."""
    uuid_only: frozenset[str] = frozenset()
    """Subset of `uuids` without bytes: the server must have them in its cache."""


def build_stop_fields(params: RequestParams, of_constraint: UnsupportedFeatures) -> dict[str, Any]:
    """Build the field for stop strings; empty if a grammar ends the reply.

    A grammar defines its own end, and a JSON string can contain a stop string.
    """
    if not params.stop or params.uses_grammar(of_constraint) or not params.allows(Feature.STOP):
        return {}
    return {"stop": list(params.stop)}


def build_scheduling_fields(request: Request, params: RequestParams) -> dict[str, Any]:
    """Build the fields for the server's queue (priority) and for its prefix cache (salt)."""
    fields: dict[str, Any] = {}
    if request.priority and params.allows(Feature.PRIORITY):
        fields["priority"] = request.priority
    if request.cache_salt and params.allows(Feature.SALT):
        fields["cache_salt"] = request.cache_salt
    return fields


def find_features(fields: dict[str, Any]) -> UnsupportedFeatures:
    """Return the features that `fields` use, by the fields' names."""
    return frozenset(feature for name, feature in _FEATURE_OF_FIELD.items() if name in fields)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=4096)
def encode_json_string(text: str) -> bytes:
    """Encode a short text that many requests repeat as JSON."""
    return encode_json(text)


def encode_json(value: Any) -> bytes:
    """Encode `value` as compact JSON; an unpaired surrogate becomes a question mark.

    Terminal input can contain an unpaired surrogate, and every server rejects one.
    """
    return _ENCODER.encode(value).encode(errors="replace")


_GRAMMAR_FEATURES = frozenset({Feature.CHOICE, Feature.OBJECT, Feature.SCHEMA})
_FEATURE_OF_FIELD = {
    "priority": Feature.PRIORITY,
    "cache_salt": Feature.SALT,
    "allowed_token_ids": Feature.SINGLE_TOKEN_CHOICE,
    "return_token_ids": Feature.REPLY_IDS,
    "stop": Feature.STOP,
}
