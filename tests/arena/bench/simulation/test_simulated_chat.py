"""The chat model of virtual time: what it tells the simulated engine about a request."""

from dataclasses import replace

from arena.bench.simulation.cache_bound import RequestSequence
from arena.bench.simulation.simulated_chat import ReplyStyle, SimulatedChat
from arena.models.chat import CallId, Completion, Message, Request
from scripts_mm.script import Picture
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.engine_loop.engine_request import EngineRequest, EngineResult
from serving.engine_sim.engine_loop.sim_engine import SimEngine
from serving.engine_sim.engine_loop.virtual_time import run_virtual

BLOCK = 16
PICTURE_TOKENS = 30


class Noting(SimEngine):
    """An engine that notes its requests."""

    def __init__(self) -> None:
        super().__init__(replace(load_engine_profile("instant"), kv_tokens=16_000, block=BLOCK))
        self.jobs: list[EngineRequest] = []

    async def generate(self, job: EngineRequest) -> EngineResult:
        self.jobs.append(job)
        return await super().generate(job)


def chat(engine: SimEngine) -> SimulatedChat:
    return SimulatedChat(
        engine=engine,
        style=ReplyStyle(tokens=50),
        picture_tokens=lambda _: PICTURE_TOKENS,
        dispatch=RequestSequence(BLOCK),
    )


def request(name: str, *messages: Message) -> Request:
    return Request(
        call_id=CallId(seat="Ada", request=name),
        messages=messages,
        max_tokens=1_000,
        temperature=0,
        request_id=name,
    )


def picture(sha256: str) -> Message:
    seen = Picture(sha256=sha256, file="a.png", mime="image/png", width=10, height=10)
    return Message(role="user", text="Look.", picture=seen)


def test_the_next_prompt_finds_the_reply_before_it() -> None:
    made = chat(Noting())
    asked = Message(role="user", text="Where were you when the lamp went out? " * 9)

    async def turns() -> tuple[Completion, Completion]:
        said = await made.complete(request("first", asked))
        reply = Message(role="assistant", text=said.text)
        return said, await made.complete(request("second", asked, reply, asked))

    said, done = run_virtual(turns())
    computed = said.prompt_tokens + said.output_tokens - 1
    assert said.output_tokens > BLOCK
    assert done.cached_tokens == computed // BLOCK * BLOCK


def test_pictures_are_told_with_their_tokens_and_together_at_the_end() -> None:
    engine = Noting()
    messages = (picture("a"), Message(role="user", text="Who was it?"), picture("b"))
    done = run_virtual(chat(engine).complete(request("look", *messages)))
    [job] = engine.jobs
    assert job.tokens == done.prompt_tokens > 2 * PICTURE_TOKENS
    starts = (job.tokens - 2 * PICTURE_TOKENS, job.tokens - PICTURE_TOKENS)
    assert [(one.key, one.start, one.tokens) for one in job.pictures] == [
        ("a", starts[0], PICTURE_TOKENS),
        ("b", starts[1], PICTURE_TOKENS),
    ]
