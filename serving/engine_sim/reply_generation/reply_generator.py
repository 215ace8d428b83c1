"""The simulated model's replies: a function of a seed, the request and the script."""

import json
import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from serving.engine_sim.api_server.request_bodies import GenerationParams
from serving.engine_sim.reply_generation.canned_text import CannedText, Language
from serving.engine_sim.sim_tokenizer import SimTokenizer

TokenProbabilities = Mapping[int, float]
"""(token, probability) pairs, the most probable first."""

_LONGEST_TEXT: Final = 400
_MOST_ITEMS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedReply:
    """A reply of the simulated model."""

    text: str
    ids: "array[int]"
    """Includes the end token if the model ended its turn."""
    finish: str
    """`stop` or `length`."""
    probabilities: Sequence[TokenProbabilities] = ()
    """Candidates of the first tokens, while the model has a reported choice."""


class ReplyGenerator:
    """The reply generator. The same seed and request give the same reply."""

    def __init__(self, tokens: SimTokenizer, *, language: Language, length: int) -> None:
        self._tokens = tokens
        self._phrases = CannedText(tokens, language)
        self._length = length

    def generate(
        self, seed: bytes, wish: GenerationParams, room: int, *, said: str | None = None
    ) -> GeneratedReply:
        """Return the reply drawn from `seed`, of at most `room` tokens.

        `said` is a scripted reply; it is ignored if it is not one of the choices.
        """
        most = min(wish.max_tokens or room, room)
        chance = Random(seed)
        if wish.allowed_token_ids:
            return self._of_allowed(chance, wish, most)
        if wish.choice:
            return self._of_choice(chance, wish, most, said)
        if said is None and wish.json_schema is not None:
            said = json.dumps(
                _sample_value(wish.json_schema, chance, self._phrases), ensure_ascii=False
            )
        if said is None:
            return self._free_text(chance, wish, most)
        return self._cut(said, self._tokens.ids(said), wish, most, ())

    def _free_text(self, chance: Random, wish: GenerationParams, most: int) -> GeneratedReply:
        length = int(self._length * (0.5 + chance.random()))
        wanted = most if wish.ignore_eos else max(1, min(length, most), wish.min_tokens)
        text, ids = self._phrases.draw_sentences(chance, tokens=wanted)
        return self._cut(text, ids, wish, most, ())

    def _of_choice(
        self, chance: Random, wish: GenerationParams, most: int, said: str | None
    ) -> GeneratedReply:
        weights = {option: 0.05 + chance.random() for option in wish.choice}
        if said in weights:
            weights[said] += len(weights)
        picked = max(weights, key=lambda option: weights[option])
        spelt = {option: self._tokens.ids(option) for option in weights}
        odds = list[TokenProbabilities]()
        for place in range(len(spelt[picked]) if wish.top_logprobs is not None else 0):
            so_far = spelt[picked][:place]
            odds.append(_next_probabilities(spelt, weights, so_far, self._tokens.end))
        return self._cut(picked, spelt[picked], wish, most, odds)

    def _of_allowed(self, chance: Random, wish: GenerationParams, most: int) -> GeneratedReply:
        weights = {token: 0.05 + chance.random() for token in wish.allowed_token_ids}
        total = sum(weights.values())
        # As in vLLM, the reported probabilities are from before the other tokens are masked.
        odds = _sort_probabilities(
            {token: 0.8 * weight / total for token, weight in weights.items()}
        )
        picked = next(iter(odds))
        count = 1 if picked == self._tokens.end and not wish.ignore_eos else most
        ids = array("I", [picked]) * count
        finish = "stop" if picked == self._tokens.end and not wish.ignore_eos else "length"
        told = [odds] if wish.top_logprobs is not None else []
        return GeneratedReply(
            text=self._tokens.text(ids), ids=ids, finish=finish, probabilities=told
        )

    def _cut(
        self,
        text: str,
        ids: "array[int]",
        wish: GenerationParams,
        most: int,
        odds: Sequence[TokenProbabilities],
    ) -> GeneratedReply:
        """Return `text` cut to at most `most` tokens, ended as the request says."""
        if wish.ignore_eos:
            ids = ids + array("I", [self._tokens.end]) * (most - len(ids))
        if len(ids) >= most:
            kept = ids[:most]
            shown = text if len(ids) == most and not wish.ignore_eos else self._tokens.text(kept)
            return GeneratedReply(text=shown, ids=kept, finish="length", probabilities=odds[:most])
        return GeneratedReply(
            text=text, ids=ids + array("I", [self._tokens.end]), finish="stop", probabilities=odds
        )


def _next_probabilities(
    spelt: Mapping[str, "array[int]"],
    weights: Mapping[str, float],
    so_far: "array[int]",
    end: int,
) -> TokenProbabilities:
    """Return the next token's probabilities among the options that begin with `so_far`."""
    place, sums, total = len(so_far), dict[int, float](), 0.0
    for option, ids in spelt.items():
        if ids[:place] == so_far:
            token = ids[place] if len(ids) > place else end
            sums[token] = sums.get(token, 0.0) + weights[option]
            total += weights[option]
    return _sort_probabilities({token: weight / total for token, weight in sums.items()})


def _sort_probabilities(odds: TokenProbabilities) -> TokenProbabilities:
    return dict(sorted(odds.items(), key=lambda pair: -pair[1]))


def _sample_value(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> Any:
    """Return a value that a JSON schema allows; unsupported keywords are ignored."""
    if "anyOf" in form:
        return _sample_value(
            form["anyOf"][int(chance.random() * len(form["anyOf"]))], chance, phrases
        )
    if "const" in form:
        return form["const"]
    if "enum" in form:
        return form["enum"][int(chance.random() * len(form["enum"]))]
    make = _MAKERS.get(form.get("type", "string"), _text)
    return make(form, chance, phrases)


def _object(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> dict[str, Any]:
    inner: Mapping[str, Mapping[str, Any]] = form.get("properties", {})
    return {name: _sample_value(inner[name], chance, phrases) for name in inner}


def _array(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> list[Any]:
    count = max(form.get("minItems", 1), min(_MOST_ITEMS, form.get("maxItems", 1)))
    return [_sample_value(form.get("items", {}), chance, phrases) for _ in range(count)]


def _number(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> int:
    low = math.ceil(form.get("minimum", 0))
    return low + int(chance.random() * (form.get("maximum", low + 10) - low + 1))


def _boolean(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> bool:
    return chance.getrandbits(1) == 1


def _null(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> None:
    return None


def _text(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> str:
    return phrases.draw_sentence(chance)[: form.get("maxLength", _LONGEST_TEXT)]


_MAKERS: Final[Mapping[str, Callable[[Mapping[str, Any], Random, CannedText], Any]]] = {
    "object": _object,
    "array": _array,
    "integer": _number,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
}
