"""What one request may ask of its server, and what became of it."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from arena.models.capabilities import ONLY_VLLM, Feature, UnsupportedFeatures
from arena.models.chat import Request

MAX_LOGPROBS = 128
"""Of named tokens; vLLM 0.32 takes no more (sampling_params.MAX_LOGPROB_TOKEN_IDS)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestParams:
    """What one request may ask of its server."""

    unsupported: UnsupportedFeatures
    max_tokens: int
    is_vllm: bool
    """The server is known to be vLLM."""
    first_tokens: tuple[int, ...] = ()
    """Of a `OneOf`: the token with which each option begins, all different; one of them is the
    whole reply. Empty: the reply is the option itself."""
    send_all_media: bool = False
    """Every picture goes with its bytes."""
    reply_ids: bool = False
    """The server is asked for the tokens of its reply."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply: what a model says to go on with another speaker's part."""

    suspects: tuple[Feature, ...] = ()
    """Those of `refused` that this request left out on suspicion, in that order."""
    max_logprobs: int = MAX_LOGPROBS
    """More probabilities are not asked for."""

    def allows(self, feature: Feature) -> bool:
        """Return whether `feature` may be asked."""
        return feature not in self.unsupported and (self.is_vllm or feature not in ONLY_VLLM)

    def without(self, features: UnsupportedFeatures) -> Self:
        """Return the params that ask for less."""
        return replace(self, unsupported=self.unsupported | features)

    def without_suspect(self, feature: Feature) -> Self:
        """Return the params that do without `feature`, which no refusal has named."""
        return replace(self.without(frozenset({feature})), suspects=(*self.suspects, feature))

    @property
    def confirmed_unsupported(self) -> UnsupportedFeatures:
        """What the server surely refuses if it takes these params.

        Of what was left out on suspicion only the last: the others alone did not help. If one of
        them is refused as well, the next request finds it out.
        """
        return self.unsupported.difference(self.suspects[:-1])

    def uses_grammar(self, used: UnsupportedFeatures) -> bool:
        """Return whether a request that uses `used` is surely answered within a grammar."""
        return self.is_vllm and bool(used & _GRAMMAR_FEATURES)

    @property
    def is_single_token(self) -> bool:
        """Whether the reply is one token that stands for an option."""
        return bool(self.first_tokens) and self.allows(Feature.SINGLE_TOKEN_CHOICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedRequest:
    """A request as it goes out, and the features in it that a server may refuse."""

    body: bytes
    features: UnsupportedFeatures
    uuids: frozenset[str] = frozenset()
    """Content hashes of the pictures whose uuid is in it: the server can hold them."""
    uuid_only: frozenset[str] = frozenset()
    """Those of them that came without bytes: the server must hold them."""


def build_fixed_length_fields(request: Request, params: RequestParams) -> dict[str, Any]:
    """Return what makes a reply of exactly `max_tokens` tokens; empty where that is not asked."""
    if not (
        request.fixed_length and request.constraint is None and params.allows(Feature.FIXED_LENGTH)
    ):
        return {}
    return {"min_tokens": params.max_tokens, "ignore_eos": True}


def build_stop_fields(params: RequestParams, of_constraint: UnsupportedFeatures) -> dict[str, Any]:
    """Return what ends a reply at its stop strings; nothing where a grammar ends it.

    A grammar knows its end, and a stop string may well stand inside a JSON string.
    """
    if not params.stop or params.uses_grammar(of_constraint) or not params.allows(Feature.STOP):
        return {}
    return {"stop": list(params.stop)}


def build_scheduling_fields(request: Request, params: RequestParams) -> dict[str, Any]:
    """Return the request's place in the server's queue and in its prefix cache."""
    place: dict[str, Any] = {}
    if request.priority and params.allows(Feature.PRIORITY):
        place["priority"] = request.priority
    if request.cache_salt and params.allows(Feature.SALT):
        place["cache_salt"] = request.cache_salt
    return place


def find_features(fields: dict[str, Any]) -> UnsupportedFeatures:
    """Return the features that the names of `fields` stand for."""
    return frozenset(feature for name, feature in _FEATURE_OF_FIELD.items() if name in fields)


@lru_cache(maxsize=4096)
def encode_json_string(text: str) -> bytes:
    """Return a short text that is written again and again as JSON."""
    return encode_json(text)


def encode_json(value: Any) -> bytes:
    """Return `value` as compact JSON; half a character becomes a question mark.

    A person's terminal may hand over half a character; no server takes one.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")


_GRAMMAR_FEATURES = frozenset({Feature.CHOICE, Feature.OBJECT, Feature.SCHEMA})
_FEATURE_OF_FIELD = {
    "priority": Feature.PRIORITY,
    "cache_salt": Feature.SALT,
    "min_tokens": Feature.FIXED_LENGTH,
    "allowed_token_ids": Feature.SINGLE_TOKEN_CHOICE,
    "return_token_ids": Feature.REPLY_IDS,
    "stop": Feature.STOP,
}
