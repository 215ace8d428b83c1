"""What a seat's model can take at once, and which policies apply where that is too little."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from arena.models.chat import Message
from scripts_mm.script import Picture

PictureMode = Literal["inline", "notes", "board"]
"""`inline`: pictures stand in the prompt. `notes`: each is read in a call of its own, and its
description stands there instead. `board`: several are composed into one."""

Overflow = Literal["retrieve", "summarise", "drop_oldest"]
"""What happens to role and log where they exceed the context."""


_REPLY_SHARE = 4
"""A reply takes at most one part in so many of the context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """What a model can take, by its server and its profile; a player's options may lower it."""

    reply_tokens: int
    """Of one reply, at most."""
    context_tokens: int | None
    """Of a prompt and its reply together; None: the server does not report it."""
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt, pictures included."""
    exact: bool
    """Whether they are counted with the model's own tokenizer; else they are a guess, too high."""
    count_text: Callable[[str], int] | None = None
    """Tokens of a text by itself, without a template; None: only `count` is available."""
    stop: tuple[str, ...] = ()
    """Texts at which every reply ends."""
    pictures: int | None = None
    """In one prompt, at most; None: no known limit."""
    picture_mode: PictureMode = "inline"
    overflow: Overflow | None = None
    """None: the player's default."""
    context_budget: int = 0
    """Of a prompt and its reply together, at most; 0: all that the context holds."""
    compose: Callable[[Sequence[Picture]], Picture] | None = None
    """Makes one picture of several, kept where the run keeps its pictures; None: it cannot."""


def cap_reply_tokens(reply: int, *most: int | None) -> int:
    """Return how many of `reply` tokens a reply may take where a prompt and it have `most` at most.

    0 and None stand for no limit.
    """
    return min([reply, *(max(1, n // _REPLY_SHARE) for n in most if n)])
