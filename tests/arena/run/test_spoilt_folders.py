"""A run's folder that was spoilt in any way: one line or a whole run, and nothing else."""

import json
import os
import shutil
from collections.abc import Generator
from pathlib import Path
from random import Random

import pytest

from tests.arena.run.arena_command import ArenaCommand
from tests.arena.run.spoiling import spoil
from tests.arena.run.stage import save_case
from tests.arena.run.test_broken import arena, server

COUNT = int(os.environ.get("SPOILT_FOLDERS", "200"))
"""Folders that are spoilt, each in one way; set it to look for more."""


@pytest.fixture(scope="module")
def served() -> Generator[None]:
    """Serve a model by a name that no folder can change."""
    with server() as (url, _), pytest.MonkeyPatch.context() as patch:
        entry = {"modest": {"url": url, "model": "fake-vl"}}
        patch.setenv("ARENA_ENDPOINTS", json.dumps(entry))
        yield


@pytest.fixture(scope="module")
def runs(served: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a finished run, and one of which the first match is half played."""
    root = tmp_path_factory.mktemp("runs")
    case, whole, half = save_case(root / "case").folder, root / "whole", root / "half"
    players = ("--civ", "modest", "--murderer", "naive", "--script", str(case), "-n", "2")
    more = ("--preset", "short", "--ballots", "--quiz", "both", "--quiet", "--out", str(whole))
    assert arena("match", *players, *more).returncode == 0
    shutil.copytree(whole, half)
    first = min((half / "matches").iterdir())
    (first / "done.json").unlink()
    path = first / "events.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    return whole, half


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder that no command may touch."""
    folder = tmp_path / "outside"
    (folder / "folder").mkdir(parents=True)
    (folder / "precious").write_text("precious\n")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(COUNT))
def test_a_spoilt_folder_gives_one_line_or_a_run(
    seed: int,
    runs: tuple[Path, Path],
    outside: Path,
    tmp_path: Path,
    command: ArenaCommand,
) -> None:
    chance, run = Random(f"spoilt {seed}"), tmp_path / "run"
    shutil.copytree(runs[seed % 2], run)
    names = sorted(path.name for path in (run / "matches").iterdir())
    done = spoil(run, outside, chance)
    before = contents(outside)
    for words in (
        ("replay", str(run), names[0]),
        ("replay", str(run), names[1], "--truth", "--full"),
        ("resume", str(run), "--quiet"),
        ("resume", str(run), "--json"),
        ("replay", str(run), names[0], "--json"),
    ):
        ended = command(*words)
        told = f"{done}; arena {words[0]}: {ended.status}\n{ended.out[-999:]}\n{ended.err[-2999:]}"
        assert ended.status in {0, 1, 2}, told
        assert "Traceback" not in ended.err, told
        assert "a bug in the arena" not in ended.err, told
        if ended.status == 2:
            [line] = ended.err.splitlines()
            assert line.startswith("error: "), told
            assert len(line) < 2100, told
        assert contents(outside) == before, told
