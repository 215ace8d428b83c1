"""What Yi-VL sees of a picture: all of it on a square, at the tower's resolution."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from PIL import Image
from transformers import BatchFeature, CLIPImageProcessorPil

from serving.yi_vl.layout import IMAGE

_CLIP: Final[Any] = CLIPImageProcessorPil


class YiVLImageProcessor:
    """A callable such as vLLM takes for a processor of transformers; each picture by itself.

    Resizing is Pillow's, as in the published code; torchvision's differs in the last bit.
    """

    image_token = IMAGE

    def __init__(self, preprocessor: Mapping[str, Any], side: int) -> None:
        """Take a preprocessor_config.json; `side` is what the vision tower's configuration says.

        Raises `ValueError` where the two do not agree on the pixels of a side.
        """
        self._clip = _CLIP.from_dict(dict(preprocessor))
        crop = self._clip.crop_size
        if (crop["height"], crop["width"]) != (side, side):
            raise ValueError(
                f"preprocessor_config.json was to crop pictures to {side} x {side}, as the vision "
                f"tower sees them, but says {crop['height']} x {crop['width']}; mend the files"
            )
        self._colour = colour_of(self._clip.image_mean)

    def __call__(self, images: Sequence[object], *, return_tensors: str = "pt") -> BatchFeature:
        """Return `pixel_values`, float32 of shape (pictures, 3, side, side)."""
        squares = [padded(as_rgb(image), self._colour) for image in images]
        return self._clip(images=squares, return_tensors=return_tensors)


def colour_of(mean: Sequence[float]) -> tuple[int, int, int]:
    """Return the colour of the padding: the processor's mean, cut to whole levels."""
    red, green, blue = (int(channel * 255) for channel in mean)
    return red, green, blue


def padded(picture: Image.Image, colour: tuple[int, int, int]) -> Image.Image:
    """Return an RGB picture in the middle of a square of its longer side."""
    side, short = max(picture.size), min(picture.size)
    if side == short:
        return picture
    square = Image.new("RGB", (side, side), colour)
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    return square


def as_rgb(picture: object) -> Image.Image:
    """Return a picture of Pillow, or an array or tensor of bytes with three channels, as RGB.

    What is transparent is put on white, as vLLM does with pictures that come by HTTP.
    """
    if isinstance(picture, Image.Image):
        if not picture.has_transparency_data:
            return picture.convert("RGB")
        clear = picture.convert("RGBA")
        ground = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(ground, clear).convert("RGB")
    pixels = np.asarray(picture)
    if pixels.ndim == 3 and pixels.shape[0] == 3 and pixels.shape[-1] != 3:  # noqa: PLR2004
        pixels = pixels.transpose(1, 2, 0)
    if pixels.dtype != np.uint8 or pixels.ndim != 3:  # noqa: PLR2004
        raise ValueError(
            f"a picture was to be an array of bytes, height x width x 3, but is one of "
            f"{pixels.dtype} and shape {pixels.shape}"
        )
    return Image.fromarray(pixels).convert("RGB")
