"""A running server as a wire, spoken to by the arena's own transports."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from arena.bench.emptying import emptied
from arena.bench.lengths import Lengths
from arena.bench.trace import Trace
from arena.bench.wires import SERVER, Answer, Call, Counts, Facts, Feature
from arena.bench.words import Words
from arena.errors import ArenaError, ConfigError, ModelError
from arena.models.address import EndpointAddress
from arena.models.capabilities import Feature as Takes
from arena.models.capabilities import UnsupportedFeatures
from arena.models.chat import CallId, ChatModel, Completion, Message, Request
from arena.models.endpoint import Endpoint, open_endpoint
from arena.models.metrics import Counters, parse_counters
from arena.models.openai_http import OpenAIChat
from arena.models.retrying import RetryingModel, exponential_backoff
from arena.models.served_model import ServedModel
from arena.models.token_api import TokenIdModel
from arena.models.tokens.model_files import find_model_folder
from arena.models.tokens.prompt_tokenizer import IncrementalPromptTokenizer, load_prompt_tokenizer
from arena.schedule.capacity import KvCapacity
from scripts_mm.script import Picture
from scripts_mm.tokens import Family, tokens
from serving.engine_sim.prompt import Prompt, Segment
from serving.profile import load_profiles

_TRIES = 4
_TRIED = Request(
    call_id=CallId(seat="nobody", request="bench/try"),
    messages=(Message(role="user", text="Say anything."),),
    max_tokens=1,
    temperature=0.0,
    priority=1,
    fixed_length=True,
    cache_salt="tried",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a server is, and what is known of it from elsewhere."""

    address: EndpointAddress
    kv_tokens: int = 0
    """Of its cache, where it does not tell; 0: nobody knows."""
    folder: Path | None = None
    """Where the model's tokenizer lies, if not where the server says."""
    requests: int = 1100
    """The most that are ever in flight."""


@asynccontextmanager
async def open_http(place: Place, trace: Trace) -> AsyncGenerator["Http"]:
    """Yield the wire to the server at `place`.

    Raises `ConfigError` where no server that could be measured answers there.
    """
    async with open_endpoint(place.address, max_requests=place.requests) as endpoint:
        served = await endpoint.probe()
        folder = find_model_folder(served.root) or place.folder
        speller, why = _speller(folder)
        wire = Http(endpoint, trace, speller)
        await wire.try_out(place.kv_tokens, why)
        yield wire


