"""A judge without a model, played matches and tasks for the tests of judges."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import ChatModel, Completion, Request
from arena.models.function_model import FunctionModel
from eval.judges.judge_model import JudgeEndpoint, JudgeModel, JudgeSample, Sampling
from eval.judges.judge_runner import JudgeSetup
from eval.judges.reply_cache import ReplyCache, memory_cache
from eval.judges.scales import Scale
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.tasks import Task
from eval.judges.verdicts import JudgeVerdict
from eval.played_match import PlayedMatch
from scripts_mm.script import KeyClue, Script
from tests.eval.made import drawn, play
from tests.table import NAMES, case

MODEL = "qwen3-vl"
"""The served name of the contestant `qwen+cot` in the manifest of tests."""


def judged_case() -> Script:
    """Return the small case with three key statements."""
    script = case()
    keys = tuple(
        KeyClue(id=f"k{n}", text=f"KEY-STATEMENT-{n}", holders=(NAMES[n],)) for n in range(3)
    )
    return replace(script, truth=replace(script.truth, key_clues=keys, motive="TRUTH-MOTIVE"))


def judged_match(seed: int = 1) -> PlayedMatch:
    """Return a match of random players, in which every seat speaks and concludes."""
    options = WhodunitOptions(rounds=1)
    return play("whodunit", judged_case(), options, drawn(seed))


def scene_of(match: PlayedMatch) -> JudgeScene:
    return JudgeScene(match)


def score(value: object, reason: str = "because") -> str:
    """Return the reply of a judge that gives a number."""
    return json.dumps({"reason": reason, "score": str(value)})


class Scripted:
    """Chat model that gives the replies of a list in order, then the last again."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        text = self.replies[min(len(self.requests), len(self.replies)) - 1]
        return await FunctionModel(lambda _: text).complete(request)


def judge_of(model: ChatModel | Callable[[Request], str], name: str = "judge-7b") -> JudgeModel:
    """Return a judge that is this model or function."""
    chat = FunctionModel(model) if not hasattr(model, "complete") else model  # pyright: ignore
    return JudgeModel(model=name, endpoints=(JudgeEndpoint(chat=chat),))  # pyright: ignore[reportArgumentType]


def bench_of(
    judge: JudgeModel,
    samples: int | None = None,
    cache: ReplyCache | None = None,
    temperature: float | None = None,
    at_once: int = 2,
) -> JudgeSetup:
    return JudgeSetup(
        judge=judge,
        sampling=Sampling(samples=samples, temperature=temperature),
        cache=cache or memory_cache(),
        at_once=at_once,
    )


def task(metric: str = "RP", seat: str = NAMES[0], scale: Scale | None = None) -> Task:
    """Return a task on one seat."""
    return Task(
        metric=metric,
        match="m1",
        seat=seat,
        language="en",
        material=f'{seat}: "I was in the library."',
        demand="How good is it?",
        scale=scale or Scale(form="number", high=10),
    )


def verdict(value: float | None = 5.0, **values: object) -> JudgeVerdict:
    """Return a judgement of one sample."""
    given: dict[str, object] = {
        "metric": "RP",
        "match": "m1",
        "seat": NAMES[0],
        "judge": "judge-7b 0123",
        "prompt": "abc",
        "temperature": 0.0,
        "samples": (JudgeSample(number=0, value=value),),
        "value": value,
        "reason": "because",
    }
    return JudgeVerdict(**(given | values))  # pyright: ignore[reportArgumentType]


def texts_of(tasks: Sequence[Task]) -> str:
    """Return everything that a judge reads of tasks."""
    return "\n".join(f"{one.material}\n{one.demand}" for one in tasks)
