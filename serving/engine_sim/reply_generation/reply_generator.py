"""The simulated model's replies: a function of a seed and the request."""

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from serving.engine_sim.api_server.request_bodies import GenerationParams
from serving.engine_sim.error_responses import RefusalError
from serving.engine_sim.reply_generation.canned_text import CannedText
from serving.engine_sim.sim_tokenizer import SimTokenizer

TokenProbabilities = Mapping[int, float]
"""Probability by token id, the most probable first."""

_LONGEST_TEXT: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedReply:
    """A reply of the simulated model."""

    text: str
    ids: "array[int]"
    """Includes the end token if the model ended its turn."""
    finish: str
    """`stop` or `length`."""
    probabilities: TokenProbabilities = field(default_factory=dict[int, float])
    """The candidates at every place, if only some tokens are allowed."""


class ReplyGenerator:
    """The reply generator. The same seed and request give the same reply."""

    def __init__(self, tokens: SimTokenizer, *, length: int) -> None:
        self._tokens = tokens
        self._phrases = CannedText(tokens)
        self._length = length

    def generate(self, seed: bytes, params: GenerationParams, room: int) -> GeneratedReply:
        """Return the reply drawn from `seed`, of at most `room` tokens."""
        most = min(params.max_tokens or room, room)
        chance = Random(seed)
        if params.allowed_token_ids:
            return self._of_allowed(chance, params, most)
        if params.structured_outputs.choice:
            return self._of_choice(chance, params, most)
        if params.structured_outputs.form is None:
            return self._free_text(chance, params, most)
        value = _sample_value(params.structured_outputs.form, chance, self._phrases)
        text = json.dumps(value, ensure_ascii=False)
        return self._cut(text, self._tokens.ids(text), params, most)

    def _free_text(self, chance: Random, params: GenerationParams, most: int) -> GeneratedReply:
        length = int(self._length * (0.5 + chance.random()))
        wanted = most if params.ignore_eos else max(1, min(length, most), params.min_tokens)
        text, ids = self._phrases.draw_sentences(chance, tokens=wanted)
        return self._cut(text, ids, params, most)

    def _of_choice(self, chance: Random, params: GenerationParams, most: int) -> GeneratedReply:
        weights = {option: 0.05 + chance.random() for option in params.structured_outputs.choice}
        picked = max(weights, key=lambda option: weights[option])
        return self._cut(picked, self._tokens.ids(picked), params, most)

    def _of_allowed(self, chance: Random, params: GenerationParams, most: int) -> GeneratedReply:
        weights = {token: 0.05 + chance.random() for token in params.allowed_token_ids or ()}
        total = sum(weights.values())
        # As in vLLM, the reported probabilities are from before the other tokens are masked.
        ranked = sorted(weights.items(), key=lambda pair: -pair[1])
        odds = {token: 0.8 * weight / total for token, weight in ranked}
        picked, _ = ranked[0]
        count = 1 if picked == self._tokens.end and not params.ignore_eos else most
        ids = array("I", [picked]) * count
        finish = "stop" if picked == self._tokens.end and not params.ignore_eos else "length"
        return GeneratedReply(
            text=self._tokens.text(ids), ids=ids, finish=finish, probabilities=odds
        )

    def _cut(
        self, text: str, ids: "array[int]", params: GenerationParams, most: int
    ) -> GeneratedReply:
        """Return `text` cut to at most `most` tokens, ended as the request says."""
        if params.ignore_eos:
            ids = ids + array("I", [self._tokens.end]) * (most - len(ids))
        if len(ids) >= most:
            kept = ids[:most]
            shown = text if len(ids) == most and not params.ignore_eos else self._tokens.text(kept)
            return GeneratedReply(text=shown, ids=kept, finish="length")
        return GeneratedReply(text=text, ids=ids + array("I", [self._tokens.end]), finish="stop")


def _sample_value(form: Mapping[str, Any], chance: Random, phrases: CannedText) -> Any:
    """Return a value that a JSON schema of objects and strings allows."""
    if "anyOf" in form:
        return _sample_value(
            form["anyOf"][int(chance.random() * len(form["anyOf"]))], chance, phrases
        )
    if "enum" in form:
        return form["enum"][int(chance.random() * len(form["enum"]))]
    match form.get("type"):
        case "object":
            inner: Mapping[str, Any] = form.get("properties", {})
            return {name: _sample_value(inner[name], chance, phrases) for name in inner}
        case "string":
            return phrases.draw_sentence(chance)[: form.get("maxLength", _LONGEST_TEXT)]
        case other:
            raise RefusalError(f"the simulated server fills objects and strings, not {other!r}")
