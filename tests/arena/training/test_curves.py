"""The curves of a training log."""

import json
import sys
from pathlib import Path

import pytest
import typer

from arena.training import curves
from arena.training.lookup import GATHER


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    layer, head = GATHER
    keys = ("short_right", "short_first_right", f"head {layer}.{head}")
    rows = [{"step": step, **dict.fromkeys(keys, step / 4)} for step in range(4)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_log_becomes_a_picture(log: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    curves.main(log, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_one_line_names_the_extra(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(typer.Exit) as ended:
        curves.main(log, tmp_path / "curves.png")
    assert ended.value.exit_code == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    assert "install it with `" in told
    assert "[tools]'`" in told
