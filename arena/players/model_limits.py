"""Limits of a seat's model, and the policies that apply beyond them."""

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
"""What happens to role and log where they exceed the context."""


Replies = Literal["free", "extractive"]
"""`free`: the model writes the texts of its replies. `extractive`: it chooses them from the
sentences of its prompt (`arena.players.replies.extraction`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Tokens of the private script and of what was said in a prompt, at most."""

    script: int
    dialogue: int
    introduction: int
    """Of the script, in the prompt of an introduction."""
    quiz: int
    """Of the script, and of the talk, in a question of the platform."""

    def of(self, request: DecisionRequest) -> tuple[int, int]:
        """Return the tokens of the script and of the talk in the prompt of a request."""
        if request.is_probe:
            return self.quiz, self.quiz
        is_introduction = request.purpose == Purpose.INTRODUCE
        return self.introduction if is_introduction else self.script, self.dialogue


_REPLY_SHARE = 4
"""A reply takes at most 1 / this part of the context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """Limits of a model, from its server and its profile; a player's options may lower them.

    With them comes what the players of the model share: pictures and memory.
    """

    reply_tokens: int
    """Of one reply, at most."""
    context_tokens: int | None
    """Of a prompt and its reply together; None: the server does not report it."""
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages in a prompt, pictures included."""
    exact: bool
    """Whether `count` uses the model's own tokenizer; else it returns high estimates."""
    count_text: Callable[[str], int] | None = None
    """Tokens of a text by itself, without a template; None: only `count` is available."""
    pictures: int | None = None
    """In one prompt, at most; None: no known limit."""
    picture_mode: PictureMode = "inline"
    overflow: Overflow | None = None
    """None: the player's default."""
    replies: Replies = "free"
    keeps_whole: bool = False
    """Nothing may be left out of a prompt: where it exceeds the context, no policy applies."""
    context_budget: int = 0
    """Of a prompt and its reply together, at most; 0: all that the context holds."""
    compose: Callable[[Sequence[Picture]], Picture] | None = None
    """Composes several pictures into one and saves it; None: not available."""
    embedder: Embedder = NGRAMS
    """Makes the vectors by which a seat searches its memory."""
    shares: Shares | None = None
    """Of script and talk in a prompt, where `overflow` is `retrieve`; None: no limits."""
    searches: SearchLog | None = None
    """Keeps what the searches of a match find; None: nothing is kept."""


def cap_reply_tokens(reply: int, *most: int | None) -> int:
    """Return `reply` tokens, reduced to the share of a reply in a context of `most` tokens.

    0 and None mean no limit.
    """
    return min([reply, *(max(1, n // _REPLY_SHARE) for n in most if n)])
