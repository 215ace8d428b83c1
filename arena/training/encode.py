"""Encoding of conversations as tokens: the model's inputs, and the tokens that it learns."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import jinja2
from tokenizers import Tokenizer

from arena.models.chat import Message
from arena.players.replies.extractive_thought import EVIDENCE, SUSPECT
from arena.training.lookup import POINT, TALLY, AttentionTarget, Repeat, Span, find_targets
from scripts_mm.generate.pictures.small_pictures import SQUARE
from serving.standin.bpe_tokenizer import END_OF_TURN, IMAGE

TEMPLATE: Final = Path(__file__).with_name("chat_template.jinja")
_START: Final = "<|im_start|>"
_ASSISTANT: Final = "assistant"
_USER: Final = f"{_START}user"
_NEAR: Final = 3
"""Maximum squares between two consecutive reads."""
_QUOTED: Final = re.compile(r"“[^”]*”")
_CHAIN: Final = re.compile(rf'{{"{EVIDENCE}": "(.*?)", "{SUSPECT}": ')
"""A thought: its suspect is what its evidence asks for, as a question asks for an answer."""
_REPLY: Final = re.compile(r"<\|im_start\|>assistant\n(.*?)<\|im_end\|>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSample:
    """One training sequence."""

    kind: str
    ids: tuple[int, ...]
    learned: tuple[bool, ...]
    """By token: whether it is in a reply, so that the model learns it."""
    pictures: tuple[bytes, ...] = ()
    """Picture files, in the order of their placeholders."""
    goals: tuple[AttentionTarget, ...] = ()
    """Attention targets."""


def encode(
    tokenizer: Tokenizer,
    kind: str,
    messages: Sequence[Message],
    pictures: Mapping[str, bytes] | None = None,
    sources: Sequence[tuple[str, str]] = (),
) -> TrainingSample:
    """Return a conversation as a training sequence; `messages` end with a reply.

    `pictures` are files by content hash; without them, messages must not have pictures. `sources`
    are sentences of replies, each with the passage of the prompt that it repeats.
    """
    text = render(messages)
    encoded = tokenizer.encode(text, add_special_tokens=False)
    shown = [one.picture for one in messages if one.picture is not None]
    files = tuple((pictures or {})[one.sha256] for one in shown)
    squares = iter([one.width * one.height // SQUARE**2 for one in shown])
    place = token_id(tokenizer, IMAGE)
    ids: list[int] = []
    moved: list[int] = []
    for written in encoded.ids:
        moved.append(len(ids))
        ids += [place] * next(squares) if written == place else [written]
    goals = tuple(_goals(text, ids, _TokenSpans(encoded.offsets, [*moved, len(ids)]), sources))
    start, end = token_id(tokenizer, _START), token_id(tokenizer, END_OF_TURN)
    head = tokenizer.encode(f"{_ASSISTANT}\n", add_special_tokens=False).ids
    learned = [False] * len(ids)
    for at, one in enumerate(ids):
        body = at + 1 + len(head)
        if one == start and ids[at + 1 : body] == head:
            stop = ids.index(end, body)
            learned[body : stop + 1] = [True] * (stop + 1 - body)
    return TrainingSample(
        kind=kind, ids=tuple(ids), learned=tuple(learned), pictures=files, goals=goals
    )


class _TokenSpans:
    """Token spans of a text's characters."""

    def __init__(self, offsets: Sequence[tuple[int, int]], moved: Sequence[int]) -> None:
        self._starts = [start for start, _ in offsets]
        self._ends = [end for _, end in offsets]
        self._moved = moved

    def span(self, at: int, length: int) -> Span:
        """Return the tokens of `length` characters from `at` on."""
        first, last = bisect_right(self._ends, at), bisect_left(self._starts, at + length)
        return self._moved[first], self._moved[last]


