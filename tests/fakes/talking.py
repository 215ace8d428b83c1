"""How the fake model answers a question: as far as it may, in the tokens that it may use."""

from dataclasses import dataclass

from tests.fakes.questions import Question
from tests.fakes.replies import constraint_of, logprobs_of, said
from tests.fakes.tokens import (
    CHARS_PER_TOKEN,
    END,
    ids_of,
    shown,
    tokens_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the fake model said."""

    text: str
    ids: list[int]
    tokens: int
    finish: str
    logprobs: dict[int, float] | None = None

    def kept(self, question: Question) -> str:
        """Return the reply as it stands in later prompts that came in the same way."""
        return shown(self.ids[:-1]) if question.in_tokens else self.text


def reply_to(question: Question, *, context: int | None, unconstrained: bool) -> Reply:
    """Return the reply, which obeys the constraint unless told otherwise."""
    if question.allowed and not unconstrained:
        return _one_of(question)
    # vLLM answers with as many tokens as the context leaves.
    prompt = tokens_of(question.prompt)
    most = min(question.most, (context or question.most + prompt) - prompt)
    constraint = {} if unconstrained else constraint_of(question.sampling)
    whole = said(question.prompt, constraint)
    text = whole[: most * CHARS_PER_TOKEN]
    ended = text == whole
    return Reply(
        text=text,
        ids=ids_of(text) + [END] * ended,
        tokens=tokens_of(text),
        finish="stop" if ended else "length",
    )


def _one_of(question: Question) -> Reply:
    likely = logprobs_of(question.prompt, question.allowed)
    best = max(question.allowed, key=lambda number: likely[number])
    return Reply(
        text=shown([best]),
        ids=[best],
        tokens=1,
        finish="length",
        logprobs={number: likely[number] for number in question.weighed},
    )
