"""The simulated server's HTTP API: vLLM 0.32's endpoints, POST /faults and GET /counters."""

from array import array
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

from aiohttp import web
from pydantic import ValidationError

from serving.engine_sim.api_server import response_bodies
from serving.engine_sim.api_server.access_gate import AccessGate
from serving.engine_sim.api_server.embeddings import embedding_response
from serving.engine_sim.api_server.request_bodies import (
    ChatBody,
    ChatMessageBody,
    EmbeddingBody,
    RequestBody,
    TokenBody,
    TokenizeBody,
)
from serving.engine_sim.api_server.server_info import VERSION, metrics_page, model_list
from serving.engine_sim.error_responses import (
    RefusalError,
    check_max_tokens,
    check_text_length,
    invalid_body,
)
from serving.engine_sim.fault_injection import InjectedFaults
from serving.engine_sim.simulator import SimRequest, Simulator

_MOST_BYTES: Final = 512 * 1024 * 1024

Body = TypeVar("Body", bound=RequestBody)
Handler = Callable[[web.Request], Awaitable[dict[str, Any] | web.Response]]


class ConnectionDroppedError(Exception):
    """The connection must be closed without a response."""


class HttpApp:
    """The endpoints of a simulator. `die` ends the server, or drops all connections for a while."""

    def __init__(self, simulator: Simulator, die: Callable[[], None]) -> None:
        self._simulator = simulator
        self._die = die
        self._gate = AccessGate(simulator.options.key)
        self.down = False
        """Whether every connection is closed, as if no server were listening."""

    def build_app(self) -> web.Application:
        """Return the web application."""
        app = web.Application(client_max_size=_MOST_BYTES, middlewares=[self._gate.middleware])
        posts: dict[str, Handler] = {
            "/v1/chat/completions": self._chat,
            "/inference/v1/generate": self._generate,
            "/tokenize": self._tokenize,
            "/v1/embeddings": self._embed,
            "/faults": self._inject_faults,
            "/reset_prefix_cache": self._reset_prefix,
            "/reset_mm_cache": self._reset_media,
            "/reset_encoder_cache": self._reset_encoder,
        }
        if not self._simulator.options.token_in:
            del posts["/inference/v1/generate"]
        gets: dict[str, Handler] = {
            "/v1/models": self._models,
            "/version": self._version,
            "/counters": self._counters,
            "/health": self._health,
            "/metrics": self._metrics,
        }
        for path, answer in posts.items():
            app.router.add_post(path, self._wrap_handler(answer))
        for path, answer in gets.items():
            app.router.add_get(path, self._wrap_handler(answer))
        return app

    def _wrap_handler(
        self, answer: Handler
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                self._check_up()
                body = await answer(request)
            except RefusalError as refusal:
                return _response(refusal.body(), refusal.status)
            except ValidationError as error:
                return _response(invalid_body(error).body(), 400)
            except ConnectionDroppedError:
                return _drop_connection(request)
            return body if isinstance(body, web.Response) else _response(body, 200)

        return handle

    async def _chat(self, request: web.Request) -> dict[str, Any]:
        simulator = self._simulator
        body = await self._read_body(request, ChatBody)
        is_new = body.max_completion_tokens is not None
        name = "max_completion_tokens" if is_new else "max_tokens"
        check_max_tokens(name, body.max_tokens, simulator.profile.context_tokens)
        ids = simulator.tokenise_chat(body.messages)
        check_text_length(len(ids), simulator.profile.context_tokens)
        pictures = _picture_sources(body.messages)
        answered = await simulator.answer(
            SimRequest(ids=ids, pictures=pictures, params=body, body=body, text_in=True)
        )
        told = response_bodies.chat_logprobs(
            answered.reply, body, simulator.tokens, numbered=bool(body.return_tokens_as_token_ids)
        )
        self._count_reply()
        return response_bodies.chat_response(
            simulator.options.model, answered, told=told, ids=bool(body.return_token_ids)
        )

    async def _generate(self, request: web.Request) -> dict[str, Any]:
        simulator = self._simulator
        body = await self._read_body(request, TokenBody)
        ids, params = _token_array(body.token_ids), body.sampling_params
        pictures = [(part.url, part.uuid) for part in body.content_parts or ()]
        answered = await simulator.answer(
            SimRequest(ids=ids, pictures=pictures, params=params, body=body, text_in=False)
        )
        told = response_bodies.generate_logprobs(
            answered.reply, params, simulator.tokens, text=body.output_mode == "text"
        )
        self._count_reply()
        return response_bodies.generate_response(
            simulator.options.model, answered, told=told, mode=body.output_mode
        )

    async def _tokenize(self, request: web.Request) -> dict[str, Any]:
        body = TokenizeBody.model_validate_json(await request.read())
        simulator = self._simulator
        if body.messages is not None:
            ids = simulator.tokenise_chat(body.messages)
        else:
            ids = simulator.tokens.ids(body.prompt or "")
        return {
            "count": len(ids),
            "max_model_len": simulator.profile.context_tokens,
            "tokens": list(ids),
            "token_strs": None,
        }

    async def _embed(self, request: web.Request) -> dict[str, Any]:
        body = await self._read_body(request, EmbeddingBody)
        answer = embedding_response(self._simulator.options.model, body)
        self._count_reply()
        return answer

    async def _inject_faults(self, request: web.Request) -> dict[str, Any]:
        self._simulator.inject(InjectedFaults.model_validate_json(await request.read() or b"{}"))
        return self._simulator.faults.model_dump()

    async def _reset_prefix(self, request: web.Request) -> dict[str, Any]:
        return {"success": self._simulator.core.reset_prefix()}

    async def _reset_media(self, request: web.Request) -> dict[str, Any]:
        self._simulator.inject(InjectedFaults(forget=True))
        return {}

    async def _reset_encoder(self, request: web.Request) -> dict[str, Any]:
        self._simulator.core.reset_encoder()
        return {}

    async def _models(self, request: web.Request) -> dict[str, Any]:
        return model_list(self._simulator)

    async def _version(self, request: web.Request) -> dict[str, Any]:
        return {"version": VERSION}

    async def _counters(self, request: web.Request) -> dict[str, Any]:
        return dict(self._gate.requests)

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response()

    async def _metrics(self, request: web.Request) -> web.Response:
        return web.Response(text=metrics_page(self._simulator), content_type="text/plain")

    def _check_up(self) -> None:
        if self.down:
            raise ConnectionDroppedError

    async def _read_body(self, request: web.Request, kind: type[Body]) -> Body:
        """Return the body of a request for a reply, after the active faults."""
        self._apply_faults()
        body = kind.model_validate_json(await request.read())
        # As in vLLM, the header takes precedence over the body.
        body.request_id = request.headers.get("X-Request-Id", body.request_id)
        if body.model not in (None, self._simulator.options.model):
            raise RefusalError(f"The model `{body.model}` does not exist.", status=404)
        if body.stream:
            raise RefusalError("the simulated server does not stream", param="stream")
        return body

    def _apply_faults(self) -> None:
        faults = self._simulator.faults
        if faults.die_after == 0:
            faults.die_after = None
            self._die()
            raise ConnectionDroppedError
        if faults.failing:
            faults.failing -= 1
            raise RefusalError(faults.words, status=faults.status)

    def _count_reply(self) -> None:
        self._check_up()
        faults = self._simulator.faults
        if faults.die_after:
            faults.die_after -= 1


def _picture_sources(messages: Sequence[ChatMessageBody]) -> list[tuple[str | None, str | None]]:
    return [
        (part.image_url.url if part.image_url else None, part.uuid)
        for message in messages
        if isinstance(message.content, list)
        for part in message.content
        if part.type == "image_url"
    ]


def _token_array(given: list[int]) -> "array[int]":
    try:
        return array("I", given)
    except OverflowError as error:
        raise RefusalError("token_ids must not contain negative values") from error


def _response(body: dict[str, Any], status: int) -> web.Response:
    return web.Response(
        body=response_bodies.encode_json(body), status=status, content_type="application/json"
    )


def _drop_connection(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
