"""Call a judge: several samples of one task, with retries of malformed replies."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Final

from arena.errors import UnanswerableError
from arena.models.chat import CallId, ChatModel, Request
from eval.judges.reply_cache import CachedReply, ReplyCache, reply_key
from eval.judges.scales import Scale, ScaleReading, constrain, parse_reply
from eval.judges.tasks import Task, render_messages
from eval.judges.wording import wording_hash

TRIES: Final = 3
PRIORITY: Final = 2_000_000
"""Below every request of a match and every silent probe; lower values are served earlier."""
_REPLY_TOKENS: Final = 400
_TEXT_TOKENS: Final = 1200
_SAMPLING_TEMPERATURE: Final = 0.7

Enter = Callable[[], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEndpoint:
    """One server of a judge, and the gate of its requests."""

    chat: ChatModel
    enter: Enter = nullcontext


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeModel:
    """A model that judges."""

    model: str
    """The served model name."""
    identity: str = ""
    """The checkpoint that its server reports."""
    endpoints: Sequence[JudgeEndpoint]
    flags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The model and the hash of all prompts, recorded with every figure."""
        return f"{self.model} {wording_hash()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The number of samples per judgement, and their temperature."""

    samples: int | None = None
    """None: the metric's default."""
    temperature: float | None = None
    """None: 0 for one sample, else high enough that samples differ, as for repeats."""

    def sample_count(self, task: Task) -> int:
        """Return the number of samples of a task."""
        return self.samples or task.samples

    def temperature_of(self, task: Task, repeat: int = 0) -> float:
        """Return the temperature of a task's samples; `repeat` is its number, 0 for none."""
        if self.temperature is not None:
            return self.temperature
        return _SAMPLING_TEMPERATURE if repeat or self.sample_count(task) > 1 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSample:
    """One reply of a judge, raw and parsed."""

    number: int
    raw: str = ""
    value: float | None = None
    values: tuple[float, ...] | None = None
    text: str = ""
    reason: str = ""
    tries: int = 1
    calls: int = 0
    """Calls made in this process; the others were cached."""
    prompt_tokens: int = 0
    """Over all tries, made now or cached; like the next two."""
    output_tokens: int = 0
    seconds: float = 0.0
    fault: str = ""
    """Why the call failed; empty: it succeeded."""


async def ask_sample(
    task: Task,
    judge: JudgeModel,
    place: JudgeEndpoint,
    *,
    number: int,
    temperature: float,
    cache: ReplyCache,
) -> JudgeSample:
    """Return one sample; its values are None if all tries are malformed."""
    replies: list[CachedReply] = []
    made, reading = 0, ScaleReading()
    for attempt in range(1, TRIES + 1):
        request = _make_request(task, number, attempt, temperature)
        key = reply_key(f"{judge.model}\0{judge.identity}", request, task.scale, number)
        reply = cache.get(key)
        if reply is None:
            try:
                reply = await _complete(place, request, key)
            except UnanswerableError as error:
                return JudgeSample(number=number, tries=attempt, calls=made, fault=str(error))
            made += 1
            cache.add(reply)
        replies.append(reply)
        reading = parse_reply(task.scale, reply.text)
        if reading.is_legal:
            break
    return JudgeSample(
        number=number,
        raw=replies[-1].text,
        value=reading.value,
        values=reading.values,
        text=reading.text,
        reason=reading.reason,
        tries=len(replies),
        calls=made,
        prompt_tokens=sum(one.prompt_tokens for one in replies),
        output_tokens=sum(one.output_tokens for one in replies),
        seconds=sum(one.seconds for one in replies),
    )


async def _complete(place: JudgeEndpoint, request: Request, key: str) -> CachedReply:
    async with place.enter():
        done = await place.chat.complete(request)
    return CachedReply(
        key=key,
        text=done.text,
        finish=done.finish,
        prompt_tokens=done.prompt_tokens,
        output_tokens=done.output_tokens,
        seconds=done.seconds,
    )


def _make_request(task: Task, number: int, attempt: int, temperature: float) -> Request:
    # A malformed reply at temperature 0 would only repeat.
    warm = temperature if attempt == 1 else max(temperature, _SAMPLING_TEMPERATURE)
    return Request(
        call_id=CallId(
            seat="judge", request="/".join((*task.key, str(number))), attempt=attempt, off_path=True
        ),
        messages=render_messages(task, again=attempt > 1),
        max_tokens=_max_tokens(task.scale),
        temperature=warm,
        constraint=constrain(task.scale),
        priority=PRIORITY,
    )


def _max_tokens(scale: Scale) -> int:
    return _TEXT_TOKENS if scale.form == "text" else _REPLY_TOKENS
