"""Whole matches on the real vLLM with the untrained stand-in. Slow: three engine starts."""

import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from arena.core.events import ClueRevealed
from arena.records.run_record import open_run
from tests.served import ServedModel

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("vllm") is None, reason="no vLLM in this environment"),
]
START_SECONDS = 400


def match(home: dict[str, str], out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    words = (
        "match",
        "--civ",
        "stand-in",
        "--murderer",
        "naive",
        "--json",
        "--out",
        str(out),
        *words,
    )
    return subprocess.run(
        [sys.executable, "-m", "arena", *words],
        capture_output=True,
        text=True,
        check=False,
        env=home,
        timeout=START_SECONDS,
    )


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_bundled_script_is_played_to_a_verdict(
    home: dict[str, str], tmp_path: Path, language: str
) -> None:
    played = match(home, tmp_path / "run", "--script", "first-night", "--language", language)
    assert played.returncode == 0, played.stderr
    [line] = played.stdout.splitlines()
    summary = json.loads(line)
    assert summary["outcome"] in {"civ_win", "murderer_win", "draw"}
    assert summary["model_served"]["civilians"] == "stand-in"
    assert "untrained stand-in" in summary["flags"]
    assert summary["cached_tokens"] > 0.3 * summary["prompt_tokens"]
    [record] = open_run(tmp_path / "run").matches()
    shown = [
        sha
        for event in record.events()
        if isinstance(event, ClueRevealed)
        for sha in event.pictures
    ]
    assert len(shown) >= 6
    sent = {
        message.picture.sha256
        for call in record.calls().values()
        for message in call.request.messages
        if message.picture
    }
    assert sent == set(shown)


def test_the_engine_is_a_fork_of_its_server_and_leaves_the_port_to_it(
    server: ServedModel,
) -> None:
    listening = [one for one in psutil.net_connections("tcp") if one.status == psutil.CONN_LISTEN]
    [owner] = [
        psutil.Process(one.pid)
        for one in listening
        if one.pid and one.laddr and one.laddr.port == server.port
    ]
    [engine] = owner.children()
    assert "EngineCore" in " ".join(engine.cmdline())
    assert not engine.children(), "the engine needs no worker of its own"


@pytest.mark.usefixtures("server")
def test_eight_matches_share_the_engine(home: dict[str, str], tmp_path: Path) -> None:
    words = ("-n", "8", "--concurrency", "8", "--preset", "short", "-o", "reasoning=together")
    played = match(home, tmp_path / "run", *words)
    assert played.returncode == 0, played.stderr
    summaries = [json.loads(line) for line in played.stdout.splitlines()]
    assert len({summary["match"] for summary in summaries}) == 8
    assert not [summary for summary in summaries if summary["outcome"] == "error"]


def test_an_engine_that_is_killed_during_a_match_is_restarted_and_asked_again_and_no_side_loses(
    home: dict[str, str], tmp_path: Path
) -> None:
    out, alone = tmp_path / "run", {**home, "XDG_STATE_HOME": str(tmp_path / "state")}
    words = (
        "--civ",
        "stand-in",
        "--murderer",
        "naive",
        "-o",
        "rounds=4",
        "--out",
        str(out),
        "--json",
    )
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "match", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=alone,
    ) as process:
        try:
            engine = engine_core(process, out)
            engine.kill()
            out_text, log = process.communicate(timeout=START_SECONDS)
        finally:
            process.kill()
    assert process.returncode == 0, log
    summary = json.loads(out_text.splitlines()[-1])
    assert summary["outcome"] in {"civ_win", "murderer_win", "draw"}
    assert "restarting it once" in log
    assert not engine.is_running()
    [record] = open_run(out).matches()
    completions = [call.completion for call in record.calls().values()]
    assert any(completion and completion.retries for completion in completions)


def engine_core(process: subprocess.Popen[str], out: Path) -> psutil.Process:
    """Return the engine's own process, once the match has got under way."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        events = list(out.glob("matches/*/events.jsonl"))
        if events and len(events[0].read_text("utf-8").splitlines()) >= 12:
            for child in psutil.Process(process.pid).children(recursive=True):
                if "EngineCore" in " ".join(child.cmdline()):
                    return child
        time.sleep(0.05)
    raise AssertionError("the match did not get under way")
