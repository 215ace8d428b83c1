"""The words and pictures of a trace that has none: made from their names, the same each time."""

from functools import lru_cache
from io import BytesIO
from random import Random
from typing import Final

from PIL import Image

from arena.bench.trace import Piece, Shown, Trace
from arena.errors import RecordError

FRAME_TOKENS: Final = 5
"""What a chat template of the Qwen family puts round a message."""
CAPTION_TOKENS: Final = 8
PICTURE_FRAME: Final = FRAME_TOKENS + CAPTION_TOKENS + 2
"""Tokens of a message with a picture, besides the picture's own."""
SIDE: Final = 28
"""Pixels of a side that one picture token covers (Qwen2.5-VL)."""

_LINES: Final = (
    "the a and but then because when where who what how that this there here my our you your he",
    "his she her it they their one someone nobody nothing is are was were had has did can could",
    "must not no yes never always only just even still already again later before after in on at",
    "by for from with about into over under between behind through near",
)
_WORDS: Final = tuple(word for line in _LINES for word in line.split())
"""Words that are one token each after a space, for the stand-in and for large vocabularies."""
_MOSAIC: Final = 14
_STRIP: Final = 100
_KEPT: Final = 4096


def text_of(piece: Piece) -> str:
    """Return the words of `piece`: recorded, or as many as make about its tokens."""
    if piece.text:
        return piece.text
    if piece.picture:
        return made_text(piece.picture, CAPTION_TOKENS)
    frame = 0 if piece.role == "assistant" else FRAME_TOKENS
    return made_text(piece.key, max(1, piece.tokens - frame))


@lru_cache(maxsize=_KEPT)
def made_text(key: str, words: int) -> str:
    """Return `words` words drawn by `key`; of the same key, a shorter text begins a longer one."""
    chance = Random(key)
    return " ".join(_WORDS[int(chance.random() * len(_WORDS))] for _ in range(words))


def read_picture(trace: Trace, name: str) -> bytes:
    """Return the bytes of a picture of `trace`: its file, or a mosaic drawn by its name (JPEG).

    Raises `RecordError` where the trace knows no such picture or its file cannot be read.
    """
    shown = trace.pictures.get(name)
    if shown is None:
        raise RecordError(f"trace {trace.name!r} has no picture {name!r}")
    if shown.path is None:
        return drawn(name, shown)
    try:
        return shown.path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read picture {str(shown.path)!r}: {error.strerror}") from error


def drawn(name: str, shown: Shown) -> bytes:
    """Return a JPEG mosaic of the size of `shown`, in colours drawn by `name`."""
    wide, tall = max(1, shown.width // _MOSAIC), max(1, shown.height // _MOSAIC)
    tiles = Image.frombytes("RGB", (wide, tall), Random(name).randbytes(3 * wide * tall))
    out = BytesIO()
    mosaic = tiles.resize((shown.width, shown.height), Image.Resampling.NEAREST)
    mosaic.save(out, "JPEG", quality=85)
    return out.getvalue()


def shown_as(tokens: int) -> Shown:
    """Return a picture to be drawn that takes `tokens` tokens, as square as it can be.

    A number that only a strip too long to be shown would have is taken one lower.
    """
    tall = next(side for side in range(int(tokens**0.5), 0, -1) if tokens % side == 0)
    if tokens > _STRIP * tall * tall:
        return shown_as(tokens - 1)
    width, height = SIDE * (tokens // tall), SIDE * tall
    return Shown(width=width, height=height, size=width * height // 5)
