"""Boards of pictures: made of those that a run keeps, and kept beside them."""

from collections.abc import Callable, Sequence

from scripts_mm.board import compose
from scripts_mm.pictures import picture_of
from scripts_mm.script import Picture

Keep = Callable[[str, bytes], None]
"""Keeps a picture's bytes under its content hash; once is enough."""


class Boards:
    """Makes one picture of several. One object a run, for all its models and matches.

    A match that is continued makes the same board again, so nothing is to be looked up.
    """

    def __init__(self, read: Callable[[Picture], bytes], keep: Keep) -> None:
        self._read, self._keep = read, keep
        self._made: dict[tuple[str, ...], Picture] = {}

    def __call__(self, pictures: Sequence[Picture]) -> Picture:
        """Return the board that shows `pictures` in their order.

        Raises `ScriptError` for more pictures than a board can show, and as reading and keeping do.
        """
        key = tuple(picture.sha256 for picture in pictures)
        if key not in self._made:
            data = compose([self._read(picture) for picture in pictures])
            board = picture_of(data, "board.png")
            self._keep(board.sha256, data)
            self._made[key] = board
        return self._made[key]
