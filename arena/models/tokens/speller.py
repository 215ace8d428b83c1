"""Prompts as token ids that only grow: a reply stands in them as the model returned it.

Example: `spell` of (system, user) is P; the model replies with tokens R; `spell` of (system,
user, reply, user) begins with P + R, whatever tokens the text of R would have been given.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.models.chat import Message
from arena.models.tokens.chunks import MOST_TOKENS, Chunk, ChunkMemory
from arena.models.tokens.files import TemplateError
from arena.models.tokens.pieces import Pieces, Role
from arena.models.tokens.placeholder import Placeholder, find_placeholder
from arena.models.tokens.proof import prove, prove_ids
from arena.models.tokens.template import read_template
from arena.models.tokens.tokenizer import Ids, Tokenizer, read_tokenizer
from scripts_mm.script import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A prompt, opened for the model's reply."""

    ids: Ids
    text: bytes
    """The ids in decimal with commas between them: a JSON list without its brackets."""
    pictures: tuple[Picture, ...]
    """In order; each is one placeholder in `ids`, which the server expands."""
    places: tuple[int, ...]
    """Index in `ids` of each picture's placeholder."""


class Speller:
    """Spells the prompts of one model. Made by `read_speller`.

    A picture's placeholder written out in somebody's words is spelt so that no server takes it
    for a picture: the only texts that stand otherwise than in the rendered template.
    """

    def __init__(
        self,
        pieces: Pieces,
        tokenizer: Tokenizer,
        placeholder: Placeholder,
        *,
        most_tokens: int = MOST_TOKENS,
    ) -> None:
        self._pieces = pieces
        self._tokenizer = tokenizer
        self._placeholder = placeholder
        self._chunks = ChunkMemory(most_tokens)
        self._openings = {
            role: Chunk(ids=tokenizer.ids(text)) for role, text in pieces.openings.items()
        }
        self._closing = tokenizer.ids(pieces.closing)
        mark = tokenizer.mark(pieces.closing)
        assert mark is not None, "proved: replies end with a special token"
        self._mark = mark

    @property
    def remembered(self) -> int:
        """Tokens of the pieces that are remembered, some more for each piece."""
        return self._chunks.held

    def spell(self, messages: Sequence[Message]) -> Spelling:
        """Return the prompt that asks for the next reply; raise `TemplateError` where none can be.

        What was spelt before costs a look-up a message.
        """
        chunks = self._chain(messages)
        ids: Ids = array("I")
        pictures: list[Picture] = []
        places: list[int] = []
        for chunk in chunks:
            if chunk.picture is not None:
                pictures.append(chunk.picture)
                places.append(len(ids) + chunk.place)
            ids.extend(chunk.ids)
        return Spelling(
            ids=ids,
            text=b",".join([chunk.text for chunk in chunks]),
            pictures=tuple(pictures),
            places=tuple(places),
        )

    def count(self, messages: Sequence[Message], picture_tokens: Callable[[Picture], int]) -> int:
        """Return the tokens of the prompt when each placeholder is `picture_tokens` of them."""
        return sum(
            len(chunk.ids) + (picture_tokens(chunk.picture) - 1 if chunk.picture else 0)
            for chunk in self._chain(messages)
        )

    def words(self, text: str) -> int:
        """Return the tokens of `text` by itself, without a template."""
        return len(self._tokenizer.ids(text))

    def first_tokens(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the token with which a reply to a user begins, for each option that it may be.

        None where these do not tell the options apart, or where an option is no whole tokens
        after what the template opens replies with.
        """
        opening = self._openings["user"].ids
        firsts: list[int] = []
        for option in options:
            ids = self._tokenizer.ids(self._pieces.openings["user"] + option)
            if len(ids) <= len(opening) or ids[: len(opening)] != opening:
                return None
            firsts.append(ids[len(opening)])
        return tuple(firsts) if len(set(firsts)) == len(firsts) else None

    def _chain(self, messages: Sequence[Message]) -> list[Chunk]:
        if not messages:
            folder = self._pieces.template.folder
            raise TemplateError(f"a prompt for {folder!r} was to hold messages, but has none")
        before: Role | None = None
        chain: list[Chunk] = []
        for message in messages:
            # A reply is known by its tokens' identity, which its chunk keeps alive: their hash
            # would be worked out anew each time, and replies of one text may differ in tokens.
            shown = message.picture.sha256 if message.picture else ""
            key = (before, message.role, message.text, shown, id(message.ids))
            chunk = self._chunks.get(key)
            if chunk is None:
                chunk = replace(self._spelt(before, message), reply=message.ids)
                self._chunks.keep(key, chunk)
            chain.append(chunk)
            before = message.role
        chain.append(self._openings[messages[-1].role])
        return chain

    def _spelt(self, before: Role | None, message: Message) -> Chunk:
        if before is None:
            return self._told(message, self._pieces.first)
        if message.role != "assistant" or message.picture is not None:
            return self._told(message, lambda plain: self._pieces.later(before, plain))
        return Chunk(ids=self._replied(before, message))

    def _told(self, message: Message, tell: Callable[[Message], str]) -> Chunk:
        ids = self._tokenizer.ids(tell(self._placeholder.defused(message)))
        if message.picture is None:
            return Chunk(ids=ids)
        return Chunk(ids=ids, picture=message.picture, place=self._placeholder.place(ids))

    def _replied(self, before: Role, message: Message) -> Ids:
        """Return the opening, the reply and the rest of what ends a turn."""
        opening = self._openings[before].ids
        if message.ids:
            reply = self._placeholder.without(message.ids, self._tokenizer)
            ids, closing = opening + reply, self._unsaid(reply)
        else:
            ids, closing = self._worded(before, self._placeholder.defused(message)), self._closing
        return ids + closing

    def _worded(self, before: Role, message: Message) -> Ids:
        """Return the opening and a reply of which only the text is known."""
        began, ended = self._pieces.openings[before], self._pieces.closing
        whole = self._pieces.later(before, message)
        if not (whole.startswith(began) and whole.removeprefix(began).endswith(ended)):
            raise TemplateError(
                f"the chat template in {self._pieces.template.folder!r} was to tell a reply "
                f"between {began!r} and {ended!r}, but tells {message.text[:40]!r} otherwise"
            )
        text = whole.removeprefix(began).removesuffix(ended)
        opening = self._openings[before].ids
        ids = self._tokenizer.ids(began + text)
        if ids[: len(opening)] == opening:
            return ids
        # The words and the opening would melt into one token, which the model was not given.
        return opening + self._tokenizer.after(self._mark, text)

    def _unsaid(self, reply: Ids) -> Ids:
        """Return what ends a turn as far as `reply` does not end with its beginning."""
        said = next(
            length
            for length in range(min(len(reply), len(self._closing)), -1, -1)
            if reply[len(reply) - length :] == self._closing[:length]
        )
        return self._closing[said:]


def read_speller(folder: Path, *, most_tokens: int = MOST_TOKENS) -> Speller:
    """Return the speller of a model's folder, proved on conversations of all kinds.

    Raises `TemplateError` where the template rewrites what was said before, where its pieces do
    not begin at a special token (so that each can be made into tokens by itself), or where the
    files are not there. `most_tokens` bounds what is remembered.
    """
    template, tokenizer = read_template(folder), read_tokenizer(folder)
    pieces = Pieces(template)
    placeholder = find_placeholder(folder, pieces, tokenizer)
    prove(pieces, tokenizer, pictures=placeholder.shown)
    speller = Speller(pieces, tokenizer, placeholder, most_tokens=most_tokens)
    prove_ids(
        lambda messages: speller.spell(messages).ids,
        pieces,
        tokenizer,
        pictures=placeholder.shown,
    )
    return speller
