"""Verification that a chat template renders and tokenises message by message.

A template is a program, so this cannot be read from its text. The checks render sample
conversations in full and by increments, and compare. The samples trigger what known templates do: a
default system text, thoughts removed from earlier replies, trimmed or numbered messages, pictures
first. Their texts contain characters whose tokens tend to merge with neighbours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from arena.models.chat import Message
from arena.models.tokens.incremental_template import IncrementalTemplate, Role
from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.placeholder import SAMPLE_PICTURE
from arena.models.tokens.tokenizer import Ids, Tokenizer

_TEXTS: Final = (
    "Who was in the garden?",
    "\n\n 谁在花园里？\n",
    "",
    "  {{ it }} {% was %} <b>late</b>\n\n\n",
    "No.\u0338 \U0001f56f",
)
_REPLIES: Final = (
    "I was.",
    "<think>\nShe lies.\n</think>\n\nI saw nothing.",
    "看见了。 ",
    '{"thought": "he lies", "speech": "No"}',
    "<think>\n\n</think>\n\nNo.",
    "So he lied.</think>No.",
)
_SHAPES: Final = ("suuauuuauauaua", "uuauauaauu", "sauauauaua", "uaus")
"""Roles by message: s for system, u for user, a for assistant."""

_ROLES: Final[dict[str, Role]] = {"s": "system", "u": "user", "a": "assistant"}
_EXCERPT_CHARS: Final = 60


def verify_template(
    incremental: IncrementalTemplate, tokenizer: Tokenizer, *, pictures: bool
) -> None:
    """Raise `TemplateError` unless each prompt is the concatenation of independent increments."""
    # Two conditions: the texts agree, and each increment starts at a token boundary. Together they
    # make the tokens of the increments equal to the tokens of the whole.
    _check_boundaries(incremental, tokenizer)
    for messages in _sample_conversations(pictures=pictures):
        joined, before = incremental.render_initial(messages[0]), messages[0].role
        for spoken, message in enumerate(messages[1:], 1):
            _check_prefix(incremental, messages[:spoken], joined)
            piece = incremental.render_increment(before, message)
            _check_boundary(incremental, tokenizer, piece)
            joined, before = joined + piece, message.role
        _check_prefix(incremental, messages, joined)


def verify_token_ids(
    encode: Callable[[Sequence[Message]], Ids],
    incremental: IncrementalTemplate,
    tokenizer: Tokenizer,
    *,
    pictures: bool,
) -> None:
    """Raise `TemplateError` if `encode` yields other tokens than the rendered whole prompt."""
    for messages in _sample_conversations(pictures=pictures):
        whole = tokenizer.encode(incremental.template.render(messages, opened=True))
        if encode(messages) != whole:
            raise TemplateError(
                f"the tokenizer in {incremental.template.folder!r} should give each message the "
                "tokens that it has in the whole prompt, but does not; use the chat endpoint"
            )


def _sample_conversations(*, pictures: bool) -> Iterator[tuple[Message, ...]]:
    for turn, shape in enumerate(_SHAPES):
        messages = tuple(
            Message(
                role=_ROLES[letter],
                text=(_REPLIES if letter == "a" else _TEXTS)[(turn + at) % _count(letter)],
            )
            for at, letter in enumerate(shape)
        )
        yield messages
        if pictures:
            yield tuple(
                replace(message, picture=SAMPLE_PICTURE) if message.role == "user" else message
                for message in messages
            )


def _count(letter: str) -> int:
    return len(_REPLIES if letter == "a" else _TEXTS)


def _check_prefix(
    incremental: IncrementalTemplate, messages: Sequence[Message], joined: str
) -> None:
    """Compare the rendered prompt with its concatenated increments."""
    seen = incremental.template.render(messages, opened=True)
    expected = joined + incremental.generation_prompts[messages[-1].role]
    if seen == expected:
        return
    pairs = enumerate(zip(seen, expected, strict=False))
    shorter = min(len(seen), len(expected))
    at = max(0, next((place for place, (a, b) in pairs if a != b), shorter) - _EXCERPT_CHARS // 3)
    raise TemplateError(
        f"the chat template in {incremental.template.folder!r} should leave earlier messages as "
        f"they are, but after {len(messages)} messages {expected[at:][:_EXCERPT_CHARS]!r} reads "
        f"{seen[at:][:_EXCERPT_CHARS]!r}; use the chat endpoint"
    )


def _check_boundaries(incremental: IncrementalTemplate, tokenizer: Tokenizer) -> None:
    for opening in incremental.generation_prompts.values():
        _check_boundary(incremental, tokenizer, opening)
    _check_boundary(incremental, tokenizer, incremental.reply_suffix)


def _check_boundary(incremental: IncrementalTemplate, tokenizer: Tokenizer, piece: str) -> None:
    mark = tokenizer.leading_added_token(piece)
    if mark is None or not tokenizer.is_boundary(mark):
        raise TemplateError(
            f"the chat template in {incremental.template.folder!r} should begin messages and end "
            f"replies with a special token, but there is {piece[:_EXCERPT_CHARS]!r}; "
            "use the chat endpoint"
        )
