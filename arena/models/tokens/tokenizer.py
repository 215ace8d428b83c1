"""Tokenizer of a model: text to token ids and back."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import tokenizers

from arena.models.tokens.line_tokenization import tokenizes_per_line
from arena.models.tokens.model_files import (
    TOKENIZER_FILE,
    TemplateError,
    TokenizerConfig,
    read_json,
)

Ids: TypeAlias = "array[int]"
"""Token ids; on Python 3.11 `array` has no subscript at run time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToken:
    """Token that the tokenizer matches in the raw text before it tokenises the rest."""

    id: int
    text: str


class Tokenizer:
    """Tokenizer with a chat server's settings: it adds nothing, and it recognises special tokens.

    Made by `load_tokenizer`.
    """

    def __init__(self, library: tokenizers.Tokenizer) -> None:
        library.no_truncation()
        library.no_padding()
        self._library = library
        self._added = library.get_added_tokens_decoder()
        # The longest first: the library prefers longer matches.
        self.added_tokens = tuple(
            AddedToken(id=id_, text=token.content)
            for id_, token in sorted(self._added.items(), key=lambda item: -len(item[1].content))
            if token.content
        )
        """All added tokens."""

    def encode(self, text: str) -> Ids:
        """Tokenise `text`; an unpaired surrogate becomes a question mark."""
        whole = text.encode(errors="replace").decode()
        return array("I", self._library.encode(whole, add_special_tokens=False).ids)

    @property
    def is_line_based(self) -> bool:
        """Whether the lines of a text certainly tokenise independently."""
        return tokenizes_per_line(self._library.to_str())

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of token ids, special tokens included."""
        return self._library.decode(list(ids), skip_special_tokens=False)

    def encode_after(self, added: AddedToken, text: str) -> Ids:
        """Tokenise `text` as it is after a boundary token."""
        return self.encode(added.text + text)[1:]

    def special_id(self, text: str) -> int | None:
        """Return the id of the special token `text`; None if it is not one."""
        return next(
            (
                added.id
                for added in self.added_tokens
                if added.text == text and self._added[added.id].special
            ),
            None,
        )

    def leading_added_token(self, text: str) -> AddedToken | None:
        """Return the added token at the start of `text`; None if there is none."""
        return next((added for added in self.added_tokens if text.startswith(added.text)), None)

    def is_boundary(self, added: AddedToken) -> bool:
        """Return whether the text before `added` and the text from it on tokenise independently.

        This holds if the library matches the token in the raw text, the token absorbs no
        adjacent space, and no other added token can overlap its start.
        """
        token, text = self._added[added.id], added.text
        if not token.special or token.normalized or token.single_word:
            return False
        return not (token.lstrip or token.rstrip) and not any(
            other.text[start:].startswith(text) or text.startswith(other.text[start:])
            for other in self.added_tokens
            for start in range(1, len(other.text))
        )


def load_tokenizer(folder: Path) -> Tokenizer:
    """Load the tokenizer of a model's folder, or raise `TemplateError`."""
    path = folder / TOKENIZER_FILE
    if not path.is_file():
        raise TemplateError(f"{str(folder)!r} should have a {TOKENIZER_FILE}, but has none")
    try:
        library = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # The library raises no narrower error.
        raise TemplateError(
            f"{str(path)!r} should be a tokenizer, but: {error}; fix the model's folder"
        ) from error
    config = read_json(folder / "tokenizer_config.json", TokenizerConfig) or TokenizerConfig()
    _check_added(folder, library, config)
    return Tokenizer(library)


def _check_added(folder: Path, library: tokenizers.Tokenizer, config: TokenizerConfig) -> None:
    """Reject a folder to whose tokenizer.json transformers would add tokens from other files."""
    known = {token.content for token in library.get_added_tokens_decoder().values()}
    wanted = {token.content: id_ for id_, token in config.added_tokens_decoder.items()}
    for text in (*config.texts().values(), *config.texts_without_name()):
        wanted.setdefault(text, -1)
    for text, id_ in wanted.items():
        if text not in known or (id_ >= 0 and library.token_to_id(text) != id_):
            raise TemplateError(
                f"the tokenizer.json in {str(folder)!r} should contain the token {text!r} of "
                "tokenizer_config.json, but does not; use the chat endpoint"
            )
