"""Where a reply begins and ends whose template has no special tokens for that."""

from dataclasses import dataclass, replace
from typing import Final

from arena.models.chat import Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """What stands before and after the words of a model's replies."""

    lead: str = ""
    """The space after a colon that a template ends with: in most tokenizers it is part of the
    first word, so that an option of one token begins with it."""
    stop: tuple[str, ...] = ()
    """Texts with which the model goes on to another speaker's part."""
    marks: tuple[str, ...] = ()
    """Texts that the server would take for something else than words, such as a picture."""


_ALIKE: Final = str.maketrans({"#": "＃", "<": "‹", ">": "›", "|": "｜"})

ANY: Final = Replies()
"""Replies with nothing before them, which end with a special token."""


def stopped(completion: Completion, stop: tuple[str, ...]) -> Completion:
    """Return the completion up to the first of `stop`; as it is where there are none.

    Cut off too are the beginning of one at the reply's end, where its tokens ran out in the middle
    of it, and the space before it. The space that a reply begins with stays: a template that ends
    with a colon expects it there in later prompts. The tokens of a reply that was cut are not
    those of its text any more, so they are dropped.
    """
    if not stop:
        return completion
    text = completion.text
    at = min((place for one in stop if (place := text.find(one)) >= 0), default=None)
    finish = completion.finish if at is None else "stop"
    kept = _without_beginning(text[:at].rstrip(), stop).rstrip()
    if kept == text:
        return completion
    return replace(completion, text=kept, finish=finish, ids=())


def harmless(completion: Completion, marks: tuple[str, ...]) -> Completion:
    """Return the completion with letters of another shape in each of `marks`.

    It goes back in later prompts as it is. A reply within a grammar is not ended by a stop string,
    and one that holds the mark of a picture would ask for a picture that is not there.
    """
    text = completion.text
    for mark in marks:
        text = text.replace(mark, mark.translate(_ALIKE))
    return completion if text == completion.text else replace(completion, text=text, ids=())


def _without_beginning(text: str, stop: tuple[str, ...]) -> str:
    """Return `text` without the beginning of a stop string that stands on a line of its own."""
    lines = text.splitlines()
    last = lines[-1].strip() if lines else ""
    return text.removesuffix(last) if last and any(s.startswith(last) for s in stop) else text
