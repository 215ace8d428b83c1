"""A choice in one token: the token with which each option begins, and how likely each was."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from math import exp

from arena.models import wire
from arena.models.chat import Completion
from arena.models.endpoint import NO_DOOR, TOKENIZE, Endpoint
from arena.models.terms import dumped


class OptionTokens:
    """First tokens of options as an endpoint's own tokenizer gives them; each is asked for once."""

    def __init__(self, endpoint: Endpoint, lead: str = "") -> None:
        """`lead`: what a reply begins with before its words; see `stopping.Replies`."""
        self._endpoint = endpoint
        self._lead = lead
        self._first: dict[str, int | None] = {}
        self._asking = asyncio.Lock()

    async def __call__(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the token with which each option begins; None where two begin alike.

        None too where the server has no tokenizer to ask. `DownError` where it does not answer.
        Options that begin alike with the lead before them, as Chinese ones may with a token for
        the space alone, are told apart without it.
        """
        found = await self._begin([self._lead + option for option in options])
        return await self._begin(options) if found is None and self._lead else found

    async def _begin(self, texts: Sequence[str]) -> tuple[int, ...] | None:
        if any(text not in self._first for text in texts):
            async with self._asking:
                for text in texts:
                    if text not in self._first:
                        await self._ask(text)
        return told_apart([self._first.get(text) for text in texts])

    async def _ask(self, text: str) -> None:
        """Remember how `text` begins; a server that cannot tell now is asked again."""
        body = {
            "model": self._endpoint.served.model,
            "prompt": text,
            "add_special_tokens": False,
        }
        answer = await self._endpoint.post(dumped(body), TOKENIZE)
        if answer.status in NO_DOOR:
            self._first[text] = None
        if answer.status != HTTPStatus.OK:
            return
        with suppress(ValueError):
            tokens = wire.Tokenized.model_validate_json(answer.content).tokens
            self._first[text] = tokens[0] if tokens else None


def told_apart(first: Sequence[int | None]) -> tuple[int, ...] | None:
    """Return `first` if they are all known and all different."""
    known = tuple(token for token in first if token is not None)
    return known if len(set(known)) == len(first) > 0 else None


def chosen(
    completion: Completion,
    options: Sequence[str],
    first: Sequence[int],
    begins: wire.FirstToken,
) -> Completion | None:
    """Return the completion that says the whole option; None if its token is of no option.

    Probabilities are the model's own, before any temperature, as parts of what the options have
    in all. Its `ids` are empty: the one token does not spell the option, its text does.
    """
    if begins.id is None or begins.id not in first:
        return None
    return replace(
        completion,
        text=options[list(first).index(begins.id)],
        finish="stop",
        ids=(),
        probabilities=_probabilities(options, first, begins),
    )


def _probabilities(
    options: Sequence[str], first: Sequence[int], begins: wire.FirstToken
) -> tuple[tuple[str, float], ...]:
    logprobs = [begins.logprobs[token] for token in first if token in begins.logprobs]
    if len(logprobs) < len(first):
        return ()
    top = max(logprobs)
    weights = [exp(logprob - top) for logprob in logprobs]
    return tuple(
        (option, weight / sum(weights)) for option, weight in zip(options, weights, strict=True)
    )
