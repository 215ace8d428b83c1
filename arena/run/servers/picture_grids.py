"""Grids of pictures: several pictures of a run composed into one, and saved with them."""

from collections.abc import Callable, Sequence

from scripts_mm.image_grid import compose_grid
from scripts_mm.safe_pictures import make_picture
from scripts_mm.script import Picture

SavePicture = Callable[[str, bytes], None]
"""Saves a picture's bytes under its content hash; once is enough."""


class GridComposer:
    """Composer of several pictures into one; one object for all models and matches of a run.

    A resumed match composes the same grid again, so the record needs no reference to it.
    """

    def __init__(self, read: Callable[[Picture], bytes], save: SavePicture) -> None:
        self._read, self._save = read, save
        self._made: dict[tuple[str, ...], Picture] = {}

    def __call__(self, pictures: Sequence[Picture]) -> Picture:
        """Return the grid of `pictures` in their order.

        Raises `ScriptError` if they are too many for a grid, and the errors of reading and saving.
        """
        key = tuple(picture.sha256 for picture in pictures)
        if key not in self._made:
            data = compose_grid([self._read(picture) for picture in pictures])
            grid = make_picture(data, "board.png")
            self._save(grid.sha256, data)
            self._made[key] = grid
        return self._made[key]
