"""A case with questions of every sort, and ways to ask them without a server."""

from collections.abc import Callable
from dataclasses import replace

from arena.models.chat import Completion, Request
from eval.questions.prefix_groups import PictureLimits
from eval.questions.quiz_settings import QuizSettings
from scripts_mm.script import KeyClue, Question, Script
from tests.table import MURDERER, NAMES, case

OPTIONS = ("the tower", "the garden", "the cellar", "the harbour")
NO_TEXTS = PictureLimits(texts={})


def quiz_case() -> Script:
    """Return the small case with questions of seven kinds and a key clue."""
    script = case()
    questions = (
        ask("lsu-own", "lsu", role=NAMES[0]),
        ask("lsu-guilty", "lsu", role=MURDERER),
        ask("tiu-plan", "tiu", clues=("plan",)),
        ask("miu-any", "miu"),
        ask("mmr-0", "mmr", hops=0),
        ask("mmr-2", "mmr", keys=(2,), hops=2),
        replace(ask("obj-two", "obj", keys=(1,)), answer="two"),
        replace(ask("rea-set", "rea", keys=(0, 2)), answer="set"),
        ask("rel-unkeyed", "rel", keys=()),
        replace(ask("inf-pinned", "inf"), pinned=True),
    )
    keys = (KeyClue(id="k", text="KEY-CLUE"), KeyClue(id="again", text="KEY-CLUE"))
    return replace(script, questions=questions, truth=replace(script.truth, key_clues=keys))


def ask(
    name: str,
    kind: str,
    *,
    keys: tuple[int, ...] = (1,),
    role: str | None = None,
    clues: tuple[str, ...] = (),
    hops: int | None = None,
) -> Question:
    """Return a question with four options."""
    return Question(
        id=name,
        kind=kind,  # pyright: ignore[reportArgumentType]
        stem=f"STEM-{name}: where was the lamp?",
        options=OPTIONS,
        keys=keys,
        role=role,
        clues=clues,
        hops=hops,
    )


def settings(**values: object) -> QuizSettings:
    """Return settings, of which `values` are not the default."""
    return QuizSettings(**values)  # pyright: ignore[reportArgumentType]


class CountingModel:
    """Answers with a function, and keeps every request."""

    def __init__(self, reply: Callable[[Request], str]) -> None:
        self.requests: list[Request] = []
        self._reply = reply

    async def complete(self, request: Request) -> Completion:
        """Return the function's text."""
        self.requests.append(request)
        return Completion(
            text=self._reply(request),
            finish="stop",
            prompt_tokens=100,
            output_tokens=1,
            cached_tokens=60,
            seconds=0.5,
        )