class Http:
    """A server that is asked over HTTP. Made by `open_http`."""

    def __init__(
        self, endpoint: Endpoint, trace: Trace, speller: IncrementalPromptTokenizer | None
    ) -> None:
        self._endpoint, self._speller = endpoint, speller
        self._lengths = Lengths(speller, self._picture_tokens) if speller else None
        self._models: dict[tuple[bool, bool], ChatModel] = {}
        self._words = Words(trace)
        self._facts = Facts(
            name=endpoint.served.model,
            engine=endpoint.served.engine or "unknown",
            features=frozenset(),
        )
        self._before = Counters()
        self._running: list[int] = []
        self._off = 0
        self._replays = 0
        profile = load_profiles().get(endpoint.served.model)
        self._family: Family = profile.family if profile else "qwen2.5-vl"
        self._max_pixels = profile.max_pixels if profile else None

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        return self._facts

    async def try_out(self, kv_tokens: int, why: str) -> None:
        """Find out what the server takes; `why`: there is no speller."""
        try:
            await self._model(token_in=False, media_once=True).complete(_TRIED)
        except ArenaError as error:
            raise ConfigError(f"a chat completion was to be tried: {error}") from error
        served = self._endpoint.served
        refused = self._endpoint.unsupported
        features: set[Feature] = {"chat"}
        if self._speller is not None and served.accepts_token_ids:
            features.add("token_in")
        if served.is_vllm:
            features |= {"media_once"}
            if Takes.PRIORITY not in refused:
                features.add("priority")
        size = served.kv.usable if served.kv else kv_tokens
        block = served.kv.block_tokens if served.kv else 16
        if size:
            features.add("capacity")
        salted = not await emptied(self._endpoint)
        self._facts = replace(
            self._facts,
            features=frozenset(features),
            capacity=KvCapacity(endpoint=SERVER, tokens=size, block_size=block) if size else None,
            salted=salted,
            exact=self._speller is not None,
            about=(("url", self._endpoint.url), ("context_tokens", served.context_tokens)),
            remarks=tuple(_remarks(served, refused, salted, why)),
        )

    def prompt(self, call: Call) -> Prompt:
        """Return the prompt in segments: exact with a tokenizer at hand, else as the trace says."""
        if self._lengths is None:
            return tuple(Segment(piece.key, piece.tokens) for piece in call.pieces)
        return self._lengths.prompt(call.pieces, self._spoken(call))

    async def ask(self, call: Call) -> Answer:
        """Return the answer to one turn, or raise `ModelError`."""
        request = Request(
            call_id=CallId(seat=call.seat, request=f"turn/{call.number}"),
            messages=self._spoken(call),
            max_tokens=call.output,
            temperature=0.0,
            priority=call.priority,
            fixed_length=True,
            cache_salt=f"replay-{self._replays}" if self._facts.salted else "",
        )
        model = self._model(token_in=call.token_in, media_once=call.media_once)
        done = await model.complete(request)
        if not call.taped:
            self._words.keep(call.reply, done.text, done.ids)
        self._check(call, done)
        return Answer(
            prompt_tokens=done.prompt_tokens,
            output_tokens=done.output_tokens,
            cached_tokens=done.cached_tokens,
            retries=done.retries,
        )

    async def begin(self) -> None:
        """Empty the caches, or take a new salt; what was said stays on tape for open loops."""
        self._replays += 1
        self._running.clear()
        self._off = 0
        if self._lengths is not None:
            self._lengths.forget()
        if not self._facts.salted and not await emptied(self._endpoint):
            raise ModelError("the server no longer lets its prefix cache be emptied")
        self._endpoint.media.forget()
        self._before = await self._counters() or Counters()

    async def counts(self) -> Counts:
        """Return what the server counted since `begin`."""
        after, before = await self._counters(), self._before
        off = self._off if self._lengths is not None else None
        if after is None:
            return Counts(lengths_off=off)
        return Counts(
            queries=after.prefix_queries - before.prefix_queries,
            hits=after.prefix_hits - before.prefix_hits,
            preemptions=after.preemptions - before.preemptions,
            batch_mean=fmean(self._running) if self._running else None,
            batch_most=max(self._running, default=None),
            lengths_off=off,
        )

    async def sample(self) -> None:
        """Look how many requests run."""
        counters = await self._counters()
        if counters is not None and counters.running:
            self._running.append(counters.running)

    def _check(self, call: Call, done: Completion) -> None:
        if self._lengths is not None:
            wanted = sum(segment.tokens for segment in self.prompt(call))
            self._off += wanted != done.prompt_tokens

    def _model(self, *, token_in: bool, media_once: bool) -> ChatModel:
        model = self._models.get((token_in, media_once))
        if model is None:
            endpoint, read = self._endpoint, self._words.read
            plain: ChatModel = (
                TokenIdModel(endpoint, self._speller, read, media_once=media_once)
                if token_in and self._speller is not None
                else OpenAIChat(endpoint, read, media_once=media_once)
            )
            model = RetryingModel(plain, max_attempts=_TRIES, backoff=exponential_backoff())
            self._models[token_in, media_once] = model
        return model

    def _spoken(self, call: Call) -> tuple[Message, ...]:
        return tuple(self._words.message(piece, ids=call.token_in) for piece in call.pieces)

    def _picture_tokens(self, picture: Picture) -> int:
        size = (picture.width, picture.height)
        return tokens(*size, self._family, max_pixels=self._max_pixels)

    async def _counters(self) -> Counters | None:
        text = await self._endpoint.metrics()
        return parse_counters(text) if text else None


def _speller(folder: Path | None) -> tuple[IncrementalPromptTokenizer | None, str]:
    if folder is None:
        return None, "the model's tokenizer is not on this machine"
    try:
        return load_prompt_tokenizer(folder), ""
    except ConfigError as error:
        return None, str(error)


def _remarks(
    served: ServedModel, refused: UnsupportedFeatures, salted: bool, why: str
) -> Sequence[str]:
    is_vllm, token_in = served.is_vllm, served.accepts_token_ids and not why
    told: Mapping[str, bool] = {
        "in arms without token ids a reply stands in later prompts by its words, which may be "
        "other and more or fewer tokens than were generated; in all others lengths are the "
        "trace's": True,
        "open loops quote the replies of the replay before": True,
        "batch_mean and batch_most are samples, two a second, of the requests that ran": True,
        "prompts go as messages: the server takes no token ids": not token_in,
        f"lengths of prompts are the trace's guess, bounds of the hit rate are rough and the "
        f"admission does not adapt: {why}": bool(why),
        "replies have the lengths that the model likes: only vLLM can be told": not is_vllm
        or Takes.FIXED_LENGTH in refused,
        "the prefix cache cannot be emptied: every replay has a salt of its own, and pictures "
        "stay processed": salted,
        "the server takes no salts either: caches stay warm between replays": salted
        and (not is_vllm or Takes.SALT in refused),
    }
    return [remark for remark, holds in told.items() if holds]
