"""The fake model's tokens: four characters each, named by a number that their letters give."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

from arena.models.chat import Message
from scripts_mm.script import Picture

CHARS_PER_TOKEN = 4
BEGIN, END, PLACEHOLDER = 1, 2, 3
_SPECIAL, _WORDS = 100, 60_000


def ids_of(text: str) -> list[int]:
    """Return the tokens of `text`, none of them special."""
    pieces = [text[at : at + CHARS_PER_TOKEN] for at in range(0, len(text), CHARS_PER_TOKEN)]
    return [_SPECIAL + crc32(piece.encode(errors="replace")) % _WORDS for piece in pieces]


def tokens_of(text: str) -> int:
    """Return how many tokens the fake model counts."""
    return -(-len(text) // CHARS_PER_TOKEN)


def shown(ids: Sequence[int]) -> str:
    """Return tokens as text of which each takes one token again."""
    return "".join(f"{number:04x}" for number in ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeTokens:
    """A prompt in the fake model's tokens."""

    text: bytes
    pictures: tuple[Picture, ...]


@dataclass(slots=True)
class FakePromptTokenizer:
    """Spells prompts that only grow: a reply stands as the tokens that came."""

    asked_first: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    def ids(self, messages: Sequence[Message]) -> list[int]:
        """Return the prompt, opened for the reply."""
        ids: list[int] = []
        for message in messages:
            reply = list(message.ids) or ids_of(message.text)
            closed = reply if reply[-1:] == [END] else [*reply, END]
            placeholder = [PLACEHOLDER] if message.picture else []
            opened = [BEGIN, *ids_of(message.role)]
            ids += [*opened, *placeholder, *closed]
        return [*ids, BEGIN, *ids_of("assistant")]

    def encode(self, messages: Sequence[Message]) -> FakeTokens:
        """Return the prompt with its pictures in order."""
        return FakeTokens(
            text=",".join(map(str, self.ids(messages))).encode(),
            pictures=tuple(message.picture for message in messages if message.picture),
        )

    def first_tokens(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the token with which each option begins; None where two begin alike."""
        self.asked_first.append(tuple(options))
        first = tuple(ids_of(option)[0] for option in options)
        return first if len(set(first)) == len(first) else None
