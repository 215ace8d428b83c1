"""Signals at any moment: the documented exit status, few words and no traceback."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from random import Random

import pytest
from pydantic_core import SchemaError

import arena.cli.app
from arena.cli.main import run
from tests.arena.cli.forking import forked
from tests.arena.run.stage import save_case

pytestmark = pytest.mark.slow

INTERRUPTED = 130
FIRST = "arena.cli.main"
"""The module whose import is over when the program's first line is executed."""
ENDS = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: -signal.SIGTERM, signal.SIGHUP: -signal.SIGHUP}


@pytest.fixture(autouse=True)
def heard() -> Generator[None]:
    """Let programs hear every signal: under `nohup` they would inherit that SIGHUP is ignored."""
    defaults = dict.fromkeys(ENDS, signal.SIG_DFL) | {signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in defaults.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("number", "seed"),
    [*((signal.SIGINT, seed) for seed in range(6)), (signal.SIGTERM, 7), (signal.SIGHUP, 8)],
)
def test_a_signal_while_the_commands_are_imported_gives_no_traceback(
    tmp_path: Path, number: signal.Signals, seed: int
) -> None:
    moment = Random(seed).randrange(1, 900)
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        (sys.executable, "-X", "importtime", "-m", "arena", "players"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stderr is not None
        imported = (line.rsplit("|", 1)[-1].strip() for line in program.stderr)
        assert FIRST in imported
        for _ in range(moment):
            next(imported)
        program.send_signal(number)
        told = program.stderr.read()
    assert program.returncode == ENDS[number]
    assert "Traceback" not in told
    assert ("interrupted" in told) is (number == signal.SIGINT)


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("seed", range(5))
def test_a_signal_at_any_moment_of_a_run_gives_no_traceback(
    tmp_path: Path, number: signal.Signals, seed: int
) -> None:
    save_case(tmp_path / "harbour")
    work = tmp_path / "work"
    work.mkdir()
    words = ("--civ", "random", "--murderer", "naive", "--script", "../harbour", "--out", "run")
    with forked(work, "match", *words, "-n", "300", "--json") as program:
        time.sleep(Random(seed).uniform(0.001, 0.5))
        os.kill(program.pid, number)
        told = program.wait()
    assert told.status == ENDS[number]
    assert "Traceback" not in told.err
    assert "Exception ignored" not in told.err
    assert ("interrupted" in told.err) is (number == signal.SIGINT)


def test_ctrl_c_while_a_validator_is_built_is_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def execute(_app: object) -> int:
        raise SchemaError("Error building `literal` serializer:\n  KeyboardInterrupt: ")

    monkeypatch.setattr(arena.cli.app, "execute", execute)
    monkeypatch.setattr(sys, "argv", ["arena", "players"])
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == INTERRUPTED
    assert capsys.readouterr().err == "interrupted\n"
