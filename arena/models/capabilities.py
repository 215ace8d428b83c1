"""What a server takes of what vLLM takes, found out by asking and remembered per endpoint."""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Feature(StrEnum):
    """A field of a request that some servers refuse, and that can be left out or replaced."""

    CHOICE = "structured_outputs.choice"
    OBJECT = "structured_outputs.json"
    SCHEMA = "response_format"
    UUID = "uuid"
    MAX_TOKENS = "max_tokens"
    """Understood by all servers but the newest, which want `max_completion_tokens`. What a server
    ignores would be a reply without end, so the older name is tried first."""
    BARE = "picture by uuid alone"
    PRIORITY = "priority"
    """Refused where the engine serves first come first, by some versions."""
    SALT = "cache_salt"
    EXACT = "min_tokens, ignore_eos"
    ONE_STEP = "allowed_token_ids, logprob_token_ids"
    REPLY_IDS = "return_token_ids"
    STOP = "stop"


Refused = frozenset[Feature]
"""What a server does not take."""

ONLY_VLLM: Refused = frozenset(
    {
        Feature.BARE,
        Feature.PRIORITY,
        Feature.SALT,
        Feature.EXACT,
        Feature.ONE_STEP,
        Feature.REPLY_IDS,
    }
)
"""Asked only of a server that says that it is vLLM: others ignore what they do not know."""

_LEAST_FIRST = (
    Feature.PRIORITY,
    Feature.SALT,
    Feature.REPLY_IDS,
    Feature.EXACT,
    Feature.ONE_STEP,
    Feature.BARE,
    Feature.UUID,
    Feature.STOP,
    Feature.CHOICE,
    Feature.OBJECT,
    Feature.SCHEMA,
)
"""What can be left out, in the order in which it is missed least."""

_CONSTRAINT = r"structured|guided|grammar|schema"
_NAMES: Mapping[Feature, re.Pattern[str]] = MappingProxyType(
    {
        Feature.CHOICE: re.compile(_CONSTRAINT, re.IGNORECASE),
        Feature.OBJECT: re.compile(_CONSTRAINT, re.IGNORECASE),
        Feature.SCHEMA: re.compile(_CONSTRAINT + "|response_format", re.IGNORECASE),
        Feature.UUID: re.compile(r"\buuid\b"),
        Feature.MAX_TOKENS: re.compile(r"\bmax_tokens\b"),
        Feature.BARE: re.compile(r"\bimage_url\b|\burl\b"),
        Feature.PRIORITY: re.compile(r"\bpriority\b", re.IGNORECASE),
        Feature.SALT: re.compile(r"\bcache_salt\b"),
        Feature.EXACT: re.compile(r"\b(?:min_tokens|ignore_eos)\b"),
        Feature.ONE_STEP: re.compile(r"logprobs?(?:_token_ids)?\b|\ballowed_token_ids\b"),
        Feature.REPLY_IDS: re.compile(r"\breturn_token_ids\b"),
        Feature.STOP: re.compile(r"\bstop\b"),
    }
)
_UNKNOWN = re.compile(
    r"\bextra\b|unknown|unrecogni[sz]ed|unexpected|unsupported|not (?:supported|permitted|allowed)"
    r"|additional propert",
    re.IGNORECASE,
)


def blamed(said: str, used: Refused) -> Refused:
    """Return which of the features in `used` the refusal `said` names; none: see `doubted`."""
    return frozenset(feature for feature in used if _NAMES[feature].search(said))


def doubted(said: str, used: Refused) -> Feature | None:
    """Return what to leave out next where `said` is that something is unknown, without a name.

    None where it is about another fault, or where nothing in `used` can be left out.
    """
    if not _UNKNOWN.search(said):
        return None
    return next((feature for feature in _LEAST_FIRST if feature in used), None)
