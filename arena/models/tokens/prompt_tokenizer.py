"""Incremental prompt tokenizer: prompts as token ids that grow by appending.

Example: `encode` of (system, user) is P, and the model replies with tokens R. `encode` of (system,
user, reply, user) then begins with P + R, even if the text of R would tokenise differently.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.models.chat import Message
from arena.models.tokens.chat_template import load_template
from arena.models.tokens.chunk_cache import MAX_CACHED_TOKENS, Chunk, ChunkCache
from arena.models.tokens.incremental_template import IncrementalTemplate, Role
from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.placeholder import Placeholder, find_placeholder
from arena.models.tokens.template_verification import verify_template, verify_token_ids
from arena.models.tokens.tokenizer import Ids, Tokenizer, load_tokenizer
from scripts_mm.script import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizedPrompt:
    """Prompt as token ids, with the generation prompt at its end."""

    ids: Ids
    text: bytes
    """The ids in decimal with commas between them: a JSON list without its brackets."""
    pictures: tuple[Picture, ...]
    """Pictures in order; each is one placeholder in `ids`, which the server expands."""
    picture_indices: tuple[int, ...]
    """Index in `ids` of each picture's placeholder."""


class IncrementalPromptTokenizer:
    """Tokenizer of one model's prompts, made by `load_prompt_tokenizer`.

    It escapes a picture's placeholder in the text of a message, so that no server takes it for a
    picture. Everything else is tokenised as in the rendered template.
    """

    def __init__(
        self,
        template: IncrementalTemplate,
        tokenizer: Tokenizer,
        placeholder: Placeholder,
        *,
        max_cached_tokens: int = MAX_CACHED_TOKENS,
    ) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._placeholder = placeholder
        self._chunks = ChunkCache(max_cached_tokens)
        self._generation_prompts = {
            role: Chunk(ids=tokenizer.encode(text))
            for role, text in template.generation_prompts.items()
        }
        self._reply_suffix = tokenizer.encode(template.reply_suffix)
        mark = tokenizer.leading_added_token(template.reply_suffix)
        assert mark is not None, "verify_template: replies end with a special token"
        self._suffix_token = mark

    @property
    def cache_size(self) -> int:
        """Cached tokens, including the overhead of each chunk."""
        return self._chunks.size

    def encode(self, messages: Sequence[Message]) -> TokenizedPrompt:
        """Tokenise the prompt for the next reply, or raise `TemplateError`.

        Each message of an earlier prompt costs one cache look-up.
        """
        chunks = self._encode_messages(messages)
        ids: Ids = array("I")
        pictures: list[Picture] = []
        places: list[int] = []
        for chunk in chunks:
            if chunk.picture is not None:
                pictures.append(chunk.picture)
                places.append(len(ids) + chunk.picture_index)
            ids.extend(chunk.ids)
        return TokenizedPrompt(
            ids=ids,
            text=b",".join([chunk.text for chunk in chunks]),
            pictures=tuple(pictures),
            picture_indices=tuple(places),
        )

    def count(self, messages: Sequence[Message], picture_tokens: Callable[[Picture], int]) -> int:
        """Count the tokens of the prompt; each placeholder expands to `picture_tokens` of them."""
        return sum(
            len(chunk.ids) + (picture_tokens(chunk.picture) - 1 if chunk.picture else 0)
            for chunk in self._encode_messages(messages)
        )

    def count_text(self, text: str) -> int:
        """Count the tokens of `text` without a template."""
        return len(self._tokenizer.encode(text))

    def first_tokens(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the first token of each option as a reply to a user.

        None if two options share it, or if an option merges with the generation prompt.
        """
        opening = self._generation_prompts["user"].ids
        firsts: list[int] = []
        for option in options:
            ids = self._tokenizer.encode(self._template.generation_prompts["user"] + option)
            if len(ids) <= len(opening) or ids[: len(opening)] != opening:
                return None
            firsts.append(ids[len(opening)])
        return tuple(firsts) if len(set(firsts)) == len(firsts) else None

    def _encode_messages(self, messages: Sequence[Message]) -> list[Chunk]:
        if not messages:
            folder = self._template.template.folder
            raise TemplateError(f"a prompt for {folder!r} must contain messages, but has none")
        before: Role | None = None
        chain: list[Chunk] = []
        for message in messages:
            # The key holds the identity of the ids, and the cached chunk keeps the ids alive. Their
            # hash would cost a pass over the ids on each look-up, and their text cannot be the key:
            # two replies with the same text can differ in tokens.
            shown = message.picture.sha256 if message.picture else ""
            key = (before, message.role, message.text, shown, id(message.ids))
            chunk = self._chunks.get(key)
            if chunk is None:
                chunk = replace(self._encode_message(before, message), reply_ids=message.ids)
                self._chunks.put(key, chunk)
            chain.append(chunk)
            before = message.role
        chain.append(self._generation_prompts[messages[-1].role])
        return chain

    def _encode_message(self, before: Role | None, message: Message) -> Chunk:
        if before is None:
            return self._encode_rendered(message, self._template.render_initial)
        if message.role != "assistant" or message.picture is not None:
            return self._encode_rendered(
                message, lambda plain: self._template.render_increment(before, plain)
            )
        return Chunk(ids=self._encode_reply(before, message))

    def _encode_rendered(self, message: Message, tell: Callable[[Message], str]) -> Chunk:
        ids = self._tokenizer.encode(tell(self._placeholder.escape_text(message)))
        if message.picture is None:
            return Chunk(ids=ids)
        return Chunk(
            ids=ids, picture=message.picture, picture_index=self._placeholder.index_in(ids)
        )

    def _encode_reply(self, before: Role, message: Message) -> Ids:
        """Return the generation prompt, the reply and the missing part of the suffix."""
        opening = self._generation_prompts[before].ids
        if message.ids:
            reply = self._placeholder.escape_ids(message.ids, self._tokenizer)
            ids, closing = opening + reply, self._missing_suffix(reply)
        else:
            ids, closing = (
                self._encode_reply_text(before, self._placeholder.escape_text(message)),
                self._reply_suffix,
            )
        return ids + closing

    def _encode_reply_text(self, before: Role, message: Message) -> Ids:
        """Return the generation prompt and a reply with known text but unknown ids."""
        began, ended = self._template.generation_prompts[before], self._template.reply_suffix
        whole = self._template.render_increment(before, message)
        if not (whole.startswith(began) and whole.removeprefix(began).endswith(ended)):
            raise TemplateError(
                f"the chat template in {self._template.template.folder!r} should render a reply "
                f"between {began!r} and {ended!r}, but renders {message.text[:40]!r} differently"
            )
        text = whole.removeprefix(began).removesuffix(ended)
        opening = self._generation_prompts[before].ids
        ids = self._tokenizer.encode(began + text)
        if ids[: len(opening)] == opening:
            return ids
        # The text would merge with the generation prompt into one token, but the model generated
        # after the separate generation prompt. So tokenise the text as after a special token.
        return opening + self._tokenizer.encode_after(self._suffix_token, text)

    def _missing_suffix(self, reply: Ids) -> Ids:
        """Return the part of the reply suffix that `reply` does not already end with."""
        said = next(
            length
            for length in range(min(len(reply), len(self._reply_suffix)), -1, -1)
            if reply[len(reply) - length :] == self._reply_suffix[:length]
        )
        return self._reply_suffix[said:]


def load_prompt_tokenizer(
    folder: Path, *, max_cached_tokens: int = MAX_CACHED_TOKENS
) -> IncrementalPromptTokenizer:
    """Load the prompt tokenizer of a model's folder, verified on sample conversations.

    Raises `TemplateError` if the template rewrites earlier messages, if an increment does not begin
    with a special token (so that it cannot be tokenised separately), or if files are missing.
    `max_cached_tokens` bounds the cache.
    """
    template, tokenizer = load_template(folder), load_tokenizer(folder)
    incremental = IncrementalTemplate(template)
    placeholder = find_placeholder(folder, incremental, tokenizer)
    verify_template(incremental, tokenizer, pictures=placeholder.renders_pictures)
    speller = IncrementalPromptTokenizer(
        incremental, tokenizer, placeholder, max_cached_tokens=max_cached_tokens
    )
    verify_token_ids(
        lambda messages: speller.encode(messages).ids,
        incremental,
        tokenizer,
        pictures=placeholder.renders_pictures,
    )
    return speller
