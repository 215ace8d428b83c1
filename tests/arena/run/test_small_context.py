"""Whole matches of a model with 4,096 tokens and one picture a prompt, on the real vLLM."""

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.core.events import ClueRevealed, PromptAdjusted
from arena.core.observation import reaches
from arena.records.match_record import MatchRecord
from arena.records.run_record import open_run

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("vllm") is None, reason="no vLLM in this environment"),
    pytest.mark.usefixtures("yi_server"),
]
CONTEXT = 4096
SECONDS = 400
LENGTH = ("--preset", "short", "-o", "rounds=2")


def played(home: dict[str, str], out: Path, *words: str) -> tuple[dict[str, object], MatchRecord]:
    done = subprocess.run(
        [sys.executable, "-m", "arena", "match", "--json", "--out", str(out), *words],
        capture_output=True,
        text=True,
        check=False,
        env=home,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    [line] = done.stdout.splitlines()
    [record] = open_run(out).matches()
    return json.loads(line), record


def adjustments(record: MatchRecord, kind: str) -> list[PromptAdjusted]:
    """Return what the record says of prompts that were made otherwise."""
    found = [event for event in record.events() if isinstance(event, PromptAdjusted)]
    return [event for event in found if event.adjustment == kind]


def lengths(record: MatchRecord, seats: Sequence[str]) -> list[int]:
    """Return the tokens of each call of `seats`, its reply included; none was refused."""
    calls = [call for call in record.calls().values() if call.request.call_id.seat in seats]
    assert [call.error for call in calls if call.error] == []
    done = [call.completion for call in calls if call.completion]
    return [one.prompt_tokens + one.output_tokens for one in done]


@pytest.mark.usefixtures("server")
def test_yi_plays_qwen_to_a_verdict_and_the_record_names_what_was_read_and_summarised(
    home: dict[str, str], tmp_path: Path
) -> None:
    words = ("--civ", "stand-in-yi", "--murderer", "stand-in", *LENGTH)
    summary, record = played(home, tmp_path / "run", *words)
    assert summary["outcome"] in {"civ_win", "murderer_win", "draw"}
    assert summary["model_served"] == {"civilians": "stand-in-yi", "murderer": "stand-in"}
    assert summary["flags"] == ["untrained stand-in-yi", "untrained stand-in"]
    revealed = [event for event in record.events() if isinstance(event, ClueRevealed)]
    civilians = record.state_at(1).started.members("civilians")
    read = [
        call.request for call in record.calls().values() if call.request.call_id.kind == "reading"
    ]
    for seat in civilians:
        wanted = {
            sha for event in revealed if reaches(event.audience, seat) for sha in event.pictures
        }
        shown = {
            message.picture.sha256
            for request in read
            if request.call_id.seat == seat
            for message in request.messages
            if message.picture
        }
        assert shown == wanted, seat
    assert {event.seat for event in adjustments(record, "picture_read")} == {*civilians}
    assert adjustments(record, "log_summarised") or adjustments(record, "script_summarised")
    assert max(lengths(record, civilians)) <= CONTEXT


def test_a_board_and_a_memory_that_is_searched_play_as_well(
    home: dict[str, str], tmp_path: Path
) -> None:
    civilians = "stand-in-yi+direct:picture_mode=board,overflow=retrieve"
    words = ("--civ", civilians, "--murderer", "naive", "--language", "zh", *LENGTH)
    summary, record = played(home, tmp_path / "run", *words)
    assert summary["outcome"] in {"civ_win", "murderer_win", "draw"}
    assert adjustments(record, "pictures_composed")
    assert adjustments(record, "log_retrieved") or adjustments(record, "script_retrieved")
    calls = record.calls().values()
    most = max(sum(m.picture is not None for m in call.request.messages) for call in calls)
    assert most == 1
    seats = sorted({call.request.call_id.seat for call in calls})
    assert max(lengths(record, seats)) <= CONTEXT
