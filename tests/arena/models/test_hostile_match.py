"""Whatever a model says, its match ends, can be resumed, and is read again."""

import json
from pathlib import Path

import pytest

from arena.records.match_summary import MatchSummary
from arena.records.run_record import open_run
from arena.run.launch import RunResult, resume_run
from arena.run.observer import BaseObserver
from tests.arena.models.conversation import run
from tests.arena.models.raw_calls import play_match
from tests.arena.run.stage import save_case
from tests.fakes.raw_server import http, raw_server


def say(content: str) -> bytes:
    """Return a reply whose content is written in ASCII, as many servers write it."""
    return http(json.dumps({"choices": [{"message": {"content": content}}]}).encode())


HALF = "\\ud83d"


@pytest.mark.slow
@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(say("I saw \ud83d"), id="half a pair"),
        pytest.param(say(f'{{"share": "I saw {HALF}'), id="half a pair in a form that is cut"),
        pytest.param(
            say(f'{{"share": "{HALF}", "target": "{HALF}", "question": "{HALF}", "{HALF}": "x"}}'),
            id="half a pair in each field",
        ),
        pytest.param(say('{"share": ' + "[" * 1000), id="nested lists"),
        pytest.param(say('{"share":' * 1000), id="nested objects"),
        pytest.param(say("[" * 100_000), id="a long nest"),
        pytest.param(say(f'{{"share": {"9" * 5000}}}'), id="a long number"),
        pytest.param(say("x" * 3_000_000), id="three megabytes"),
        pytest.param(say("#answer" + " " * 100_000 + "x"), id="a long blank"),
    ],
)
def test_no_reply_ends_a_match_as_an_error_or_keeps_it_from_being_resumed(
    tmp_path: Path, reply: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> tuple[int | None, bytes, RunResult]:
        async with raw_server(reply) as server:
            status, shown = await play_match(server, tmp_path, "--json")
            monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps({"odd": {"url": server.url}}))
            return (
                status,
                shown,
                await resume_run(tmp_path / "run", concurrency=None, observer=BaseObserver()),
            )

    save_case(tmp_path / "case")
    status, shown, resumed = run(play)
    assert status == 0, shown.decode(errors="replace")
    summary = json.loads(shown.splitlines()[0])
    [found] = resumed.results
    assert isinstance(found, MatchSummary)
    assert found.outcome == summary["outcome"]
    assert summary["outcome"] in ("civ_win", "murderer_win", "draw", "forfeit")
    record = open_run(tmp_path / "run").match(summary["match"])
    assert len(record.events()) > 10
    assert all(call.completion is not None for call in record.calls().values())
