"""Reply format of models whose chat template has no special tokens around a reply."""

from dataclasses import dataclass, replace
from typing import Final

from arena.models.chat import Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFormat:
    """Text before and after the words of a model's replies."""

    prefix: str = ""
    """The space after a colon that ends the template. Most tokenizers join it with the first word,
    so the first token of an option includes it."""
    stop: tuple[str, ...] = ()
    """Texts that start another speaker, with which the model would continue."""
    markers: tuple[str, ...] = ()
    """Texts that the server interprets, such as the marker of a picture."""


_LOOKALIKES: Final = str.maketrans({"#": "＃", "<": "‹", ">": "›", "|": "｜"})

PLAIN_REPLIES: Final = ReplyFormat()
"""Format of replies without a prefix that end with a special token."""


def truncate_at_stop(completion: Completion, stop: tuple[str, ...]) -> Completion:
    """Truncate the completion before the first of `stop`; unchanged without stop strings.

    A partial stop string at the end is removed too, because the reply may have run out of tokens
    inside it, and so is the space before it. Leading space stays: a template that ends with a colon
    expects it in later prompts. A truncated reply loses its `ids`, which no longer match its text.
    """
    if not stop:
        return completion
    text = completion.text
    at = min((place for one in stop if (place := text.find(one)) >= 0), default=None)
    finish = completion.finish if at is None else "stop"
    kept = _drop_partial_stop(text[:at].rstrip(), stop).rstrip()
    if kept == text:
        return completion
    return replace(completion, text=kept, finish=finish, ids=())


def escape_markers(completion: Completion, markers: tuple[str, ...]) -> Completion:
    """Replace each of `markers` in the completion by similar characters without a meaning.

    Replies return to the server in later prompts. A reply within a grammar can contain a stop
    string, and the marker of a picture would request a picture that does not exist.
    """
    text = completion.text
    for marker in markers:
        text = text.replace(marker, marker.translate(_LOOKALIKES))
    return completion if text == completion.text else replace(completion, text=text, ids=())


def _drop_partial_stop(text: str, stop: tuple[str, ...]) -> str:
    """Return `text` without a partial stop string on a separate line at its end."""
    lines = text.splitlines()
    last = lines[-1].strip() if lines else ""
    return text.removesuffix(last) if last and any(s.startswith(last) for s in stop) else text
