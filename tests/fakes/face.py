"""The face of the fake server: what it answers at each door, and what it notes."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from aiohttp import web

from arena.models.chat import Message
from tests.fakes.faults import ContextWords, Faults, too_long
from tests.fakes.pictures import MediaCache, MissError
from tests.fakes.questions import Question, read_chat, read_generate
from tests.fakes.replies import PrefixCache
from tests.fakes.talking import reply_to
from tests.fakes.tokens import FakePromptTokenizer, ids_of, tokens_of

_GENERATE = "/inference/v1/generate"


async def live_on() -> None:
    """Stand in until the server runs and can really end."""


@dataclass(slots=True, kw_only=True)
class FakeServer:
    """The server's state; `url` leads to it while it runs."""

    models: tuple[str, ...] = ("fake-vl",)
    context: int | None = 32768
    context_words: ContextWords = "vllm"
    engine: str = "vllm"
    """Empty: a server that says nothing of itself."""
    root: str = ""
    token_in: bool = True
    """Started with --enable-scale-out."""
    output_mode: bool = True
    """Its token endpoint replies with text where `output_mode` says so, as vLLM from 0.32 on."""
    tokenizer: bool = True
    """Has /tokenize."""
    template: bool = True
    """Has /tokenize for conversations too, as `FakePromptTokenizer` spells them."""
    tokenize_seconds: float = 0.0
    reply_model: str = ""
    """How replies name the model; empty: as the request does."""
    template_ids: tuple[int, ...] = ()
    """What another template puts before a conversation."""
    max_logprobs: int = 128
    logprobs_words: str = (
        "Requested sample logprobs of {asked}, which is greater than max allowed: {most}"
    )
    tokenizing: int = 200
    """What /tokenize answers; not 200: without tokens."""
    policy: str = "priority"
    """fcfs: refuses priorities."""
    blocks: int = 512
    """Of 16 tokens, in the metrics; 0: no metrics."""
    key: str = ""
    faults: Faults = field(default_factory=Faults)
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Every request for a reply that came, refused ones too."""
    paths: list[str] = field(default_factory=list[str])
    """Where they came to."""
    tokenized: list[str] = field(default_factory=list[str])
    keys: list[str] = field(default_factory=list[str])
    """Their Authorization headers."""
    request_ids: list[str | None] = field(default_factory=list[str | None])
    """Their X-Request-Id headers."""
    sessions: list[str | None] = field(default_factory=list[str | None])
    """Their X-Session-ID headers."""
    answered: int = 0
    aborted: int = 0
    """Requests whose client went away before the answer."""
    dropped: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the first of them did."""
    busy: int = 0
    most_busy: int = 0
    cache: PrefixCache = field(default_factory=PrefixCache)
    media: MediaCache = field(default_factory=MediaCache)
    die: Callable[[], Awaitable[None]] = field(default=live_on)

    def app(self) -> web.Application:
        """Return the web application that serves this state."""
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_get("/health", self._health)
        app.router.add_get("/version", self._version)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/metrics", self._metrics)
        app.router.add_post("/tokenize", self._tokenize)
        app.router.add_post("/v1/chat/completions", self._asked)
        app.router.add_post("/inference/v1/generate", self._asked)
        return app

    async def _health(self, request: web.Request) -> web.Response:
        if self._ended() and request.transport:
            request.transport.abort()
        is_bad = self.faults.failing and not self.faults.healthy
        return web.Response(status=self.faults.status if is_bad else 200)

    async def _version(self, request: web.Request) -> web.Response:
        if not self.engine:
            raise web.HTTPNotFound
        return web.json_response({"version": "0.32.0"})

    async def _models(self, request: web.Request) -> web.Response:
        if not self._may(request):
            return self._error(request, 401, "Unauthorized")
        cards: list[dict[str, Any]] = [
            {"id": name, "object": "model", "owned_by": self.engine} for name in self.models
        ]
        for card in cards:
            if self.engine:
                card["max_model_len"] = self.context
                card["root"] = self.root
        return web.json_response({"object": "list", "data": cards})

    async def _metrics(self, request: web.Request) -> web.Response:
        if not (self.engine and self.blocks):
            raise web.HTTPNotFound
        labels = f'block_size="16",engine="0",num_gpu_blocks="{self.blocks}"'
        return web.Response(text=f"vllm:cache_config_info{{{labels}}} 1.0\n")

    async def _tokenize(self, request: web.Request) -> web.Response:
        if not (self.engine and self.tokenizer):
            raise web.HTTPNotFound
        if self.tokenizing != HTTPStatus.OK:
            return self._error(request, self.tokenizing, "the engine is not ready")
        body = await request.json()
        await asyncio.sleep(self.tokenize_seconds)
        if "messages" in body:
            return self._spelt(body)
        prompt = body["prompt"]
        self.tokenized.append(prompt)
        return web.json_response({"count": len(ids_of(prompt)), "tokens": ids_of(prompt)})

    def _spelt(self, body: dict[str, Any]) -> web.Response:
        if not self.template:
            raise web.HTTPNotFound
        said = [Message(role=one["role"], text=one["content"]) for one in body["messages"]]
        ids = FakePromptTokenizer().ids(said)
        if not body["add_generation_prompt"]:
            ids = ids[: -len(FakePromptTokenizer().ids([]))]
        return web.json_response({"count": len(ids), "tokens": [*self.template_ids, *ids]})

    async def _asked(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        if request.path == _GENERATE and (refused := self._no_tokens(request, body)):
            return refused
        self.bodies.append(body)
        self.paths.append(request.path)
        self.keys.append(request.headers.get("Authorization", ""))
        self.request_ids.append(request.headers.get("X-Request-Id"))
        self.sessions.append(request.headers.get("X-Session-ID"))
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        try:
            if await self._dropped(request):
                return web.Response()
            return self._refusal(request, body) or self._answered(request, body)
        except asyncio.CancelledError:
            self.aborted += 1
            self.dropped.set()
            raise
        finally:
            self.busy -= 1

    def _no_tokens(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        if not self.engine:
            raise web.HTTPNotFound
        if not self._may(request):
            return self._error(request, 401, "Unauthorized")
        if not self.token_in:
            words = "Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out"
            return self._error(request, 403, f"{words} to enable them.")
        if "token_ids" not in body:
            wrong = " Input should be 'tokens' or 'text'" if self.output_mode else ""
            return self._error(request, 400, f"Field required{wrong}", param="body")
        return None

    async def _dropped(self, request: web.Request) -> bool:
        """Wait, then return whether the connection was closed without an answer."""
        faults = self.faults
        if self._ended():
            await self.die()
        elif faults.closing:
            faults.closing -= 1
        else:
            await asyncio.sleep(faults.seconds)
            return False
        if request.transport:
            request.transport.abort()
        return True

    def _ended(self) -> bool:
        return self.faults.die_after is not None and self.answered >= self.faults.die_after

    def _refusal(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        faults = self.faults
        if not self._may(request):
            return self._error(request, 401, "Unauthorized")
        if faults.failing:
            faults.failing -= 1
            return self._error(request, faults.status, faults.words)
        if faults.garbage:
            faults.garbage -= 1
            page = f"<html>a proxy's page {self._quoted(request)}</html>"
            return web.Response(text=page, content_type="text/html")
        return self._fault_of(request, body)

    def _fault_of(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        if body["model"] not in self.models:
            return self._error(request, 404, f"The model `{body['model']}` does not exist.")
        asked = body | body.get("sampling_params", {})
        parts = body.get("messages", []) + body.get("content_parts", [])
        for name in sorted(self.faults.refused):
            if name in asked or (name == "uuid" and '"uuid"' in json.dumps(parts)):
                return self._unknown_field(request, name)
        tops = asked.get("top_logprobs", 0) if "messages" in body else asked.get("logprobs", 0)
        if tops > self.max_logprobs:
            words = self.logprobs_words.format(asked=tops, most=self.max_logprobs)
            return self._error(request, 400, words)
        if body.get("priority") and self.policy == "fcfs":
            words = f"Got priority {body['priority']} but Priority scheduling is not enabled."
            return self._error(request, 400, words)
        return None

    def _answered(self, request: web.Request, body: dict[str, Any]) -> web.Response:
        if self.faults.forgetting:
            self.faults.forgetting -= 1
            self.media.kept.clear()
        read = read_generate if request.path == _GENERATE else read_chat
        try:
            question = read(body, self.media)
        except MissError as error:
            return self._error(request, 400, str(error))
        if question.bare and self.faults.drifting:
            self.faults.drifting -= 1
            self.media.kept.clear()
            return self._error(request, 500, "Internal server error")
        words = self._too_long(question)
        return self._error(request, 400, words) if words else self._reply(question)

    def _too_long(self, question: Question) -> str:
        if self.context is None:
            return ""
        prompt = tokens_of(question.prompt)
        return too_long(
            self.context_words, prompt=prompt, asked=question.most, context=self.context
        )

    def _reply(self, question: Question) -> web.Response:
        self.answered += 1
        free = self.faults.unconstrained
        reply = reply_to(question, context=self.context, unconstrained=free)
        cached = self.cache.cached_tokens(question.prompt)
        self.cache.keep(question.prompt + reply.kept(question))
        usage: dict[str, Any] = {
            "prompt_tokens": tokens_of(question.prompt),
            "completion_tokens": reply.tokens,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        choice = question.choice(reply.text, reply.ids, reply.logprobs)
        choice |= {"index": 0, "finish_reason": reply.finish}
        model = self.reply_model or question.model
        return web.json_response({"model": model, "choices": [choice], "usage": usage})

    def _unknown_field(self, request: web.Request, name: str) -> web.Response:
        match self.faults.wording:
            case "pydantic":
                loc = ["body", "messages", 0, name] if name == "uuid" else ["body", name]
                place = {"type": "extra_forbidden", "loc": loc, "msg": "Extra inputs are forbidden"}
                # As FastAPI does: the whole input comes back with the fault.
                place["input"] = "uuid max_tokens structured_outputs response_format"
                return web.json_response({"detail": [place]}, status=422)
            case "openai":
                return self._error(request, 400, f"Unsupported parameter: '{name}'.", param=name)
            case "vague":
                return self._error(request, 400, "the request has unknown fields")
            case "backend":
                return self._error(request, 501, "this backend knows no JSON schema or grammar")

    def _may(self, request: web.Request) -> bool:
        return not self.key or request.headers.get("Authorization") == f"Bearer {self.key}"

    def _quoted(self, request: web.Request) -> str:
        return request.headers.get("Authorization", "") if self.faults.quote_key else ""

    def _error(
        self, request: web.Request, status: int, words: str, *, param: str | None = None
    ) -> web.Response:
        message = f"{words} {self._quoted(request)}".strip()
        error = {"message": message, "code": status, "param": param}
        headers = {"Retry-After": self.faults.retry_after} if self.faults.retry_after else None
        return web.json_response({"error": error}, status=status, headers=headers)
