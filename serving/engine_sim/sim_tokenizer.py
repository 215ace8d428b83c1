"""Tokenise text with the tokenizer of a model's folder, or by words without a folder."""

import json
import re
from array import array
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol
from zlib import crc32

from tokenizers import Tokenizer

from serving.errors import ProfileError

START: Final = "<|im_start|>"
END: Final = "<|im_end|>"
PICTURE: Final = "<|image_pad|>"
_SPECIAL: Final = (START, END, PICTURE, "<|vision_start|>", "<|vision_end|>", "<|endoftext|>")
_WORDS: Final = re.compile(
    r"<\|[a-z_]+\|>| ?[A-Za-z]+|\d| ?[^\sA-Za-z\d\u3000-\u9fff\uff00-\uffef]|\s+(?!\S)|\s|\S"
)
_SPLIT: Final = re.compile(r"(<\|[a-z_]+\|>)")
_FIRST_WORD: Final = 64
_IDS: Final = 1 << 30
_MOST_WORDS: Final = 1_000_000
_MOST_TOKENS: Final = 8_000_000
_PROBE: Final = f"{START}user\n One two,\n三四。{END}\n{START}assistant\n"


class SimTokenizer(Protocol):
    """The tokenizer interface of the simulated server."""

    root: str
    """The tokenizer's folder; empty: none."""
    end: int
    """The token that ends the model's turn."""
    picture: int
    """The placeholder token of a picture in a prompt."""

    ids: "Callable[[str], array[int]]"
    """Tokenise text; special tokens in it are recognised."""

    def text(self, ids: "array[int]") -> str:
        """Return the text of `ids` without special tokens."""
        ...

    def word(self, token: int) -> str:
        """Return the text of one token, special or not."""
        ...


class _PieceCache:
    """A cache of tokenised text between special tokens.

    Only the new text of a longer prompt is tokenised.
    """

    def __init__(self, split: re.Pattern[str], encode: "Callable[[str], array[int]]") -> None:
        self._split = split
        self._encode = encode
        self._known: OrderedDict[str, array[int]] = OrderedDict()
        self._tokens = 0

    def ids(self, text: str) -> "array[int]":
        """Return the tokens of `text`."""
        ids = array("I")
        known = self._known
        for piece in self._split.split(text):
            if piece:
                ids += known.get(piece) or self._add(piece)
        return ids

    def _add(self, piece: str) -> "array[int]":
        ids = self._known[piece] = self._encode(piece)
        self._tokens += len(ids)
        while self._tokens > _MOST_TOKENS:
            self._tokens -= len(self._known.popitem(last=False)[1])
        return ids


class WordTokenizer:
    """Every word, Chinese character, digit or sign is a token, numbered by its hash."""

    def __init__(self) -> None:
        self.root = ""
        self._numbers = _WordIds()
        self.ids = _PieceCache(_SPLIT, self._encode).ids
        self.end = self._numbers[END]
        self.picture = self._numbers[PICTURE]

    def text(self, ids: "array[int]") -> str:
        """Return the text of `ids`; words never tokenised before are omitted."""
        words = self._numbers.words
        return "".join(words.get(number, "?") for number in ids if number >= _FIRST_WORD)

    def word(self, token: int) -> str:
        """Return the text of one token."""
        return self._numbers.words.get(token, "?")

    def _encode(self, piece: str) -> "array[int]":
        if len(self._numbers) > _MOST_WORDS:
            self._numbers = _WordIds()
        return array("I", map(self._numbers.__getitem__, _WORDS.findall(piece)))


class _WordIds(dict[str, int]):
    """The number of each word; the same in every process."""

    def __init__(self) -> None:
        super().__init__((word, number) for number, word in enumerate(_SPECIAL))
        self.words: dict[int, str] = {number: word for word, number in self.items()}

    def __missing__(self, word: str) -> int:
        number = crc32(word.encode(errors="replace")) % (_IDS - _FIRST_WORD) + _FIRST_WORD
        self[word] = number
        self.words[number] = word
        return number


class FolderTokenizer:
    """The tokenizer of a model's folder. Made by `load_tokenizer`.

    If text between special tokens cannot be tokenised separately, each prompt is tokenised whole.
    """

    def __init__(self, folder: Path, tokenizer: Any) -> None:
        self.root = str(folder)
        self._tokenizer = tokenizer
        special = [token.content for token in tokenizer.get_added_tokens_decoder().values()]
        self.end = _find_token_id(
            tokenizer, folder, (_config_token(folder, "eos_token"), END, "</s>")
        )
        self.picture = _find_token_id(
            tokenizer, folder, (_picture_token(folder, tokenizer), PICTURE, "<image>")
        )
        split = re.compile("(" + "|".join(map(re.escape, sorted(special) or ["$."])) + ")")
        by_pieces = _PieceCache(split, self._encode).ids
        whole = by_pieces(_PROBE) != self._encode(_PROBE)
        self.ids = self._encode if whole else by_pieces

    def text(self, ids: "array[int]") -> str:
        """Return the text of `ids` without special tokens."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=True)

    def word(self, token: int) -> str:
        """Return the text of one token."""
        return self._tokenizer.decode([token], skip_special_tokens=False)

    def _encode(self, text: str) -> "array[int]":
        return array("I", self._tokenizer.encode(text, add_special_tokens=False).ids)


def load_tokenizer(folder: Path | None) -> SimTokenizer:
    """Return the tokenizer of `folder`, or by words for None; raises `ProfileError` if missing."""
    if folder is None:
        return WordTokenizer()
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ProfileError(f"no tokenizer in {str(folder)!r}: wanted tokenizer.json")
    return FolderTokenizer(folder, Tokenizer.from_file(str(path)))


def read_json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in the file; empty if there is no file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ProfileError(f"{path.name!r} in {str(path.parent)!r} is not JSON: {error}") from error


def _config_token(folder: Path, name: str) -> str:
    word = read_json_object(folder / "tokenizer_config.json").get(name) or ""
    return word if isinstance(word, str) else str(word.get("content", ""))


def _picture_token(folder: Path, tokenizer: Any) -> str:
    config = read_json_object(folder / "config.json")
    number = config.get("image_token_id", config.get("image_token_index"))
    return "" if number is None else tokenizer.id_to_token(number) or ""


def _find_token_id(tokenizer: Any, folder: Path, words: tuple[str, ...]) -> int:
    for word in words:
        number = tokenizer.token_to_id(word) if word else None
        if number is not None:
            return number
    raise ProfileError(f"the tokenizer in {str(folder)!r} has none of the tokens {words}")
