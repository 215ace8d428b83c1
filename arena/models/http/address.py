"""Address of a served model: a base URL, an optional model name, an optional key."""

import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from arena.errors import ConfigError

_API_PATHS = ("/chat/completions", "/v1")
_LOWEST, _HIGHEST = "!", "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointAddress:
    """Address of a served model, made by `parse_address`. Its repr never contains the key."""

    url: str
    """Without a trailing slash and without /v1."""
    model: str | None = None
    """None: the only model that the server serves."""
    key: str | None = field(default=None, repr=False)
    endpoint: str = field(default="", compare=False)
    """Its name in ARENA_ENDPOINTS; empty: the user gave the URL."""

    def __str__(self) -> str:
        """Return the URL, with the model's name if there is one."""
        return self.url if self.model is None else f"{self.url}#{self.model}"


def parse_address(text: str, *, key: str | None = None, endpoint: str = "") -> EndpointAddress:
    """Parse `http://host:port[/v1][#model]`, or raise `ConfigError`.

    A URL with a password or a query can contain a secret: the error does not quote it.
    """
    parts = _split(text)
    if "@" in parts.netloc or parts.query:
        raise ConfigError(
            f"the URL of {parts.hostname!r} contains a password or a query; remove it and name "
            "the endpoint's key in ARENA_ENDPOINTS"
        )
    path = parts.path.rstrip("/")
    for api_path in _API_PATHS:
        path = path.removesuffix(api_path).rstrip("/")
    return EndpointAddress(
        url=f"{parts.scheme}://{parts.netloc}{path}",
        model=parts.fragment or None,
        key=_validate_key(key, str(parts.hostname)),
        endpoint=endpoint,
    )


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise ConfigError(
            f"{_redact(text)!r} is not a URL; write http://host:port/v1#model"
        ) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise ConfigError(
            f"{_redact(text)!r} is not the URL of an endpoint; write http://host:port/v1#model"
        )
    return parts


def _redact(text: str) -> str:
    return re.sub(r"//.*@", "//***@", text.strip().partition("?")[0])


def _validate_key(key: str | None, host: str) -> str | None:
    bare = (key or "").strip()
    if any(not _LOWEST <= character <= _HIGHEST for character in bare):
        raise ConfigError(
            f"the key of {host!r} contains a space or a character that is not allowed in an "
            "HTTP header"
        )
    return bare or None
