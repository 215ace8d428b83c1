"""Records that were written before there was something to tell of them."""

from pathlib import Path

from arena.store.match_folder import MatchFolder
from arena.store.run_folder import create_run
from tests.cli.tiny import summary


def test_a_match_that_was_told_before_pictures_were_read_is_still_told(tmp_path: Path) -> None:
    folder: MatchFolder = create_run(tmp_path / "run").match("m")
    with folder.writing():
        pass
    folder.finish(summary(readings=3, summaries=1))
    assert folder.summary() == summary(readings=3, summaries=1)
    done = folder.path / "done.json"
    lines = done.read_text("utf-8").splitlines()
    old = [line for line in lines if '"readings"' not in line and '"summaries"' not in line]
    assert len(old) == len(lines) - 2
    done.write_text("\n".join(old), "utf-8")
    assert folder.summary() == summary()
