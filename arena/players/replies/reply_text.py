"""The parts of a model's text: its thought, what it says, its fields. No text is ever executed.

Every pattern here runs in time linear in the text: a reply comes from a model and may be anything.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

_THINK_OPEN = re.compile(r"<(?:think|thinking|thought)>", re.IGNORECASE)
_THINK_CLOSE = re.compile(r"</(?:think|thinking|thought)>", re.IGNORECASE)
_FENCE = "```"
_FENCE_LANGUAGE = re.compile(r"[\w+-]{0,20}[ \t]{0,20}\n")

_FLAGS = re.IGNORECASE | re.MULTILINE
# Of an integer with thousands of digits, `int` refuses to read the value.
_DECODER = json.JSONDecoder(strict=False, parse_int=float)
_MOST_OBJECTS = 5
"""Opening braces at which an object is looked for."""


def strip_thinking(text: str) -> str | None:
    """Return `text` without what a model thought between tags; None: the thought has no end.

    The opening tag may be missing, where a chat template has put it into the prompt.
    """
    ends = [found.end() for found in _THINK_CLOSE.finditer(text)]
    said = text[ends[-1] :] if ends else text
    return None if _THINK_OPEN.search(said) else said.strip()


def strip_fence(text: str) -> str:
    """Return what the first code fence in `text` holds; `text` itself where there is none."""
    _, fence, rest = text.partition(_FENCE)
    if not fence:
        return text.strip()
    if language := _FENCE_LANGUAGE.match(rest):
        rest = rest[language.end() :]
    return rest.partition(_FENCE)[0].strip() or text.strip()


def extract_fields(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the fields `names` of the JSON object in `text`, as far as they can be read.

    An object that was cut off by the token limit gives what precedes the cut; lines such as
    `target: name` are read where there is no object.
    """
    for body in dict.fromkeys((strip_fence(text), text)):
        for candidate in (*_objects(body), _read_labels(body, names)):
            found = {
                name: value.strip()
                for name in names
                if isinstance(value := candidate.get(name), str)
            }
            if found:
                return found
    return {}


def _objects(body: str) -> Iterator[Mapping[str, object]]:
    start = -1
    for _ in range(_MOST_OBJECTS):
        start = body.find("{", start + 1)
        if start < 0:
            return
        yield _read_object(body[start:])


def _read_object(body: str) -> Mapping[str, object]:
    """Return the object at the start of `body`; one that was cut off is closed first."""
    cut = body.rstrip().rstrip("\\")
    without = cut.rstrip(" \t\n,")
    for closed in (body, f'{cut}"}}', f"{without}}}", f'{cut}""}}', f'{cut}":""}}', f'{cut}:""}}'):
        try:
            found: object = _DECODER.raw_decode(closed)[0]
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return cast("dict[str, object]", found)
    return {}


def _read_labels(body: str, names: Sequence[str]) -> Mapping[str, object]:
    wanted = "|".join(re.escape(name) for name in names)
    label = re.compile(rf"^[^\w\n]{{0,20}}({wanted})[^\w\n:：]{{0,20}}[:：]\s?", _FLAGS)
    known = {name.casefold(): name for name in names}
    marks = list(label.finditer(body)) if names else []
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    return {
        known[mark[1].casefold()]: body[mark.end() : end].strip(" \t\n,\"'“”*{}")
        for mark, end in zip(marks, ends, strict=False)
    }
