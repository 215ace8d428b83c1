"""Image processor of Yi-VL: a picture is padded to a square and resized for the vision tower.

Source of the padding: `expand2square` in VL/llava/mm_utils.py of 01-ai/Yi, as single_inference.py
and openai_api.py there use it. docs/yi-vl.md lists the differences: transparent pictures, EXIF
orientation, grey pictures and palettes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from PIL import Image, ImageOps
from transformers.feature_extraction_utils import BatchFeature
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER

_CLIP: Final[Any] = CLIPImageProcessorPil
_CHANNELS: Final = 3


class YiVLImageProcessor:
    """Callable that vLLM accepts as a processor of transformers; each picture is independent.

    Pillow resizes, as in the published code; torchvision's result differs in the last bit.
    """

    image_token = IMAGE_PLACEHOLDER

    def __init__(self, preprocessor: Mapping[str, Any], side: int) -> None:
        """Take the content of preprocessor_config.json and the tower's `image_size`.

        Raises `ValueError` if they disagree on the size of a picture.
        """
        self._clip = _CLIP.from_dict(dict(preprocessor))
        crop = self._clip.crop_size
        if (crop["height"], crop["width"]) != (side, side):
            raise ValueError(
                f"preprocessor_config.json should crop pictures to {side} x {side}, as the vision "
                f"tower expects, but crops to {crop['height']} x {crop['width']}; fix the files"
            )
        self._colour = mean_colour(self._clip.image_mean)

    def __call__(self, images: Sequence[object], *, return_tensors: str = "pt") -> BatchFeature:
        """Return `pixel_values`, float32 of shape (pictures, 3, side, side)."""
        squares = [pad_to_square(to_rgb(image), self._colour) for image in images]
        return self._clip(images=squares, return_tensors=return_tensors)


def mean_colour(mean: Sequence[float]) -> tuple[int, int, int]:
    """Return the colour of the padding: the processor's mean, truncated to whole levels."""
    red, green, blue = (int(channel * 255) for channel in mean)
    return red, green, blue


def pad_to_square(picture: Image.Image, colour: tuple[int, int, int]) -> Image.Image:
    """Return an RGB picture in the middle of a square of its longer side."""
    side, short = max(picture.size), min(picture.size)
    if side == short:
        return picture
    square = Image.new("RGB", (side, side), colour)
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    return square


def to_rgb(picture: object) -> Image.Image:
    """Return a Pillow picture, or an array or tensor of bytes with three channels, as RGB.

    An array has the shape (height, width, 3) or (3, height, width). A Pillow picture is rotated as
    its EXIF orientation says, and transparent parts become white: vLLM does both with pictures that
    arrive by HTTP, so a picture looks the same offline.
    """
    if isinstance(picture, Image.Image):
        upright = ImageOps.exif_transpose(picture)
        if not upright.has_transparency_data:
            return upright.convert("RGB")
        clear = upright.convert("RGBA")
        ground = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(ground, clear).convert("RGB")
    pixels = np.asarray(picture)
    dimensions = 3
    if pixels.ndim == dimensions and pixels.shape[0] == _CHANNELS != pixels.shape[-1]:
        pixels = pixels.transpose(1, 2, 0)
    if pixels.dtype != np.uint8 or pixels.ndim != dimensions:
        raise ValueError(
            f"a picture should be an array of bytes, height x width x 3, but is one of "
            f"{pixels.dtype} and shape {pixels.shape}"
        )
    return Image.fromarray(pixels).convert("RGB")
