"""What one request may ask of its server, and what became of it."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from arena.models.capabilities import ONLY_VLLM, Feature, Refused
from arena.models.chat import Request

MOST_LOGPROBS = 128
"""Of named tokens; vLLM 0.32 takes no more (sampling_params.MAX_LOGPROB_TOKEN_IDS)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What one request may ask of its server."""

    refused: Refused
    max_tokens: int
    native: bool
    """The server is known to be vLLM."""
    first: tuple[int, ...] = ()
    """Of a `OneOf`: the token with which each option begins, all different; one of them is the
    whole reply. Empty: the reply is the option itself."""
    whole: bool = False
    """Every picture goes with its bytes."""
    reply_ids: bool = False
    """The server is asked for the tokens of its reply."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply: what a model says to go on with another speaker's part."""

    doubted: tuple[Feature, ...] = ()
    """Those of `refused` that this request left out on suspicion, in that order."""
    most_logprobs: int = MOST_LOGPROBS
    """More probabilities are not asked for."""

    def may(self, feature: Feature) -> bool:
        """Return whether `feature` may be asked."""
        return feature not in self.refused and (self.native or feature not in ONLY_VLLM)

    def without(self, features: Refused) -> Self:
        """Return the terms that ask for less."""
        return replace(self, refused=self.refused | features)

    def guessing(self, feature: Feature) -> Self:
        """Return the terms that do without `feature`, which no refusal has named."""
        return replace(self.without(frozenset({feature})), doubted=(*self.doubted, feature))

    @property
    def lesson(self) -> Refused:
        """What the server surely refuses if it takes these terms.

        Of what was left out on suspicion only the last: the others alone did not help. If one of
        them is refused as well, the next request finds it out.
        """
        return self.refused.difference(self.doubted[:-1])

    def grammar(self, used: Refused) -> bool:
        """Return whether a request that uses `used` is surely answered within a grammar."""
        return self.native and bool(used & _GRAMMARS)

    @property
    def one_token(self) -> bool:
        """Whether the reply is one token that stands for an option."""
        return bool(self.first) and self.may(Feature.ONE_STEP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelt:
    """A request as it goes out, and the features in it that a server may refuse."""

    body: bytes
    used: Refused
    named: frozenset[str] = frozenset()
    """Content hashes of the pictures whose uuid is in it: the server can hold them."""
    bare: frozenset[str] = frozenset()
    """Those of them that came without bytes: the server must hold them."""


def exactly(request: Request, terms: Terms) -> dict[str, Any]:
    """Return what makes a reply of exactly `max_tokens` tokens; empty where that is not asked."""
    if not (request.exact and request.constraint is None and terms.may(Feature.EXACT)):
        return {}
    return {"min_tokens": terms.max_tokens, "ignore_eos": True}


def ended(terms: Terms, of_constraint: Refused) -> dict[str, Any]:
    """Return what ends a reply at its stop strings; nothing where a grammar ends it.

    A grammar knows its end, and a stop string may well stand inside a JSON string.
    """
    if not terms.stop or terms.grammar(of_constraint) or not terms.may(Feature.STOP):
        return {}
    return {"stop": list(terms.stop)}


def scheduled(request: Request, terms: Terms) -> dict[str, Any]:
    """Return the request's place in the server's queue and in its prefix cache."""
    place: dict[str, Any] = {}
    if request.priority and terms.may(Feature.PRIORITY):
        place["priority"] = request.priority
    if request.salt and terms.may(Feature.SALT):
        place["cache_salt"] = request.salt
    return place


def used_in(fields: dict[str, Any]) -> Refused:
    """Return the features that the names of `fields` stand for."""
    return frozenset(feature for name, feature in _OF_NAME.items() if name in fields)


@lru_cache(maxsize=4096)
def quoted(text: str) -> bytes:
    """Return a short text that is written again and again as JSON."""
    return dumped(text)


def dumped(value: Any) -> bytes:
    """Return `value` as compact JSON; half a character becomes a question mark.

    A person's terminal may hand over half a character; no server takes one.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")


_GRAMMARS = frozenset({Feature.CHOICE, Feature.OBJECT, Feature.SCHEMA})
_OF_NAME = {
    "priority": Feature.PRIORITY,
    "cache_salt": Feature.SALT,
    "min_tokens": Feature.EXACT,
    "allowed_token_ids": Feature.ONE_STEP,
    "return_token_ids": Feature.REPLY_IDS,
    "stop": Feature.STOP,
}
