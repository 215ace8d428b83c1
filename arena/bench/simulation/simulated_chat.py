"""Chat model on the simulated engine in this process, for matches in virtual time."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import accumulate
from random import Random

from arena.bench.simulation.cache_bound import RequestSequence
from arena.errors import ModelError
from arena.models.chat import (
    ChoiceConstraint,
    Completion,
    Constraint,
    JsonConstraint,
    Message,
    Request,
)
from scripts_mm.script import Picture
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.prompt_segments import PromptSegment, hash_segments
from serving.engine_sim.engine_loop.engine_request import EngineRequest
from serving.engine_sim.engine_loop.sim_engine import SimEngine
from serving.errors import EngineError

FRAME_TOKENS = 8
"""Tokens of a chat template around each message."""
_SPREAD = 0.5
"""Maximum relative deviation of the length of a text."""
_BYTES_A_TOKEN = 4
_WORDS = "the lamp went out and nobody saw who left by the back door before ten since rain "


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyStyle:
    """Length of replies, in tokens of free text. The same seed and request give the same reply."""

    tokens: int
    seed: int = 0


@dataclass(slots=True, kw_only=True)
class SimulatedChat:
    """A `ChatModel` whose replies depend only on the request's id, and take the engine's time."""

    engine: SimEngine
    style: ReplyStyle
    picture_tokens: Callable[[Picture], int]
    dispatch: RequestSequence
    """Receives every request in the order in which they are sent."""
    _segments: dict[tuple[str, str, str], PromptSegment] = field(
        default_factory=dict[tuple[str, str, str], PromptSegment]
    )
    """By role, text and picture of a message."""

    async def complete(self, request: Request) -> Completion:
        """Return the completion, or raise `ModelError` if the prompt can never fit."""
        text = write_reply(request, self.style)
        output = min(count_tokens(text), request.max_tokens)
        reply = self._segment(Message(role="assistant", text=text))
        prompt = tuple(map(self._segment, request.messages))
        tokens = sum(segment.tokens for segment in prompt)
        written = PromptSegment(reply.key, output)
        job = EngineRequest(
            blocks=hash_segments((*prompt, written), self.engine.profile.block),
            tokens=tokens,
            output=output,
            priority=request.priority,
            pictures=self._place_pictures(request.messages, tokens),
        )
        self.dispatch.add(prompt, output, reply.key)
        try:
            done = await self.engine.generate(job)
        except EngineError as error:
            raise ModelError(f"the simulated engine cannot serve the request: {error}") from error
        return Completion(
            text=text,
            finish="stop",
            prompt_tokens=done.prompt_tokens,
            output_tokens=done.output_tokens,
            cached_tokens=done.cached_tokens,
            seconds=done.seconds,
            model="simulated",
        )

    def count(self, messages: Sequence[Message]) -> int:
        """Return the tokens of messages in a prompt."""
        return sum(self._segment(message).tokens for message in messages)

    def _place_pictures(
        self, messages: Sequence[Message], tokens: int
    ) -> tuple[PlacedPicture, ...]:
        """Return the pictures of a prompt of `tokens` tokens, placed together at its end."""
        pictures = [one.picture for one in messages if one.picture is not None]
        sizes = [self.picture_tokens(picture) for picture in pictures]
        starts = accumulate(sizes, initial=tokens - sum(sizes))
        return tuple(
            PlacedPicture(key=picture.sha256, start=start, tokens=size)
            for picture, start, size in zip(pictures, starts, sizes, strict=False)
        )

    def _segment(self, message: Message) -> PromptSegment:
        picture = message.picture.sha256 if message.picture else ""
        key = (message.role, message.text, picture)
        found = self._segments.get(key)
        if found is None:
            name = blake2b("\0".join(key).encode(errors="replace"), digest_size=12).hexdigest()
            # A reply's own tokens are exactly those that were generated: no frame.
            frame = 0 if message.role == "assistant" else FRAME_TOKENS
            tokens = count_tokens(message.text) + frame
            tokens += self.picture_tokens(message.picture) if message.picture else 0
            found = self._segments[key] = PromptSegment(name, tokens)
        return found


def count_tokens(text: str) -> int:
    """Return the tokens of a text, at least 1."""
    return max(1, -(-len(text.encode(errors="replace")) // _BYTES_A_TOKEN))


def write_reply(request: Request, style: ReplyStyle) -> str:
    """Return a legal reply to the request, drawn from its id."""
    chance = Random(f"{style.seed}/{request.request_id}")
    return _answer(request.constraint, chance, style)


def _answer(constraint: Constraint | None, chance: Random, style: ReplyStyle) -> str:
    if constraint is None:
        return _speech(chance, style)
    if isinstance(constraint, ChoiceConstraint):
        return constraint.options[chance.randrange(len(constraint.options))]
    if not isinstance(constraint, JsonConstraint):
        constraint = constraint.variants[chance.randrange(len(constraint.variants))]
    values: Mapping[str, str] = {
        one.name: one.options[chance.randrange(len(one.options))]
        if one.options
        else _speech(chance, style)[: one.max_chars or None]
        for one in constraint.fields
    }
    return json.dumps(values, ensure_ascii=False)


def _speech(chance: Random, style: ReplyStyle) -> str:
    factor = 1 + _SPREAD * (2 * chance.random() - 1)
    room = max(1, round(style.tokens * factor)) * _BYTES_A_TOKEN
    # 64 random bits make two speeches differ; the rest of their words does not matter.
    head = f"{chance.getrandbits(64):016x} "
    return (head + _WORDS * (room // len(_WORDS) + 1))[:room].strip()
