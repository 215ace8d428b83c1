"""Where a model is served: a base URL, perhaps a model's name, perhaps a key."""

import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from arena.errors import ConfigError

_FACES = ("/chat/completions", "/v1")
_LOWEST, _HIGHEST = "!", "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a model is served. Made by `read_address`; its repr never shows the key."""

    url: str
    """Without a trailing slash and without /v1."""
    model: str | None = None
    """None: the only one that the server serves."""
    key: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        """Return the URL, with the model's name where one was asked for."""
        return self.url if self.model is None else f"{self.url}#{self.model}"


def read_address(text: str, *, key: str | None = None) -> Address:
    """Return the address written as `http://host:port[/v1][#model]`, or raise `ConfigError`.

    A URL that may itself hold a secret (a password, a query) is refused without being quoted.
    """
    parts = _split(text)
    if "@" in parts.netloc or parts.query:
        raise ConfigError(
            f"the URL of {parts.hostname!r} holds a password or a query; write it without and "
            "name its key in ARENA_ENDPOINTS"
        )
    path = parts.path.rstrip("/")
    for face in _FACES:
        path = path.removesuffix(face).rstrip("/")
    return Address(
        url=f"{parts.scheme}://{parts.netloc}{path}",
        model=parts.fragment or None,
        key=_checked(key, str(parts.hostname)),
    )


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"{_shown(text)!r} is no URL; write http://host:port/v1#model") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise ConfigError(
            f"{_shown(text)!r} is no URL of an endpoint; write http://host:port/v1#model"
        )
    return parts


def _shown(text: str) -> str:
    return re.sub(r"//.*@", "//***@", text.strip().partition("?")[0])


def _checked(key: str | None, host: str) -> str | None:
    bare = (key or "").strip()
    if any(not _LOWEST <= character <= _HIGHEST for character in bare):
        raise ConfigError(
            f"the key of {host!r} holds a space or a character that no HTTP header may hold"
        )
    return bare or None
