"""A judge without a model, as a baseline: the share of the expected words in a text.

It ignores meaning, so a judge that agrees with people no better than this is useless.
"""

import json
from collections.abc import Sequence
from typing import Final

from arena.models.chat import Completion, Request
from eval.judges.judge_model import JudgeEndpoint, JudgeModel
from eval.judges.scales import CORRECT, INCORRECT, Scale
from eval.judges.tasks import Task, render_messages
from eval.metrics.text_tokens import word_tokens

NAME: Final = "words"
_SAME: Final = 0.5
"""The least share of the expected words for a match."""


class WordModel:
    """Chat model that answers tasks by counting words."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = {render_messages(one)[-1].text: one for one in tasks}

    async def complete(self, request: Request) -> Completion:
        """Return the reply immediately."""
        task = self._tasks[request.messages[-1].text]
        return Completion(
            text=json.dumps(_reply(task)),
            finish="stop",
            prompt_tokens=0,
            output_tokens=0,
            cached_tokens=None,
            seconds=0.0,
            model=NAME,
        )


def make_word_judge(tasks: Sequence[Task]) -> JudgeModel:
    """Return the judge of these tasks."""
    return JudgeModel(model=NAME, endpoints=(JudgeEndpoint(chat=WordModel(tasks)),))


def share_of_words(wanted: str, given: str) -> float:
    """Return the share of the distinct words of `wanted` in `given`."""
    words = set(word_tokens(wanted))
    return len(words & set(word_tokens(given))) / len(words) if words else 0.0


def _reply(task: Task) -> dict[str, str]:
    shares = [share_of_words(one, task.given) for one in task.points]
    whole = sum(shares) / len(shares) if shares else 0.0
    reason = f"{whole:.2f} of the words"
    match task.scale.form:
        case "number":
            return {"reason": reason, "score": str(_scale_share(task.scale, whole))}
        case "verdict":
            return {"reason": reason, "verdict": CORRECT if whole >= _SAME else INCORRECT}
        case "points":
            found = [str(n) for n, share in enumerate(shares, start=1) if share >= _SAME]
            return {"reason": reason, "numbers": ", ".join(found)}
        case "parts":
            method, motive = (str(round(100 * share)) for share in shares)
            return {"reason": reason, "method": method, "motive": motive}
        case "text":
            return {"text": task.given or "-"}
        case "pair":
            return {"reason": reason, "better": "equal"}


def _scale_share(scale: Scale, share: float) -> int:
    return round(scale.low + share * (scale.high - scale.low))
