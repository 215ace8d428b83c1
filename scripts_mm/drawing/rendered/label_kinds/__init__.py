"""The kinds of pictures on things: each paints a label on a canvas."""

from collections.abc import Callable
from random import Random

from scripts_mm.drawing.primitives.canvas import Canvas
from scripts_mm.drawing.rendered.scene_data import Label

Painter = Callable[[Canvas, Label, Random], None]
"""A function that paints one kind of label."""
