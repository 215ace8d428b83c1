"""Grids of pictures: composed once, kept with the run, and the same in a resumed match."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records.run_record import RunRecord
from arena.run.servers.picture_grids import GridComposer
from scripts_mm.safe_pictures import inspect_picture, make_picture
from scripts_mm.script import Picture, ScriptError
from tests.arena.run.stage import (
    config,
    only,
    picture_bytes,
    resume,
    save_case,
    with_server,
)


def test_a_grid_is_saved_with_the_run_and_made_once(tmp_path: Path) -> None:
    run = RunRecord(path=tmp_path)
    pictures = [make_picture(picture_bytes(n), f"{n}.png") for n in (1, 2, 3)]
    for n, picture in enumerate(pictures, 1):
        run.save_picture(picture.sha256, picture_bytes(n))
    read = list[str]()

    def reading(picture: Picture) -> bytes:
        read.append(picture.sha256)
        return run.read_picture(picture.sha256)

    composer = GridComposer(reading, run.save_picture)
    grid = composer(pictures)
    assert composer(pictures) is grid
    assert len(read) == 3
    kept = run.read_picture(grid.sha256)
    assert sha256(kept).hexdigest() == grid.sha256
    info = inspect_picture(kept, "board")
    assert (info.width, info.height, info.mime) == (grid.width, grid.height, grid.mime)
    # A run that is continued composes the same grid again, also where its file is gone.
    (run.path / "pictures" / grid.sha256).unlink()
    assert GridComposer(reading, run.save_picture)(pictures) == grid
    assert run.read_picture(grid.sha256) == kept
    assert composer(pictures[:2]).sha256 != grid.sha256


def test_what_no_grid_can_show_is_refused_in_one_line(tmp_path: Path) -> None:
    run = RunRecord(path=tmp_path)
    composer = GridComposer(lambda picture: run.read_picture(picture.sha256), run.save_picture)
    with pytest.raises(RecordError, match="has no picture"):
        composer([make_picture(picture_bytes(1), "1.png")])
    with pytest.raises(ScriptError, match="1 to 16"):
        composer([])


def test_a_match_with_grids_shows_them_and_is_reported_again(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    played, server = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, f"{url}+direct:picture_mode=board", "naive"),
    )
    assert only(played).outcome != "error"
    own = {picture.sha256 for picture in loaded.script.pictures}
    there = {path.name for path in (tmp_path / "run" / "pictures").iterdir()}
    assert there > own
    sent = set(re.findall(r'"uuid": "(\w+)"', json.dumps(server.bodies)))
    assert sent
    assert sent <= there
    assert sent - own, "grids were shown"
    assert only(resume(tmp_path / "run")) == only(played)
