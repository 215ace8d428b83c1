"""How a request is written in the JSON of an OpenAI-compatible server."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from arena.models.capabilities import Feature, Refused
from arena.models.chat import Message, Request
from arena.models.constraints import constrained
from arena.models.terms import Spelt, Terms, dumped, ended, exactly, quoted, scheduled, used_in

CACHE_BYTES = 64 * 1024 * 1024
"""Of messages as JSON: about a thousand seats in the middle of their matches."""


class MessageTexts:
    """Messages as JSON, without their pictures; each is written once while it is remembered.

    Prompts only grow, so a turn writes its new messages and joins the rest.
    """

    def __init__(self, *, most_bytes: int = CACHE_BYTES) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._texts: OrderedDict[Message, bytes] = OrderedDict()

    def __call__(self, message: Message) -> bytes:
        """Return `message` as JSON; one with a picture up to the place of its picture's part."""
        text = self._texts.get(message)
        if text is not None:
            self._texts.move_to_end(message)
            return text
        text = self._texts[message] = _written(message)
        self._bytes += len(text)
        while self._bytes > self._most:
            self._bytes -= len(self._texts.popitem(last=False)[1])
        return text


def spell(
    request: Request,
    model: str,
    terms: Terms,
    urls: Mapping[str, bytes],
    texts: MessageTexts,
) -> Spelt:
    """Return `request` for the server's `model`, with nothing in it that `terms` rule out.

    `urls` are the data URLs of pictures by content hash; one that is not there goes by its uuid
    alone. Never a `seed`: vLLM's CPU build dies of it.
    """
    uuids = terms.may(Feature.UUID)
    shas = frozenset(message.picture.sha256 for message in request.messages if message.picture)
    bare = shas - urls.keys()
    fields, of_constraint = _fields(request, terms)
    used = set(of_constraint | used_in(fields))
    if terms.may(Feature.MAX_TOKENS):
        used.add(Feature.MAX_TOKENS)
    if shas and uuids:
        used.add(Feature.UUID)
    if bare:
        used.add(Feature.BARE)
    messages = b",".join(_message(message, texts, urls, uuids) for message in request.messages)
    head = b'{"model":' + quoted(model) + b',"messages":['
    return Spelt(
        body=b"".join((head, messages, b"],", dumped(fields)[1:])),
        used=frozenset(used),
        named=shas if uuids else frozenset(),
        bare=bare,
    )


def _fields(request: Request, terms: Terms) -> tuple[dict[str, Any], Refused]:
    most = 1 if terms.one_token else terms.max_tokens
    limited = terms.may(Feature.MAX_TOKENS)
    fields: dict[str, Any] = {
        "temperature": request.temperature,
        "max_tokens" if limited else "max_completion_tokens": most,
        **exactly(request, terms),
        **scheduled(request, terms),
    }
    if terms.one_token:
        return fields | _one_token(terms), frozenset()
    if terms.reply_ids and terms.may(Feature.REPLY_IDS):
        fields["return_token_ids"] = True
    constraint, of_constraint = constrained(request.constraint, terms)
    return fields | constraint | ended(terms, of_constraint), of_constraint


def _one_token(terms: Terms) -> dict[str, Any]:
    # A structured choice would also allow a first token that is shorter than the usual one, and
    # would show probabilities after its mask.
    first = list(terms.first)
    fields = {
        "allowed_token_ids": first,
        # Even where no option can be weighed: they name the token that was chosen.
        "logprobs": True,
        "top_logprobs": 0,
        "return_tokens_as_token_ids": True,
    }
    if len(first) <= terms.most_logprobs:
        fields |= {"top_logprobs": len(first), "logprob_token_ids": first}
    return fields


def _written(message: Message) -> bytes:
    # Text alone stays a string: then chat templates that know only strings see every message
    # as a function of that message alone, and a longer prompt begins with the shorter one.
    if message.picture is None:
        return dumped({"role": message.role, "content": message.text})
    text = [{"type": "text", "text": message.text}] if message.text else []
    opened = dumped({"role": message.role, "content": text})[: -len(b"]}")]
    return opened + (b"," if text else b"")


def _message(
    message: Message, texts: MessageTexts, urls: Mapping[str, bytes], uuids: bool
) -> bytes:
    text = texts(message)
    if message.picture is None:
        return text
    sha = message.picture.sha256
    url = urls.get(sha)
    image = b"null" if url is None else b'{"url":"' + url + b'"}'
    uuid = b',"uuid":' + quoted(sha) if uuids else b""
    return b"".join((text, b'{"type":"image_url","image_url":', image, uuid, b"}]}"))
