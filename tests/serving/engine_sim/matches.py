"""A small driver: matches of six seats against the stand-in engine, in virtual time."""

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from serving.engine_sim.caches.prompt_segments import PromptSegment
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.engine_loop.sim_engine import EngineResult, SimEngine
from serving.engine_sim.engine_loop.virtual_time import run_virtual
from tests.serving.engine_sim.segments import make_request

SEATS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many matches are played and how: `live` at once, `turns` a round, scripts in order."""

    matches: int
    live: int
    shared: bool = False
    grouped: bool = False
    turns: int = 12
    scripts: int = 16
    script_tokens: int = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of it."""

    engine: SimEngine
    matches: int
    seconds: float
    done: tuple[EngineResult, ...]

    @property
    def hit_rate(self) -> float:
        return self.engine.counters.hits / self.engine.counters.queries

    @property
    def matches_per_hour(self) -> float:
        return 3_600 * self.matches / self.seconds


class Match:
    """One match: introductions together, three rounds of talk with two pictures each, votes."""

    def __init__(self, engine: SimEngine, number: int, script: str, rng: random.Random) -> None:
        self.engine = engine
        self.number = number
        self.rng = rng
        self.pictures: list[str] = []
        self.logs: list[list[PromptSegment]] = []
        self.asked = 0
        self.done: list[EngineResult] = []
        self.script = script

    async def play(self, plan: Plan) -> list[EngineResult]:
        for seat in range(SEATS):
            private = PromptSegment(f"{self.script}/{seat}", plan.script_tokens)
            self.logs.append([PromptSegment("rules", 1_000), private])
        await self.together(self.length)
        for round_ in range(3):
            self.reveal(round_)
            for turn in range(plan.turns):
                speaker = turn // 2 % SEATS
                other = (speaker + 1 + self.rng.randrange(SEATS - 1)) % SEATS
                output = self.length()
                await self.ask(speaker if turn % 2 == 0 else other, output)
                self.say(output)
        await self.together(lambda: 10)
        return self.done

    def length(self) -> int:
        return max(20, int(self.rng.gauss(150, 40)))

    def reveal(self, round_: int) -> None:
        for number in range(2):
            self.pictures.append(f"picture {self.number}/{round_}/{number}")
            for log in self.logs:
                log.append(PromptSegment(self.pictures[-1], 1_000))

    def say(self, output: int) -> None:
        self.asked += 1
        for log in self.logs:
            log.append(PromptSegment(f"said {self.number}/{self.asked}", output + 20))

    async def together(self, length: Callable[[], int]) -> None:
        outputs = [length() for _ in range(SEATS)]
        async with asyncio.TaskGroup() as group:
            for seat, output in enumerate(outputs):
                group.create_task(self.ask(seat, output))
        for output in outputs:
            self.say(output)

    async def ask(self, seat: int, output: int) -> None:
        question = PromptSegment(f"ask {self.number}/{seat}/{self.asked}", 50)
        prompt = (*self.logs[seat], question)
        block = self.engine.profile.block
        job = make_request(prompt, output, block, pictures=self.pictures)
        self.done.append(await self.engine.generate(job))


def play(profile: EngineProfile, plan: Plan) -> Played:
    """Play all matches of a plan in virtual time."""
    return run_virtual(_play(profile, plan))


async def _play(profile: EngineProfile, plan: Plan) -> Played:
    rng = random.Random(0)
    order = [number % plan.scripts for number in range(plan.matches)]
    if plan.grouped:
        order.sort()
    else:
        rng.shuffle(order)
    engine = SimEngine(profile)
    done: list[EngineResult] = []
    queue = iter(list(enumerate(order)))
    async with asyncio.TaskGroup() as group:
        for _ in range(min(plan.live, plan.matches)):
            group.create_task(_one_after_another(engine, plan, queue, done))
    seconds = asyncio.get_running_loop().time()
    return Played(engine=engine, matches=plan.matches, seconds=seconds, done=tuple(done))


async def _one_after_another(
    engine: SimEngine, plan: Plan, queue: Iterator[tuple[int, int]], done: list[EngineResult]
) -> None:
    for number, script in queue:
        name = f"script {script}" if plan.shared else f"script {script} of {number}"
        match = Match(engine, number, name, random.Random(number))
        done += await match.play(plan)
