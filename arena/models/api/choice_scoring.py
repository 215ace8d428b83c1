"""Choice in a single token: the first token of each option, and the options' probabilities."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from math import exp

from arena.models.api.first_token import FirstToken
from arena.models.api.request_params import encode_json
from arena.models.chat import Completion
from arena.models.http import responses
from arena.models.http.endpoint import TOKENIZE, UNKNOWN_PATH, Endpoint
from arena.models.http.http_errors import MalformedResponseError


class OptionFirstTokens:
    """First tokens of options, from the endpoint's own tokenizer; each is requested once."""

    def __init__(self, endpoint: Endpoint, prefix: str = "") -> None:
        """Create an empty store; `prefix`: text before a reply's words (`ReplyFormat.prefix`)."""
        self._endpoint = endpoint
        self._prefix = prefix
        self._first: dict[str, int | None] = {}
        self._lock = asyncio.Lock()

    async def __call__(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the first token of each option; None if two options share one.

        None too if the server has no tokenizer endpoint. Raises `EndpointUnavailableError` if it
        does not answer. The prefix can become a separate token, as before Chinese text. Then all
        options share that token, so they are tokenised again without the prefix.
        """
        found = await self._find([self._prefix + option for option in options])
        return await self._find(options) if found is None and self._prefix else found

    async def _find(self, texts: Sequence[str]) -> tuple[int, ...] | None:
        if any(text not in self._first for text in texts):
            async with self._lock:
                for text in texts:
                    if text not in self._first:
                        await self._fetch(text)
        return if_distinct([self._first.get(text) for text in texts])

    async def _fetch(self, text: str) -> None:
        """Store the first token of `text`; after a failure, the next call queries again."""
        body = {
            "model": self._endpoint.probe_result.model,
            "prompt": text,
            "add_special_tokens": False,
        }
        response = await self._endpoint.post(encode_json(body), TOKENIZE)
        if response.status in UNKNOWN_PATH:
            self._first[text] = None
            return
        if response.status == HTTPStatus.OK:
            with suppress(ValueError):
                tokens = responses.TokenizeResponse.model_validate_json(response.content).tokens
                self._first[text] = tokens[0] if tokens else None
                self._endpoint.has_tokenized = True
                return
        # A choice that is requested in another form can have another result.
        if self._endpoint.has_tokenized:
            raise MalformedResponseError(
                f"{self._endpoint.url} should answer with tokens at {TOKENIZE}, but sent "
                f"{response.status} {self._endpoint.error_text(response)!r}"
            )


def if_distinct(first: Sequence[int | None]) -> tuple[int, ...] | None:
    """Return `first` if all tokens are known and all differ."""
    known = tuple(token for token in first if token is not None)
    return known if len(set(known)) == len(first) > 0 else None


def resolve_choice(
    completion: Completion,
    options: Sequence[str],
    first: Sequence[int],
    token: FirstToken,
) -> Completion | None:
    """Return the completion with the whole option as text; None if its token matches no option.

    Probabilities are the model's own at temperature 1, normalised over the options. `ids` are
    empty: the text is the option, but the one returned token is only its beginning.
    """
    if token.id is None or token.id not in first:
        return None
    return replace(
        completion,
        text=options[list(first).index(token.id)],
        finish="stop",
        ids=(),
        probabilities=_probabilities(options, first, token),
    )


def _probabilities(
    options: Sequence[str], first: Sequence[int], begins: FirstToken
) -> tuple[tuple[str, float], ...]:
    logprobs = [begins.logprobs[token] for token in first if token in begins.logprobs]
    if len(logprobs) < len(first):
        return ()
    top = max(logprobs)
    weights = [exp(logprob - top) for logprob in logprobs]
    return tuple(
        (option, weight / sum(weights)) for option, weight in zip(options, weights, strict=True)
    )
