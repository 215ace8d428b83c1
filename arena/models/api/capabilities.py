"""Request features that not every server supports, and their names in errors.

No standard endpoint lists what a server supports, so requests start with everything. When a server
rejects one, `features_in_error` reads from the message what to drop; see `negotiation`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Feature(StrEnum):
    """Request field that some servers reject, and that can be omitted or replaced."""

    CHOICE = "structured_outputs.choice"
    OBJECT = "structured_outputs.json"
    SCHEMA = "response_format"
    UUID = "uuid"
    MAX_TOKENS = "max_tokens"
    """Older name of `max_completion_tokens`, which only new servers require. It comes first: if a
    server ignored an unknown limit, it would generate without end."""
    MEDIA_UUID_ONLY = "picture by uuid alone"
    PRIORITY = "priority"
    """Some versions reject it unless the engine schedules by priority."""
    SALT = "cache_salt"
    SINGLE_TOKEN_CHOICE = "allowed_token_ids, logprob_token_ids"  # noqa: S105 - no password
    REPLY_IDS = "return_token_ids"
    STOP = "stop"


UnsupportedFeatures = frozenset[Feature]
"""Features that a server rejects."""

ONLY_VLLM: UnsupportedFeatures = frozenset(
    {
        Feature.MEDIA_UUID_ONLY,
        Feature.PRIORITY,
        Feature.SALT,
        Feature.SINGLE_TOKEN_CHOICE,
        Feature.REPLY_IDS,
    }
)
"""Sent only to a server that identifies itself as vLLM: others may ignore unknown fields."""

_DROP_ORDER = (
    Feature.PRIORITY,
    Feature.SALT,
    Feature.REPLY_IDS,
    Feature.SINGLE_TOKEN_CHOICE,
    Feature.MEDIA_UUID_ONLY,
    Feature.UUID,
    Feature.STOP,
    Feature.CHOICE,
    Feature.OBJECT,
    Feature.SCHEMA,
)
"""Features that can be omitted, the least important first."""

_CONSTRAINT = r"structured|guided|grammar|schema"
_PATTERNS: Mapping[Feature, re.Pattern[str]] = MappingProxyType(
    {
        Feature.CHOICE: re.compile(_CONSTRAINT, re.IGNORECASE),
        Feature.OBJECT: re.compile(_CONSTRAINT, re.IGNORECASE),
        Feature.SCHEMA: re.compile(_CONSTRAINT + "|response_format", re.IGNORECASE),
        Feature.UUID: re.compile(r"\buuid\b"),
        Feature.MAX_TOKENS: re.compile(r"\bmax_tokens\b"),
        Feature.MEDIA_UUID_ONLY: re.compile(r"\bimage_url\b|\burl\b"),
        Feature.PRIORITY: re.compile(r"\bpriority\b", re.IGNORECASE),
        Feature.SALT: re.compile(r"\bcache_salt\b"),
        Feature.SINGLE_TOKEN_CHOICE: re.compile(
            r"logprobs?(?:_token_ids)?\b|\ballowed_token_ids\b"
        ),
        Feature.REPLY_IDS: re.compile(r"\breturn_token_ids\b"),
        Feature.STOP: re.compile(r"\bstop\b"),
    }
)
_UNKNOWN_FIELD = re.compile(
    r"\bextra\b|unknown|unrecogni[sz]ed|unexpected|unsupported|not (?:supported|permitted|allowed)"
    r"|additional propert",
    re.IGNORECASE,
)


def features_in_error(error: str, used: UnsupportedFeatures) -> UnsupportedFeatures:
    """Return the features in `used` that the error names; see `next_feature_to_drop` for none."""
    return frozenset(feature for feature in used if _PATTERNS[feature].search(error))


def next_feature_to_drop(error: str, used: UnsupportedFeatures) -> Feature | None:
    """Return the feature to omit next if the error reports an unknown field without its name.

    None if the error has another cause, or if nothing in `used` can be omitted.
    """
    if not _UNKNOWN_FIELD.search(error):
        return None
    return next((feature for feature in _DROP_ORDER if feature in used), None)
