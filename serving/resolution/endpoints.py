"""Externally run servers: names, URLs and keys, from ARENA_ENDPOINTS or a config."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from serving.errors import ServingError
from serving.process.server_registry import find_shared_key

ENDPOINTS_VARIABLE = "ARENA_ENDPOINTS"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEndpoint:
    """An OpenAI-compatible server. `model` is its served name, or empty: ask the server.

    The key never appears in a repr or an error. The key of this user's shared server (`arena
    serve`) is found automatically.
    """

    name: str
    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    replicas: tuple[str, ...] = ()
    """URLs of further servers of the same model, with the same key."""
    kv_tokens: int = 0
    """KV capacity of each server in tokens; 0: query the server."""
    variable_name: str = field(default="", compare=False)
    """Its name if it is an entry of ARENA_ENDPOINTS, else empty."""

    @property
    def urls(self) -> tuple[str, ...]:
        """All URLs of the model."""
        return (self.url, *self.replicas)

    def key_of(self, url: str) -> str:
        """Return the key for one of these URLs; empty if none is known."""
        return self.key or find_shared_key(url)


class _EndpointEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    url: str
    model: str = ""
    key_env: str = ""
    key: str = ""
    replicas: list[str] = []
    kv_tokens: Annotated[int, Field(ge=0)] = 0


_ENTRIES = TypeAdapter(dict[str, _EndpointEntry])


def parse_endpoints(text: str, environ: Mapping[str, str]) -> Mapping[str, NamedEndpoint]:
    """Return the endpoints in a JSON object NAME -> {"url", "model", "key_env" or "key"}.

    `environ` holds the variables that "key_env" names. Raises `ServingError` with the name and the
    field at fault, but without values, since any of them can be a key.
    """
    try:
        entries = _ENTRIES.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        at = f" at {where!r}" if where else ""
        # A message of the JSON parser can end with the input.
        said = first["msg"].partition(":")[0].lower()
        wanted = 'wanted {"NAME": {"url": ..., "model": ..., "key_env": ...}}'
        raise ServingError(f"{ENDPOINTS_VARIABLE}{at}: {said}; {wanted}") from None
    return MappingProxyType(
        {name: _endpoint(name, entry, environ) for name, entry in entries.items()}
    )


def load_endpoints(environ: Mapping[str, str]) -> Mapping[str, NamedEndpoint]:
    """Return the endpoints in ARENA_ENDPOINTS; none if it is not set."""
    text = environ.get(ENDPOINTS_VARIABLE, "").strip()
    return parse_endpoints(text, environ) if text else MappingProxyType({})


def parse_endpoint_url(text: str) -> NamedEndpoint:
    """Return the endpoint of a URL http(s)://HOST[:PORT]/v1#SERVED-NAME."""
    url, _, model = text.partition("#")
    fault = _url_problem(url)
    if fault:
        shown = repr(url) if "@" not in url else "the URL"  # a password can precede an @
        raise ServingError(f"{shown} is not a server's URL: {fault}")
    return NamedEndpoint(name=text, url=url.rstrip("/"), model=model)


def _endpoint(name: str, entry: _EndpointEntry, environ: Mapping[str, str]) -> NamedEndpoint:
    for field_name, url in (("url", entry.url), *(("replicas", url) for url in entry.replicas)):
        if fault := _url_problem(url):
            raise ServingError(f"{ENDPOINTS_VARIABLE} at '{name}.{field_name}': {fault}")
    if entry.key and entry.key_env:
        raise ServingError(f"{ENDPOINTS_VARIABLE} at {name!r}: give key or key_env, not both")
    if entry.key_env and not environ.get(entry.key_env):
        raise ServingError(
            f"{ENDPOINTS_VARIABLE} at '{name}.key_env': the variable {entry.key_env!r} is not set"
        )
    key = entry.key or environ.get(entry.key_env, "")
    return NamedEndpoint(
        name=name,
        url=entry.url.rstrip("/"),
        model=entry.model,
        key=key,
        replicas=tuple(url.rstrip("/") for url in entry.replicas),
        kv_tokens=entry.kv_tokens,
        variable_name=name,
    )


def _url_problem(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "its host or port cannot be read"
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        return "wanted http(s)://HOST[:PORT]/v1"
    if parts.username or parts.password:
        return "a key belongs into key_env, not into the URL"
    return ""
