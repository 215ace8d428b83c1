"""The pictures of generated cases: their contents and their drawing."""

from scripts_mm.generate.pictures.dispatch import build_picture
from scripts_mm.generate.pictures.picture_spec import PictureSpec

__all__ = ["PictureSpec", "build_picture"]
