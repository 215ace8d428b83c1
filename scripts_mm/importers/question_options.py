"""Questions in one string: split off the options, parse the key, pin the order.

A regular question is `stem? a. one b. two`, its answer `b`. Published data deviate in many ways,
so each result records its irregularities.
"""

import re
import string
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from scripts_mm.names import text_form

_MARKER = re.compile(r"(?<![A-Za-z0-9])([a-hA-H])\s*[.．、:：)）](?!\s*[mMgG]\.)\s*")
"""A letter and its stop, not inside a word or at the beginning of `a.m.` or `e.g.`."""
_QUESTION = re.compile(r"[?？]\s*")
_NUMBER = re.compile(r"\s*(\d+)\s*[.．、:：)）]\s*")
_LETTER = re.compile(r"[\s(（\[【\"'“”]*([a-hA-H])[\s)）\]】\"'“”.．、:：,，;；。]*")
_LETTERS = re.compile(r"(?:[a-hA-H](?:\s|[,，、;；/&+和与及]|and)*){2,}[.。]?")
_PINNED = re.compile(
    r"^(?:以上|上述)|(?<![\d十百千万半%])(?:以上|上述)(?:都|皆|均|全|所有|选项|任|各)"
    r"|所有(?:的)?(?:以上|上述|选项|答案)|(?:其他|其余|前[两二三]|后[两二三])(?:个)?(?:选项|者|项)"
    r"|^(?:以上|上述)?(?:都|皆|均|全都|全|全部)(?:不)?(?:是|对|错|正确|不对)?$"
    r"|\b(?:all|none|both|neither|either|any)(?:\s+of)?\s+(?:the\s+)?(?:above|options|others?)\b"
    r"|^(?:all|none|both|neither)(?:\s+of\s+(?:them|these))?$|\bthe above\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![A-Za-z0-9])([a-hA-H])\s*(?:和|与|及|或|又|且|、|,|，|&|\+|\band\b|\bor\b|\bnor\b)"
    r"\s*([a-hA-H])(?![A-Za-z0-9])|(?:选项|\boptions?)\s*([a-hA-H])(?![A-Za-z0-9])"
)
"""Options that refer to other options by letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitQuestion:
    """A question's text, split into stem and options."""

    stem: str
    options: tuple[str, ...]
    """Stripped; empty where fewer than two were found."""
    glued: tuple[str, ...] = ()
    """Letters of markers, except the first, without a space before them."""
    tight: tuple[str, ...] = ()
    """Letters of markers without a space after them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKey:
    """A parsed answer: indexes of correct options, and its irregularity."""

    keys: tuple[int, ...] = ()
    """Empty: the answer cannot be used."""
    code: str | None = None
    """Code of the finding; None: a plain letter."""
    detail: str = ""


def split_options(text: str) -> SplitQuestion:
    """Split a question at the longest chain of markers a, b, c, ... in one letter case.

    Of equally long chains, prefer one after a question mark, then the one that begins last.
    """
    best = _longest_chain(text)
    if len(best) < 2:  # noqa: PLR2004 - one option is not a choice
        return SplitQuestion(stem=text.strip(), options=())
    ends = [marker.start() for marker in best[1:]] + [len(text)]
    return SplitQuestion(
        stem=text[: best[0].start()].strip(),
        options=tuple(text[one.end() : end].strip() for one, end in zip(best, ends, strict=True)),
        glued=tuple(one[1] for one in best[1:] if not text[one.start() - 1].isspace()),
        tight=tuple(one[1] for one in best if not one[0][-1].isspace()),
    )


def is_numbered(texts: Sequence[str]) -> bool:
    """Return whether the whole list is numbered 1, 2, ..., n: one stem can begin with a digit."""
    found = [_NUMBER.match(text) for text in texts]
    numbers = [int(one[1]) for one in found if one is not None]
    return len(texts) > 1 and numbers == [*range(1, len(texts) + 1)]


def strip_number(text: str) -> str:
    """Return `text` without the number at its beginning."""
    return _NUMBER.sub("", text, count=1)


def is_pinned(options: Sequence[str]) -> bool:
    """Return whether an option refers to letters or to the other options."""
    last = string.ascii_lowercase[max(len(options) - 1, 0)]
    return any(
        _PINNED.search(option)
        or any(
            all(letter.lower() <= last for letter in found.groups() if letter)
            for found in _NAMED.finditer(option)
        )
        for option in options
    )


def parse_key(answer: str, options: Sequence[str]) -> AnswerKey:
    """Return the key that `answer` states; equal options are all correct."""
    plain = unicodedata.normalize("NFKC", answer).strip()
    if not plain:
        return AnswerKey(code="no-key", detail="the answer is empty")
    if not options:
        return AnswerKey(code="key-without-options", detail=f"the answer is {plain!r}")
    if (letter := _LETTER.fullmatch(plain)) is not None:
        return _parse_letters(letter[1], plain, options)
    said = text_form(plain)
    keys = tuple(at for at, option in enumerate(options) if text_form(option) == said)
    if keys:
        return AnswerKey(keys=keys, code="key-is-text", detail=f"the answer is {plain!r}")
    return _parse_several(plain, options)


def _longest_chain(text: str) -> list[re.Match[str]]:
    """Return the markers to split at: a chain of consecutive letters."""
    markers = list(_MARKER.finditer(text))
    follows: list[int | None] = [None] * len(markers)
    lengths = [1] * len(markers)
    nearest: dict[str, int] = {}
    for at in range(len(markers) - 1, -1, -1):
        letter = markers[at][1]
        follows[at] = nearest.get(chr(ord(letter) + 1))
        lengths[at] += lengths[after] if (after := follows[at]) is not None else 0
        nearest[letter] = at
    asked = {question.end() for question in _QUESTION.finditer(text)}
    starts = [at for at, marker in enumerate(markers) if marker[1] in "aA"]
    at = max(starts, key=lambda at: (lengths[at], markers[at].start() in asked, at), default=None)
    chain: list[re.Match[str]] = []
    while at is not None:
        chain.append(markers[at])
        at = follows[at]
    return chain


def _parse_letters(letters: str, answer: str, options: Sequence[str]) -> AnswerKey:
    """Parse one letter or several."""
    indexes = sorted({string.ascii_lowercase.index(letter) for letter in letters.lower()})
    detail = f"the answer is {answer!r}"
    if indexes[-1] >= len(options):
        detail = f"{detail}, but there are {len(options)} options"
        return AnswerKey(code="key-out-of-range", detail=detail)
    right = {text_form(options[at]) for at in indexes}
    keys = tuple(at for at, option in enumerate(options) if text_form(option) in right)
    if len(indexes) > 1:
        return AnswerKey(keys=keys, code="several-keys", detail=detail)
    if len(letters) > 1:
        return AnswerKey(keys=keys, code="key-repeated", detail=detail)
    if len(keys) > 1:
        named = ", ".join(string.ascii_lowercase[at] for at in keys)
        detail = f"options {named} have the same text, so all of them are correct"
        return AnswerKey(keys=keys, code="equal-right-options", detail=detail)
    plain = answer in string.ascii_lowercase
    return AnswerKey(keys=keys) if plain else AnswerKey(keys=keys, code="key-form", detail=detail)


def _parse_marked(marked: re.Match[str], answer: str, options: Sequence[str]) -> AnswerKey:
    """Parse `b. text`: the letter counts unless the text is another option's."""
    read = _parse_letters(marked[1], answer, options)
    said = text_form(answer[marked.end() :])
    others = [text_form(one) for at, one in enumerate(options) if at not in read.keys]
    if read.keys and said in others:
        detail = f"the answer is {answer!r}: its letter and its text belong to different options"
        return AnswerKey(code="key-contradicts-itself", detail=detail)
    code = "key-with-text" if read.keys else read.code
    return AnswerKey(keys=read.keys, code=code, detail=read.detail or f"the answer is {answer!r}")


def _parse_several(answer: str, options: Sequence[str]) -> AnswerKey:
    """Parse several letters, joined (`ac`, `bb`) or listed (`a, c`), or a letter and a text."""
    letters = re.sub("and|[^a-h]", "", answer.lower())
    one, several = set(letters[:1]), sorted(set(letters))
    a_word = answer.isalpha() and set(letters) != one and list(letters) != several
    if _LETTERS.fullmatch(answer) is not None and not a_word:
        return _parse_letters(letters, answer, options)
    if (marked := _MARKER.match(answer)) is not None:
        return _parse_marked(marked, answer, options)
    return AnswerKey(code="key-unreadable", detail=f"the answer is {answer!r}")
