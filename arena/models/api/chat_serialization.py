"""Serialisation of chat requests as JSON of the OpenAI API."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from arena.models.api.capabilities import Feature, UnsupportedFeatures
from arena.models.api.constraints import build_chat_constraint
from arena.models.api.request_params import (
    EncodedRequest,
    RequestParams,
    build_scheduling_fields,
    build_stop_fields,
    encode_json,
    encode_json_string,
    find_features,
)
from arena.models.chat import Message, Request

CACHE_BYTES = 64 * 1024 * 1024
"""Size of the cached JSON: about a thousand seats in the middle of their matches."""


class MessageJsonCache:
    """LRU cache of messages as JSON, without their pictures.

    Prompts grow by appending, so a turn serialises only its new messages and joins the rest.
    """

    def __init__(self, *, max_bytes: int = CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._json: OrderedDict[Message, bytes] = OrderedDict()

    def __call__(self, message: Message) -> bytes:
        """Return `message` as JSON; with a picture, the JSON ends before the picture's part."""
        text = self._json.get(message)
        if text is not None:
            self._json.move_to_end(message)
            return text
        text = self._json[message] = _serialize_text(message)
        self._bytes += len(text)
        while self._bytes > self._max_bytes:
            self._bytes -= len(self._json.popitem(last=False)[1])
        return text


def serialize(
    request: Request,
    model: str,
    params: RequestParams,
    urls: Mapping[str, bytes],
    cache: MessageJsonCache,
) -> EncodedRequest:
    """Serialise `request` for the server's `model`, without what `params` exclude.

    `urls` are the data URLs of pictures by content hash; a picture without one is sent by its uuid
    only. There is never a `seed`, because it crashes vLLM's CPU build.
    """
    uuids = params.allows(Feature.UUID)
    shas = frozenset(message.picture.sha256 for message in request.messages if message.picture)
    bare = shas - urls.keys()
    fields, of_constraint = _build_fields(request, params)
    used = set(of_constraint | find_features(fields))
    if params.allows(Feature.MAX_TOKENS):
        used.add(Feature.MAX_TOKENS)
    if shas and uuids:
        used.add(Feature.UUID)
    if bare:
        used.add(Feature.MEDIA_UUID_ONLY)
    messages = b",".join(
        _serialize_message(message, cache, urls, uuids) for message in request.messages
    )
    head = b'{"model":' + encode_json_string(model) + b',"messages":['
    return EncodedRequest(
        body=b"".join((head, messages, b"],", encode_json(fields)[1:])),
        features=frozenset(used),
        uuids=shas if uuids else frozenset(),
        uuid_only=bare,
    )


def _build_fields(
    request: Request, params: RequestParams
) -> tuple[dict[str, Any], UnsupportedFeatures]:
    most = 1 if params.is_single_token else params.max_tokens
    limited = params.allows(Feature.MAX_TOKENS)
    fields: dict[str, Any] = {
        "temperature": request.temperature,
        "max_tokens" if limited else "max_completion_tokens": most,
        **build_scheduling_fields(request, params),
    }
    if params.is_single_token:
        return fields | _build_choice_fields(params), frozenset()
    if params.reply_ids and params.allows(Feature.REPLY_IDS):
        fields["return_token_ids"] = True
    constraint, of_constraint = build_chat_constraint(request.constraint, params)
    return fields | constraint | build_stop_fields(params, of_constraint), of_constraint


def _build_choice_fields(params: RequestParams) -> dict[str, Any]:
    # A structured choice has two faults: it also allows a first token that is shorter than the
    # tokenizer's own, and it reports probabilities after masking.
    first = list(params.first_tokens)
    fields = {
        "allowed_token_ids": first,
        # Necessary even if there are too many options to score: they name the chosen token.
        "logprobs": True,
        "top_logprobs": 0,
        "return_tokens_as_token_ids": True,
    }
    if len(first) <= params.max_logprobs:
        fields |= {"top_logprobs": len(first), "logprob_token_ids": first}
    return fields


def _serialize_text(message: Message) -> bytes:
    # A message without a picture stays a string. Then a chat template that supports only strings
    # renders every message independently of the others, and a longer prompt begins with the shorter
    # one.
    if message.picture is None:
        return encode_json({"role": message.role, "content": message.text})
    text = [{"type": "text", "text": message.text}] if message.text else []
    opened = encode_json({"role": message.role, "content": text})[: -len(b"]}")]
    return opened + (b"," if text else b"")


def _serialize_message(
    message: Message, texts: MessageJsonCache, urls: Mapping[str, bytes], uuids: bool
) -> bytes:
    text = texts(message)
    if message.picture is None:
        return text
    sha = message.picture.sha256
    url = urls.get(sha)
    image = b"null" if url is None else b'{"url":"' + url + b'"}'
    uuid = b',"uuid":' + encode_json_string(sha) if uuids else b""
    return b"".join((text, b'{"type":"image_url","image_url":', image, uuid, b"}]}"))
