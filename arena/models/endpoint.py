"""An OpenAI-compatible endpoint: what it serves, what it takes, and whether it is up."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus

from arena.errors import ConfigError, DownError, ModelError
from arena.models import wire
from arena.models.address import Address
from arena.models.capabilities import Refused
from arena.models.chat import Message
from arena.models.door import Door, open_door
from arena.models.media import Media
from arena.models.metrics import KvCache, read_capacity
from arena.models.outcomes import failure
from arena.models.served import Served
from arena.models.terms import MOST_LOGPROBS, dumped

CHAT = "/v1/chat/completions"
GENERATE = "/inference/v1/generate"
TOKENIZE = "/tokenize"
NO_DOOR = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})
"""What a server answers that does not know a path at all."""
_MODELS = "/v1/models"
_LISTED = 10
_METRICS = "/metrics"
_SERVER_ERROR = 500
_FOUND_FAULT = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for a server; tests pass their own time."""

    seconds: float = 60.0
    """For a server that does not answer to come back."""
    every: float = 1.0
    """Seconds between two looks."""
    answer_seconds: float = 10.0
    """For the answer to a question about the server itself."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic


Supervisor = Callable[[], Awaitable[None]]
"""Returns when the server that we started is up again, or raises `ModelError`; it is called by
every waiting seat at once."""


class Endpoint:
    """One served model behind a session. Made by `open_endpoint`."""

    def __init__(
        self,
        door: Door,
        *,
        patience: Patience,
        supervisor: Supervisor | None,
    ) -> None:
        self.media = Media()
        """What pictures the server holds: one table, however many ask."""
        self._door = door
        self._patience = patience
        self._supervisor = supervisor
        self._served: Served | None = None
        self._refused: Refused = frozenset()
        self._most_logprobs = MOST_LOGPROBS

    def __repr__(self) -> str:
        """Return where it is, never the key."""
        return f"Endpoint({str(self._door.address)!r})"

    @property
    def url(self) -> str:
        """The base URL, without /v1."""
        return self._door.address.url

    @property
    def keyed(self) -> bool:
        """Whether a key is sent."""
        return self._door.address.key is not None

    @property
    def served(self) -> Served:
        """What the last `probe` found."""
        if self._served is None:
            raise ModelError(f"{self.url} was not probed before it was asked")
        return self._served

    @property
    def refused(self) -> Refused:
        """What the server was found not to take."""
        return self._refused

    @property
    def most_logprobs(self) -> int:
        """How many probabilities of a token may be asked for."""
        return self._most_logprobs

    def learn(self, refused: Refused, most_logprobs: int = MOST_LOGPROBS) -> None:
        """Remember that a request passed only without `refused`, and with no more logprobs."""
        self._refused |= refused
        self._most_logprobs = min(self._most_logprobs, most_logprobs)

    async def post(self, body: bytes, path: str = CHAT) -> wire.Answer:
        """Return the answer to a request, or raise `DownError`; see `Door.ask`.

        A server that was down may come back without the pictures that it had.
        """
        try:
            return await self._door.ask(path, body)
        except DownError:
            self.media.forget()
            raise

    async def metrics(self) -> str | None:
        """Return what GET /metrics says; None where there is nothing. See `models.metrics`."""
        try:
            answer = await self._door.ask(_METRICS)
        except DownError:
            return None
        return answer.content.decode(errors="replace") if answer.status == HTTPStatus.OK else None

    async def tokenized(self, messages: Sequence[Message]) -> tuple[int, ...] | None:
        """Return the prompt in the server's own tokens, opened for the reply; vLLM only.

        Texts alone: pictures are left out. None where there is no such door; errors are those of
        a completion.
        """
        if not self.served.is_vllm:
            return None
        said = [{"role": message.role, "content": message.text} for message in messages]
        body = {"model": self.served.model, "messages": said, "add_generation_prompt": True}
        answer = await self.post(dumped(body), TOKENIZE)
        if answer.status in NO_DOOR:
            return None
        came, model = self.said(answer), self.served.model
        if answer.status != HTTPStatus.OK:
            raise failure(answer, came, url=self.url, path=TOKENIZE, model=model, keyed=self.keyed)
        try:
            return tuple(wire.Tokenized.model_validate_json(answer.content).tokens)
        except ValueError as error:
            raise ModelError(
                f"{self.url} was to answer with tokens at {TOKENIZE}, but sent {came!r}"
            ) from error

    def said(self, answer: wire.Answer) -> str:
        """Return what the server says is wrong, fit to be shown."""
        return self._door.said(answer)

    async def probe(self) -> Served:
        """Ask what is served there, or raise `ConfigError` that says what to mend."""
        try:
            async with asyncio.timeout(self._patience.answer_seconds):
                answer = await self._door.ask(_MODELS)
                card = self._chosen(answer)
                engine = " ".join(word for word in (card.owned_by, await self._version()) if word)
                served = Served(
                    model=card.id,
                    context_tokens=card.max_model_len,
                    engine=engine or None,
                    root=card.root or "",
                )
                if served.is_vllm:
                    served = replace(served, token_in=await self._token_in(), kv=await self._kv())
        except TimeoutError as error:
            raise ConfigError(
                f"{self.url} was to serve a model, but GET {_MODELS} had no answer within "
                f"{self._patience.answer_seconds:g} s; start the server or mend the URL"
            ) from error
        except DownError as error:
            raise ConfigError(
                f"{error}; a model was to be served there: start the server or mend the URL"
            ) from error
        self._served = served
        return served

    async def wait_until_up(self) -> None:
        """Return when the server answers, or raise `ModelError` when it must be given up."""
        if self._supervisor is not None:
            await self._supervisor()
            return
        patience = self._patience
        end = patience.clock() + patience.seconds
        while not await self.is_up():
            if patience.clock() >= end:
                raise ModelError(f"{self.url} is dead: no answer for {patience.seconds:g} s")
            await patience.sleep(patience.every)

    async def is_up(self) -> bool:
        """Return whether the server answers now."""
        try:
            async with asyncio.timeout(self._patience.answer_seconds):
                status = (await self._door.ask("/health")).status
                if status == HTTPStatus.NOT_FOUND:
                    status = (await self._door.ask(_MODELS)).status
        except (DownError, TimeoutError):
            return False
        return status < _SERVER_ERROR

    def _chosen(self, answer: wire.Answer) -> wire.ModelCard:
        """Return the model that was asked for, or the only one."""
        wanted = self._door.address.model
        if answer.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            lock = "refuses its key" if self.keyed else "wants a key and was given none"
            raise ConfigError(f"{self.url} {lock} ({answer.status}); name it in ARENA_ENDPOINTS")
        if wanted and answer.status == HTTPStatus.NOT_FOUND and wire.is_json(answer.content):
            # Some servers keep no list; the first request will show whether they know the name.
            return wire.ModelCard(id=wanted)
        cards = self._listed(answer)
        if wanted is None and len(cards) == 1:
            return cards[0]
        found = [card for card in cards if card.id == wanted]
        if found:
            return found[0]
        names = self._door.hidden(", ".join(wire.one_line(card.id) for card in cards[:_LISTED]))
        more = f" and {len(cards) - _LISTED} more" if len(cards) > _LISTED else ""
        asked = "one model" if wanted is None else f"model {wanted!r}"
        raise ConfigError(
            f"{self.url} was to serve {asked}, but serves {names or 'none'}{more}; "
            f"write {self.url}#NAME"
        )

    def _listed(self, answer: wire.Answer) -> list[wire.ModelCard]:
        try:
            if answer.status == HTTPStatus.OK:
                return wire.ModelList.model_validate_json(answer.content).data
            came = f"{answer.status} {self.said(answer)}".strip()
        except ValueError:
            came = f"something else: {self.said(answer)}"
        raise ConfigError(
            f"{self.url} was to be an OpenAI-compatible server, but GET {_MODELS} gave {came}; "
            "mend the URL or start the server"
        )

    async def _token_in(self) -> bool:
        """Return whether there is somebody at the token endpoint who finds fault with nothing.

        vLLM answers 403 there without --enable-scale-out, and 404 before there was such a thing.
        """
        return (await self._door.ask(GENERATE, b"{}")).status in _FOUND_FAULT

    async def _kv(self) -> KvCache | None:
        text = await self.metrics()
        return None if text is None else read_capacity(text)

    async def _version(self) -> str:
        answer = await self._door.ask("/version")
        try:
            return wire.one_line(wire.Version.model_validate_json(answer.content).version)
        except ValueError:
            return ""


@asynccontextmanager
async def open_endpoint(
    address: Address,
    *,
    concurrency: int,
    patience: Patience | None = None,
    supervisor: Supervisor | None = None,
) -> AsyncGenerator[Endpoint]:
    """Yield the endpoint at `address`, still to be probed; its connections are closed at the end.

    `concurrency` is the most requests that are ever in flight (matches x seats of a wave).
    """
    async with open_door(address, concurrency=concurrency) as door:
        yield Endpoint(door, patience=patience or Patience(), supervisor=supervisor)
