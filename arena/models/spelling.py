"""How a request is written in the JSON of an OpenAI-compatible server."""

import json
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arena.models.capabilities import Feature, Refused
from arena.models.chat import Constraint, Field, Fields, Message, OneOf, Request
from scripts_mm.script import Picture

CACHE_CHARS = 128 * 1024 * 1024
"""Of base64 text: about a hundred large pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What one request may ask of its server."""

    refused: Refused
    max_tokens: int
    native: bool
    """The server is known to be vLLM."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelt:
    """A request as it goes out, and the features in it that a server may refuse."""

    body: bytes
    used: Refused


class DataUrls:
    """Pictures as data URLs; the bytes of each are read once while they stay in the cache."""

    def __init__(self, read: Callable[[Picture], bytes], *, most_chars: int = CACHE_CHARS) -> None:
        self._read = read
        self._most = most_chars
        self._chars = 0
        self._urls: OrderedDict[str, str] = OrderedDict()

    def __call__(self, picture: Picture) -> str:
        """Return the data URL of `picture`; errors are those of `read`."""
        if picture.sha256 in self._urls:
            self._urls.move_to_end(picture.sha256)
            return self._urls[picture.sha256]
        url = f"data:{picture.mime};base64,{b64encode(self._read(picture)).decode()}"
        self._urls[picture.sha256] = url
        self._chars += len(url)
        while self._chars > self._most:
            self._chars -= len(self._urls.popitem(last=False)[1])
        return url


def spell(request: Request, model: str, terms: Terms, data_url: Callable[[Picture], str]) -> Spelt:
    """Return `request` for the server's `model`, with nothing in it that `terms` rule out.

    Never a `seed`: vLLM's CPU build dies of it.
    """
    uuids = Feature.UUID not in terms.refused
    constraint, of_constraint = _constraint(request.constraint, terms)
    limited = Feature.MAX_TOKENS not in terms.refused
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, data_url, uuids=uuids) for message in request.messages],
        "temperature": request.temperature,
        "max_tokens" if limited else "max_completion_tokens": terms.max_tokens,
        **constraint,
    }
    used = set(of_constraint)
    if uuids and any(message.picture for message in request.messages):
        used.add(Feature.UUID)
    if limited:
        used.add(Feature.MAX_TOKENS)
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    # A person's terminal may hand over half a character; no server takes one.
    return Spelt(body=text.encode(errors="replace"), used=frozenset(used))


def _message(
    message: Message, data_url: Callable[[Picture], str], *, uuids: bool
) -> dict[str, Any]:
    # Text alone stays a string: then chat templates that know only strings see every message
    # as a function of that message alone, and a longer prompt begins with the shorter one.
    if message.picture is None:
        return {"role": message.role, "content": message.text}
    image: dict[str, Any] = {
        "type": "image_url",
        "image_url": {"url": data_url(message.picture)},
    }
    if uuids:
        image["uuid"] = message.picture.sha256
    text = [{"type": "text", "text": message.text}] if message.text else []
    return {"role": message.role, "content": [*text, image]}


def _constraint(constraint: Constraint | None, terms: Terms) -> tuple[dict[str, Any], Refused]:
    match constraint:
        case None:
            return {}, frozenset()
        case OneOf(options=options):
            if Feature.CHOICE in terms.refused:
                return {}, frozenset()
            return {"structured_outputs": {"choice": list(options)}}, frozenset({Feature.CHOICE})
        case Fields():
            return _object(schema(constraint), terms)


def _object(form: dict[str, Any], terms: Terms) -> tuple[dict[str, Any], Refused]:
    spellings: dict[Feature, dict[str, Any]] = {
        Feature.OBJECT: {"structured_outputs": {"json": form}},
        Feature.SCHEMA: {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": form},
            }
        },
    }
    # Most servers ignore a field that they do not know, and then nothing shows that vLLM's own
    # spelling had no effect; so it comes first only where vLLM is known to answer.
    order = (Feature.OBJECT, Feature.SCHEMA) if terms.native else (Feature.SCHEMA, Feature.OBJECT)
    for feature in order:
        if feature not in terms.refused:
            return spellings[feature], frozenset({feature})
    return {}, frozenset()


def schema(fields: Fields) -> dict[str, Any]:
    """Return the JSON Schema of a reply that is an object with exactly these properties."""
    return {
        "type": "object",
        "properties": {field.name: _property(field) for field in fields.fields},
        "required": [field.name for field in fields.fields],
        "additionalProperties": False,
    }


def _property(field: Field) -> dict[str, Any]:
    if field.options:
        return {"type": "string", "enum": list(field.options)}
    longest = {"maxLength": field.max_chars} if field.max_chars else {}
    return {"type": "string", "minLength": 1, **longest}
