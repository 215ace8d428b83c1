"""Whether a template can be spelt message by message: tried on conversations of all kinds.

A template is a program, so nobody can read this off it. Tried are what the families are known to
do (a default system text, thoughts taken out of earlier replies, trimmed or numbered messages,
pictures first) with texts of which tokens like to melt into their neighbours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from arena.models.chat import Message
from arena.models.tokens.files import TemplateError
from arena.models.tokens.pieces import Pieces, Role
from arena.models.tokens.placeholder import SOME_PICTURE
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
"""Who speaks: s for system, u for user, a for assistant."""

_ROLES: Final[dict[str, Role]] = {"s": "system", "u": "user", "a": "assistant"}
_SHOWN: Final = 60


def prove(pieces: Pieces, tokenizer: Tokenizer, *, pictures: bool) -> None:
    """Raise `TemplateError` where the template is not the sum of pieces that stand alone."""
    _check_beginnings(pieces, tokenizer)
    for messages in _conversations(pictures=pictures):
        joined, before = pieces.first(messages[0]), messages[0].role
        for spoken, message in enumerate(messages[1:], 1):
            _check(pieces, messages[:spoken], joined)
            piece = pieces.later(before, message)
            _check_piece(pieces, tokenizer, piece)
            joined, before = joined + piece, message.role
        _check(pieces, messages, joined)


def prove_ids(
    spelt: Callable[[Sequence[Message]], Ids],
    pieces: Pieces,
    tokenizer: Tokenizer,
    *,
    pictures: bool,
) -> None:
    """Raise `TemplateError` where `spelt` gives other tokens than those of the rendered whole."""
    for messages in _conversations(pictures=pictures):
        whole = tokenizer.ids(pieces.template.render(messages, opened=True))
        if spelt(messages) != whole:
            raise TemplateError(
                f"the tokenizer in {pieces.template.folder!r} was to give each message the tokens "
                "that it has in the whole prompt, but does not; use the chat endpoint"
            )


def _conversations(*, pictures: bool) -> Iterator[tuple[Message, ...]]:
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
                replace(message, picture=SOME_PICTURE) if message.role == "user" else message
                for message in messages
            )


def _count(letter: str) -> int:
    return len(_REPLIES if letter == "a" else _TEXTS)


def _check(pieces: Pieces, messages: Sequence[Message], joined: str) -> None:
    """Compare the prompt that the conversation is with its joined pieces."""
    seen = pieces.template.render(messages, opened=True)
    expected = joined + pieces.openings[messages[-1].role]
    if seen == expected:
        return
    pairs = enumerate(zip(seen, expected, strict=False))
    shorter = min(len(seen), len(expected))
    at = max(0, next((place for place, (a, b) in pairs if a != b), shorter) - _SHOWN // 3)
    raise TemplateError(
        f"the chat template in {pieces.template.folder!r} was to leave earlier messages as "
        f"they are, but after {len(messages)} messages {expected[at:][:_SHOWN]!r} reads "
        f"{seen[at:][:_SHOWN]!r}; use the chat endpoint"
    )


def _check_beginnings(pieces: Pieces, tokenizer: Tokenizer) -> None:
    for opening in pieces.openings.values():
        _check_piece(pieces, tokenizer, opening)
    _check_piece(pieces, tokenizer, pieces.closing)


def _check_piece(pieces: Pieces, tokenizer: Tokenizer, piece: str) -> None:
    mark = tokenizer.mark(piece)
    if mark is None or not tokenizer.divides(mark):
        raise TemplateError(
            f"the chat template in {pieces.template.folder!r} was to begin messages and end "
            f"replies with a special token, but there is {piece[:_SHOWN]!r}; use the chat endpoint"
        )
