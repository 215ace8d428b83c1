"""Parts of a model's text: its thought, its speech, its fields. No text is ever executed.

All patterns here run in time linear in the text, since a model's reply is untrusted.
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
# `int` refuses to parse an integer with thousands of digits.
_DECODER = json.JSONDecoder(strict=False, parse_int=float)
_MOST_OBJECTS = 5
"""Opening braces at which the parser tries to find an object, at most."""


def strip_thinking(text: str) -> str | None:
    """Return `text` without the model's thought between tags; None: the thought has no end.

    The opening tag can be missing, since some chat templates put it into the prompt.
    """
    ends = [found.end() for found in _THINK_CLOSE.finditer(text)]
    said = text[ends[-1] :] if ends else text
    return None if _THINK_OPEN.search(said) else said.strip()


def strip_fence(text: str) -> str:
    """Return the content of the first code fence in `text`; without one, `text` itself."""
    _, fence, rest = text.partition(_FENCE)
    if not fence:
        return text.strip()
    if language := _FENCE_LANGUAGE.match(rest):
        rest = rest[language.end() :]
    return rest.partition(_FENCE)[0].strip() or text.strip()


def extract_fields(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the fields `names` of the JSON object in `text`, as far as they can be parsed.

    An object that the token limit cut off gives the fields before the cut; without an object, lines
    such as `target: name` are parsed.
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
