"""Limits of a seat's model, and the policies for prompts that exceed them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.memory.embedding import Embedder
from arena.memory.ngram_embedder import NGRAMS
from arena.memory.search_log import SearchLog
from arena.models.chat import Message
from scripts_mm.script import Picture

PictureMode = Literal["inline", "notes", "board"]
"""`inline`: prompts contain the pictures. `notes`: a call describes each picture, and prompts
contain its description instead. `board`: several pictures are composed into one."""

Overflow = Literal["retrieve", "summarise", "drop_oldest"]
"""Policy for role and log if they exceed the context."""


Replies = Literal["free", "extractive"]
"""`free`: the model writes the texts of its replies. `extractive`: it chooses them from the
sentences of its prompt (`arena.players.replies.extraction`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Token limits of the private script and of the talk in a prompt."""

    script: int
    dialogue: int
    introduction: int
    """Limit of the script, in the prompt of an introduction."""
    quiz: int
    """Limit of the script, and of the talk, in a probe."""

    def of(self, request: DecisionRequest) -> tuple[int, int]:
        """Return the limits of script and talk in the prompt of a request, in tokens."""
        if request.is_probe:
            return self.quiz, self.quiz
        is_introduction = request.purpose == Purpose.INTRODUCE
        return self.introduction if is_introduction else self.script, self.dialogue


_REPLY_SHARE = 4
"""A reply takes at most 1 / this share of the context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """Limits of a model, from its server and its profile; a player's options can lower them.

    They include the settings that all players of the model share: pictures and memory.
    """

    reply_tokens: int
    """Tokens of one reply, at most."""
    context_tokens: int | None
    """Tokens of a prompt and its reply together; None: the server does not report it."""
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt, pictures included."""
    exact: bool
    """Whether `count` uses the model's tokenizer; else it returns high estimates."""
    count_text: Callable[[str], int] | None = None
    """Tokens of a text without the chat template; None: only `count` is available."""
    pictures: int | None = None
    """Pictures in one prompt, at most; None: no known limit."""
    picture_mode: PictureMode = "inline"
    overflow: Overflow | None = None
    """None: the player's default."""
    replies: Replies = "free"
    keeps_whole: bool = False
    """A prompt must be complete: if it exceeds the context, no policy applies."""
    context_budget: int = 0
    """Tokens of a prompt and its reply together, at most; 0: the whole context."""
    compose: Callable[[Sequence[Picture]], Picture] | None = None
    """Composes several pictures into one and saves it; None: not available."""
    embedder: Embedder = NGRAMS
    """Embedder of the seat's memory search."""
    shares: Shares | None = None
    """Limits of script and talk in a prompt if `overflow` is `retrieve`; None: no limits."""
    searches: SearchLog | None = None
    """Records the hits of a match's searches; None: they are not recorded."""


def cap_reply_tokens(reply: int, *most: int | None) -> int:
    """Return `reply` tokens, reduced to a reply's share of each context in `most` (tokens).

    0 and None mean no limit.
    """
    return min([reply, *(max(1, n // _REPLY_SHARE) for n in most if n)])
