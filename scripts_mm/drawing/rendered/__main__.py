"""Render a script's photographs: `python -m scripts_mm.drawing.rendered FOLDER [PICTURE ...]`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from PIL import Image

from scripts_mm.drawing.primitives.fonts import Fonts, find_fonts
from scripts_mm.drawing.rendered.development import develop
from scripts_mm.drawing.rendered.photograph import encode_jpeg, take_photograph
from scripts_mm.drawing.rendered.projection import find_window
from scripts_mm.drawing.rendered.renderer import Exposure, render
from scripts_mm.drawing.rendered.scene_data import Scene
from scripts_mm.drawing.rendered.scene_files import list_scenes
from scripts_mm.script import LANGUAGES, ScriptError


class SharedExposures:
    """An exposer that renders a scene once for all languages.

    In another language it renders only the part of the film where other words stand.
    """

    def __init__(self) -> None:
        self._done: list[tuple[Scene, Exposure]] = []

    def __call__(self, scene: Scene, fonts: Fonts) -> Image.Image:
        """Return the picture of a scene."""
        view = replace(scene, caption=(), stamps=(), insets=(), frame=None)
        film = scene.film
        for other, exposure in self._done:
            if other == view:
                return develop(exposure, film)
            if replace(other, labels=view.labels) == view:
                return develop(self._renew(view, other, exposure, fonts), film)
        exposure = render(scene, fonts, film.size, film.samples)
        self._done.append((view, exposure))
        return develop(exposure, film)

    def _renew(self, view: Scene, other: Scene, exposure: Exposure, fonts: Fonts) -> Exposure:
        """Return the exposure of another language with the words of `view`."""
        changed = {name for name in view.labels if view.labels[name] != other.labels.get(name)}
        window = find_window(view, changed)
        part = render(view, fonts, view.film.size, view.film.samples, window)
        return exposure.replace_window(part, window)


def render_photographs(folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """Render photographs of the script in `folder`, all or the named ones; return the files."""
    script = folder.resolve().name
    known = list_scenes(script)
    unknown = set(names) - set(known)
    if not known or unknown:
        raise ScriptError(
            f"no scene {', '.join(sorted(unknown)) or 'at all'} of script {script!r}; "
            f"it has {', '.join(known) or 'none'}"
        )
    written: list[Path] = []
    for name in names or known:
        exposer = SharedExposures()
        for language in LANGUAGES:
            image = take_photograph(script, name, find_fonts(language), exposer)
            path = folder / language / "pictures" / f"{name}.jpg"
            path.write_bytes(encode_jpeg(image))
            written.append(path)
    return written


def main(words: Sequence[str]) -> int:
    """Render by the command line and print the files written; return 2 on an error."""
    if not words:
        sys.stderr.write("usage: python -m scripts_mm.drawing.rendered FOLDER [PICTURE ...]\n")
        return 2
    folder, names = Path(words[0]), words[1:]
    start = monotonic()
    try:
        written = render_photographs(folder, names)
    except ScriptError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.writelines(f"{path} ({path.stat().st_size} bytes)\n" for path in written)
    sys.stdout.write(f"{monotonic() - start:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
