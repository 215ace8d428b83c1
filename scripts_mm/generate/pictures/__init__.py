"""The pictures of generated cases: what stands in them and how they are drawn."""

from scripts_mm.generate.pictures.drawn import picture
from scripts_mm.generate.pictures.spec import PictureSpec

__all__ = ["PictureSpec", "picture"]
