"""vLLM's picture cache: a list in the web process and the data in the engine, by uuid."""

import io
import math
from array import array
from base64 import b64decode
from binascii import Error as NotBase64
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from PIL import Image

from serving.engine_sim.error_responses import RefusalError
from serving.engine_sim.sim_tokenizer import read_json_object

_MOST_KNOWN: Final = 100_000
_LONGEST_RATIO: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSizer:
    """The picture sizes of a model; `least_pixels` and `most_pixels` are of the whole picture."""

    side: int = 28
    """The side, in pixels, of the square that becomes one token."""
    least_pixels: int = 4 * 28 * 28
    most_pixels: int = 256 * 28 * 28

    def count_tokens(self, width: int, height: int) -> int:
        """Return the tokens of a picture of `width` x `height` pixels, by Qwen2-VL's rule."""
        side = self.side
        if max(width, height) > _LONGEST_RATIO * min(width, height):
            raise RefusalError(
                f"absolute aspect ratio must be smaller than {_LONGEST_RATIO}, got "
                f"{max(width, height) / min(width, height)}"
            )
        tall = max(side, round(height / side) * side)
        wide = max(side, round(width / side) * side)
        if tall * wide > self.most_pixels:
            scale = math.sqrt(height * width / self.most_pixels)
            tall = max(side, math.floor(height / scale / side) * side)
            wide = max(side, math.floor(width / scale / side) * side)
        elif tall * wide < self.least_pixels:
            scale = math.sqrt(self.least_pixels / (height * width))
            tall = math.ceil(height * scale / side) * side
            wide = math.ceil(width * scale / side) * side
        return (tall // side) * (wide // side)


def load_picture_sizer(folder: Path | None) -> PictureSizer:
    """Return the picture sizes of the model in `folder`, from its preprocessor settings."""
    form = {} if folder is None else read_json_object(folder / "preprocessor_config.json")
    if "patch_size" not in form:
        return PictureSizer()
    size: dict[str, int] = form.get("size") or {}
    return PictureSizer(
        side=form["patch_size"] * form.get("merge_size", 2),
        least_pixels=form.get("min_pixels") or size.get("shortest_edge") or 4 * 28 * 28,
        most_pixels=form.get("max_pixels") or size.get("longest_edge") or 1280 * 28 * 28,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPicture:
    """A cached picture."""

    uuid: str
    tokens: int
    marks: "array[int]"
    """Its token ids for the prefix cache: `tokens` numbers drawn from the uuid."""


class PictureCache:
    """The cached pictures.

    The web process lists the pictures that it assumes the engine holds. If the engine has lost one,
    the request fails and the picture leaves the list, as in vLLM.
    """

    def __init__(self, sight: PictureSizer, *, most: int = _MOST_KNOWN) -> None:
        self.queries = 0
        self.hits = 0
        self._sight = sight
        self._most = most
        self._listed: OrderedDict[str, CachedPicture] = OrderedDict()
        self._held: set[str] = set()

    def resolve(
        self, pictures: Sequence[tuple[str | None, str | None]]
    ) -> tuple[CachedPicture, ...]:
        """Return the pictures of a request, given as data URL and uuid; either can be None.

        Raises `RefusalError` with vLLM's words and status.
        """
        self.queries += len(pictures)
        names = [_picture_id(url, uuid) for url, uuid in pictures]
        known = [name in self._listed for name in names]
        for place, ((url, _), is_known) in enumerate(zip(pictures, known, strict=True)):
            if not is_known and not url:
                raise RefusalError(
                    f"Cache miss for image at index {place} but data is not provided."
                )
        self.hits += sum(known)
        seen = tuple(
            self._touch(name) if name in self._listed else self._store(name, url or "")
            for name, (url, _) in zip(names, pictures, strict=True)
        )
        lost = [name for name in names if name not in self._held]
        for name in lost:
            self._listed.pop(name, None)
        if lost:
            raise RefusalError("Internal server error", status=500)
        return seen

    def forget(self) -> None:
        """Lose every picture in both the engine and the web process."""
        self._listed.clear()
        self._held.clear()

    def drift(self) -> None:
        """Lose every picture in the engine only; the web process still lists them."""
        self._held.clear()

    def _touch(self, name: str) -> CachedPicture:
        self._listed.move_to_end(name)
        return self._listed[name]

    def _store(self, name: str, url: str) -> CachedPicture:
        tokens = self._sight.count_tokens(*_read_size(url))
        marks = array("I", Random(name).randbytes(4 * tokens))  # the same in every process
        seen = self._listed[name] = CachedPicture(uuid=name, tokens=tokens, marks=marks)
        self._held.add(name)
        while len(self._listed) > self._most:
            self._held.discard(self._listed.popitem(last=False)[0])
        return seen


def _picture_id(url: str | None, uuid: str | None) -> str:
    return uuid or sha256((url or "").encode()).hexdigest()


def _read_size(url: str) -> tuple[int, int]:
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        raise RefusalError("wanted a base64 data URL of a picture")
    try:
        with Image.open(io.BytesIO(b64decode(data, validate=True))) as picture:
            return picture.size
    except (NotBase64, OSError, Image.DecompressionBombError) as error:
        raise RefusalError(f"Failed to load image: {type(error).__name__}") from error
