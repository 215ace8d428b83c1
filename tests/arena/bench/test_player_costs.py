"""`arena bench players`: real runs on a simulated server, read from their records."""

import json
import re
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from arena.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """A simulated server of the model `m`."""
    words = [sys.executable, "-m", "serving.engine_sim", "--profile", "instant", "--model", "m"]
    with subprocess.Popen(
        [*words, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+:\d+", process.stdout.readline())
            assert found is not None
            yield f"{found[0].rstrip('/')}/v1#m"
        finally:
            process.kill()


def bench(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[int, str, str]:
    """Run `arena bench players WORDS...`; return its status and what it printed."""
    monkeypatch.setattr("sys.argv", ["arena", "bench", "players", *words])
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert isinstance(ended.value.code, int)
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def test_every_player_named_has_a_row_with_what_its_record_says(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--model", url, "--script", "last-tram", "--out", str(tmp_path / "runs"), "--json")
    players = ("--player", "direct", "--player", "questum:together=no")
    status, out, _ = bench(capsys, monkeypatch, *words, *players, "--game", "questum")
    assert status == 0
    direct, questum = (json.loads(line) for line in out.splitlines())
    assert direct["calls"] == direct["turns"] == 16
    assert questum["turns"] == direct["turns"]
    assert questum["calls"] > questum["turns"]
    for row in (direct, questum):
        assert (row["finished"], row["matches"], row["fallbacks"]) == (1, 1, 0)
        assert 0 <= row["hit_rate"] <= 1
        assert row["new_tokens"] == (
            row["prompt_tokens"] - row["cached_tokens"] + row["output_tokens"]
        )
    lines = [
        len(path.read_text("utf-8").splitlines())
        for path in sorted((tmp_path / "runs" / "questum").glob("*/matches/*/calls.jsonl"))
    ]
    assert lines == [direct["calls"], questum["calls"]]


def test_a_player_that_a_game_refuses_is_named_and_the_others_are_played(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--model", url, "--script", "last-tram", "--out", str(tmp_path / "runs"))
    players = ("--player", "omniscient", "--player", "direct")
    status, out, err = bench(capsys, monkeypatch, *words, *players)
    assert status == 0
    assert "has no method for the talk" in err
    assert "direct" in out
    assert "omniscient" not in out


def test_nothing_is_written_where_nothing_can_be_played(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "runs"
    words = ("--model", url, "--player", "omniscient", "--out", str(folder))
    status, _, err = bench(capsys, monkeypatch, *words)
    assert status == 2
    assert "nothing was measured" in err
    assert not folder.exists()
