"""A model's tokenizer: text to token ids and back."""

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
"""Token ids; on Python 3.11 the type takes no brackets while the program runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToken:
    """A token that is found in a text before anything else is."""

    id: int
    text: str


class Tokenizer:
    """Text to ids as the server does it for a chat: nothing is added, special tokens are read.

    Made by `read_tokenizer`.
    """

    def __init__(self, library: tokenizers.Tokenizer) -> None:
        library.no_truncation()
        library.no_padding()
        self._library = library
        self._added = library.get_added_tokens_decoder()
        # Longest first, as the library prefers them.
        self.added_tokens = tuple(
            AddedToken(id=id_, text=token.content)
            for id_, token in sorted(self._added.items(), key=lambda item: -len(item[1].content))
            if token.content
        )
        """Every token that is found in a text before anything else is."""

    def encode(self, text: str) -> Ids:
        """Return the tokens of `text`; half a character becomes a question mark."""
        whole = text.encode(errors="replace").decode()
        return array("I", self._library.encode(whole, add_special_tokens=False).ids)

    @property
    def is_line_based(self) -> bool:
        """Whether a text's lines tokenise each by itself, as far as that can be proved."""
        return tokenizes_per_line(self._library.to_str())

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of tokens, special ones included."""
        return self._library.decode(list(ids), skip_special_tokens=False)

    def encode_after(self, mark: AddedToken, text: str) -> Ids:
        """Return the tokens that `text` has where it stands after a mark that divides."""
        return self.encode(mark.text + text)[1:]

    def special_id(self, text: str) -> int | None:
        """Return the id of the special token `text`; None where it is none."""
        return next(
            (
                mark.id
                for mark in self.added_tokens
                if mark.text == text and self._added[mark.id].special
            ),
            None,
        )

    def leading_added_token(self, text: str) -> AddedToken | None:
        """Return the added token with which `text` begins; None where it begins with none."""
        return next((mark for mark in self.added_tokens if text.startswith(mark.text)), None)

    def is_boundary(self, mark: AddedToken) -> bool:
        """Return whether the text before `mark` and that from it on tokenise each by itself.

        So it is where the mark is found in the raw text, reaches over no space, and no token may
        begin before it and end inside it or after it.
        """
        token, text = self._added[mark.id], mark.text
        if not token.special or token.normalized or token.single_word:
            return False
        return not (token.lstrip or token.rstrip) and not any(
            other.text[start:].startswith(text) or text.startswith(other.text[start:])
            for other in self.added_tokens
            for start in range(1, len(other.text))
        )


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a model's folder, or raise `TemplateError`."""
    path = folder / TOKENIZER_FILE
    if not path.is_file():
        raise TemplateError(f"{str(folder)!r} should have a {TOKENIZER_FILE}, but has none")
    try:
        library = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # The library raises nothing narrower.
        raise TemplateError(
            f"{str(path)!r} should be a tokenizer, but: {error}; fix the model's folder"
        ) from error
    config = read_json(folder / "tokenizer_config.json", TokenizerConfig) or TokenizerConfig()
    _check_added(folder, library, config)
    return Tokenizer(library)


def _check_added(folder: Path, library: tokenizers.Tokenizer, config: TokenizerConfig) -> None:
    """Refuse tokens that transformers would add to tokenizer.json's from the configuration."""
    known = {token.content for token in library.get_added_tokens_decoder().values()}
    wanted = {token.content: id_ for id_, token in config.added_tokens_decoder.items()}
    for text in (*config.texts().values(), *config.unnamed_texts()):
        wanted.setdefault(text, -1)
    for text, id_ in wanted.items():
        if text not in known or (id_ >= 0 and library.token_to_id(text) != id_):
            raise TemplateError(
                f"the tokenizer.json in {str(folder)!r} should hold the token {text!r} of "
                "tokenizer_config.json, but does not; use the chat endpoint"
            )