def _goals(
    text: str, ids: Sequence[int], places: _TokenSpans, sources: Sequence[tuple[str, str]]
) -> list[AttentionTarget]:
    """Return the attention targets for replies that repeat passages of the prompt."""
    tokens = places.span
    passages = {told: text.find(told) for _, told in sources}
    found: list[Repeat] = []
    for reply in re.finditer(_REPLY, text):
        before = text.rfind(_USER, 0, reply.start())
        quoted = [*re.finditer(_QUOTED, text[before : reply.start()])]
        question = None
        if quoted and quoted[-1][0][-2] in "?？":
            last = quoted[-1]
            question = tokens(before + last.start(), last.end() - last.start())
        evidence = _CHAIN.match(reply[1])
        for spoken, told in sources:
            at = reply[1].find(spoken)
            if at >= 0 and 0 <= passages[told] < reply.start():
                span = tokens(reply.start(1) + at, len(spoken))
                asked, source = question, None
                if evidence is not None and at >= evidence.end():
                    asked = tokens(reply.start(1) + evidence.start(1), len(evidence[1]))
                    places_of = [passages[s] for spoken, s in sources if spoken == evidence[1]]
                    source = next((tokens(p, len(evidence[1])) for p in places_of if p >= 0), None)
                found.append(Repeat(span, tokens(passages[told], len(told)), asked, source))
    known = [tokens(at, len(told)) for told, at in passages.items() if at >= 0]
    return find_targets(ids, known, found)


def reading_targets(
    sample: TrainingSample,
    place: int,
    printed: Sequence[Sequence[Sequence[int]]],
    exact: Sequence[frozenset[int]],
) -> Iterator[AttentionTarget]:
    """Yield the targets of a reply that reads: the square over which the next token is printed.

    If there are several, the target is one that follows the last square read, or else any of them.
    `place` is the placeholder token of a picture. By reply, each about the next picture: the tokens
    over its squares, and those that must be exact.
    """
    squares = iter([at for at, one in enumerate(sample.ids) if one == place])
    known = sample.learned
    starts = [at for at in range(1, len(known)) if known[at] and not known[at - 1]]
    for start, tokens, wanted in zip(starts, printed, exact, strict=True):
        ours = [next(squares) for _ in tokens]
        before = None
        for at in range(start, known.index(False, start)):
            one = sample.ids[at]
            where = [p for p, ids in zip(ours, tokens, strict=True) if one in ids]
            if before is not None and (near := [p for p in where if 0 < p - before <= _NEAR]):
                where = near[:1]
            if len(where) == 1:
                before = where[0]
            if where and one in wanted:
                yield AttentionTarget(POINT, at - 1, tuple((p, p + 1) for p in where))


def ballot_targets(
    tokenizer: Tokenizer, sample: TrainingSample, names: Iterable[str]
) -> Iterator[AttentionTarget]:
    """Yield the targets of a ballot: the first token of each quoted name, one target each.

    Conclusions quote whom they accuse; no other quotation ends with a whole name.
    """
    at = sample.learned.index(True) - 1
    end = tokenizer.encode("”", add_special_tokens=False).ids
    for name in names:
        wanted = [*tokenizer.encode(name, add_special_tokens=False).ids, *end]
        for first in range(1, at - len(wanted)):
            if [*sample.ids[first : first + len(wanted)]] == wanted:
                yield AttentionTarget(TALLY, at, ((first, first + 1),))


def token_id(tokenizer: Tokenizer, word: str) -> int:
    """Return the id of a special token."""
    found = tokenizer.token_to_id(word)
    assert found is not None, f"the tokenizer has no token {word!r}"
    return found


def render(messages: Iterable[Message]) -> str:
    """Return a conversation rendered by the chat template."""
    listed: list[dict[str, object]] = []
    for one in messages:
        content: object = one.text
        if one.picture is not None:
            content = [{"type": "text", "text": one.text}, {"type": "image"}]
        listed.append({"role": one.role, "content": content})
    return _template().render(messages=listed, add_generation_prompt=False)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(autoescape=False)  # noqa: S701 - a prompt, not a page
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8"))


def save_json(path: Path, value: object) -> None:
    """Write a JSON file in the format of checkpoints."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
