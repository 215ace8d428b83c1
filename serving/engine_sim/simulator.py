"""The simulated server without HTTP: a tokenised prompt in, a reply and its cost out."""

import asyncio
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from serving.engine_sim.api_server.chat_rendering import load_renderer
from serving.engine_sim.api_server.request_bodies import (
    ChatMessageBody,
    GenerationParams,
    RequestBody,
)
from serving.engine_sim.caches.block_hashes import expand_pictures, hash_blocks, reply_seed
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.picture_cache import PictureCache, load_picture_sizer
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, SimEngine
from serving.engine_sim.error_responses import RefusalError, check_prompt_length
from serving.engine_sim.fault_injection import InjectedFaults
from serving.engine_sim.reply_generation.reply_generator import GeneratedReply, ReplyGenerator
from serving.engine_sim.sim_tokenizer import load_tokenizer
from serving.errors import EngineError, ProfileError

MAX_LOGPROBS = 20
"""The default of vLLM's --max-logprobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimOptions:
    """The options of a simulated server, besides its profile."""

    model: str = "simulated"
    """The served model name."""
    tokenizer: Path | None = None
    """A model's folder: its tokenizer, chat template and picture settings; None: words."""
    context: int | None = None
    """The most tokens of a prompt with its reply; None: the profile's."""
    kv_tokens: int | None = None
    """KV cache in tokens; None: the profile's."""
    reply_tokens: int = 24
    """The mean tokens of a reply without a limit."""
    seed: int = 0
    """The seed of all replies."""
    token_in: bool = True
    """Whether POST /inference/v1/generate exists."""
    faults: InjectedFaults = field(default_factory=InjectedFaults)
    """Faults in effect from the start."""
    key: str = field(default="", repr=False)
    """The key that every request except GET /health must send; empty: no key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimRequest:
    """A request for a reply, the same for every endpoint."""

    ids: "array[int]"
    """The prompt, with one placeholder a picture."""
    pictures: Sequence[tuple[str | None, str | None]]
    """Data URL and uuid of each."""
    params: GenerationParams
    body: RequestBody
    text_in: bool
    """Whether it arrived as text and was tokenised here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimResponse:
    """A reply and its token usage."""

    reply: GeneratedReply
    prompt: int
    """Tokens, pictures expanded."""
    cached: int


@dataclass(slots=True, kw_only=True)
class RequestStats:
    """Totals over finished requests, in tokens except `answered`."""

    answered: int = 0
    prompt: int = 0
    output: int = 0
    computed: int = 0
    """Prompt tokens that were not cached."""


class Simulator:
    """A simulated server's state. Raises `ProfileError` if its options cannot be met."""

    def __init__(self, profile: EngineProfile, options: SimOptions) -> None:
        self.profile = _apply_options(profile, options)
        self.options = options
        self.tokens = load_tokenizer(options.tokenizer)
        self.render = load_renderer(options.tokenizer)
        self.faults = InjectedFaults()
        self._replies = ReplyGenerator(self.tokens, length=options.reply_tokens)
        self._sight = load_picture_sizer(options.tokenizer)
        self.restart()
        self.inject(options.faults)

    def restart(self) -> None:
        """Start with empty caches, like a restarted server."""
        self.media = PictureCache(self._sight)
        self.core = SimEngine(self.profile)
        self.tally = RequestStats()

    def inject(self, change: InjectedFaults) -> None:
        """Inject the faults of a change."""
        self.faults.apply(change)
        if change.forget:
            self.media.forget()
            self.core.reset_processor()
        elif change.drift:
            self.media.drift()

    def tokenise_chat(self, messages: Sequence[ChatMessageBody]) -> "array[int]":
        """Return the tokens of a chat, one placeholder a picture."""
        return self.tokens.ids(self.render(messages))

    async def answer(self, asked: SimRequest) -> SimResponse:
        """Return the reply after its simulated time, or raise `RefusalError`."""
        self._check_params(asked.params)
        seen = self.media.resolve(asked.pictures)
        marked, places = expand_pictures(asked.ids, self.tokens.picture, seen)
        prompt = len(marked)
        check_prompt_length(prompt, self.profile.context_tokens)
        seed = reply_seed(self.options.seed, asked.body.request_id, marked)
        room = self.profile.context_tokens - prompt
        reply = self._replies.generate(seed, asked.params, room)
        if self.faults.seconds:
            await asyncio.sleep(self.faults.seconds)
        blocks = hash_blocks(
            marked + reply.ids, self.profile.block, salt=asked.body.cache_salt or ""
        )
        job = EngineRequest(
            blocks=blocks,
            tokens=prompt,
            output=len(reply.ids),
            priority=asked.body.priority,
            pictures=tuple(
                PlacedPicture(key=one.uuid, start=start, tokens=one.tokens)
                for one, start in zip(seen, places, strict=True)
            ),
            image_bytes=sum(len(url or "") for url, _ in asked.pictures) * 3 // 4,
            text_in=asked.text_in,
        )
        try:
            done = await self.core.generate(job)
        except EngineError as error:
            raise RefusalError(str(error)) from error
        self.tally.answered += 1
        self.tally.prompt += prompt
        self.tally.output += len(reply.ids)
        self.tally.computed += prompt - done.cached_tokens
        return SimResponse(reply=reply, prompt=prompt, cached=done.cached_tokens)

    def _check_params(self, params: GenerationParams) -> None:
        if params.top_count is not None and not params.allowed_token_ids:
            raise RefusalError(
                "the simulated server has probabilities only of allowed_token_ids", param="logprobs"
            )
        if params.top_count is not None and params.top_count > MAX_LOGPROBS:
            raise RefusalError(
                f"Requested sample logprobs of {params.top_count}, which is greater than max "
                f"allowed: {MAX_LOGPROBS} (parameter=logprobs, value={params.top_count})",
                param="logprobs",
            )
        if params.max_tokens is not None and params.min_tokens > params.max_tokens:
            raise RefusalError(
                f"min_tokens must be less than or equal to max_tokens={params.max_tokens}, got "
                f"{params.min_tokens}. (parameter=min_tokens, value={params.min_tokens})",
                param="min_tokens",
            )


def _apply_options(profile: EngineProfile, options: SimOptions) -> EngineProfile:
    """Return the profile with the options applied; the context is limited to the cache."""
    kv_tokens, block = options.kv_tokens or profile.kv_tokens, profile.block
    if kv_tokens < 2 * block:
        raise ProfileError(f"{kv_tokens} tokens of KV cache are fewer than 2 blocks of {block}")
    context = options.context or profile.context_tokens
    return replace(
        profile,
        kv_tokens=kv_tokens,
        # One block is vLLM's null block, which holds no content.
        context_tokens=min(context, (kv_tokens // block - 1) * block),
    )
