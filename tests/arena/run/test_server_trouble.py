"""Trouble of a server or a machine is no fault of a contestant: no turn is lost by it."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.events import Event, TurnSkipped
from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary
from arena.run.launch import RunResult, start_run
from arena.run.match import match_session
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.stage import (
    calls,
    config,
    no_pause,
    only,
    save_case,
    with_server,
)
from tests.arena.run.test_broken import (
    events,
    program,
    server,
    wait_for_events,
)
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@pytest.fixture
def undisturbed(loaded: LoadedScript, tmp_path: Path) -> list[str]:
    """Return the events of the match without any trouble, without the URL in the first."""
    played, _ = with_server(
        loaded, tmp_path / "undisturbed", lambda url: config(loaded, url, "naive")
    )
    return events(played.run.path)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pauses between two tries short."""
    monkeypatch.setattr(match_session, "exponential_backoff", lambda: no_pause)


class Harming(BaseObserver):
    """Does harm after so many completions."""

    def __init__(self, harm: Callable[[], None], after: int) -> None:
        self._harm, self._left = harm, after

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Count."""
        self._left -= 1
        if self._left == 0:
            self._harm()


def played(
    loaded: LoadedScript,
    path: Path,
    harm: Callable[[FakeServer], None],
    *,
    deadline: float = 60.0,
    player: str = "",
    after: int = 5,
) -> RunResult:
    """Play a match whose server is harmed after some completions."""

    async def run() -> RunResult:
        async with fake_server() as serving:
            wanted = config(loaded, f"{serving.url}/v1{player}", "naive", deadline=deadline)
            observer = Harming(lambda: harm(serving), after)
            return await start_run(wanted, [loaded], path, concurrency=8, observer=observer)

    return asyncio.run(run())


TROUBLE = {
    "429": Faults(failing=4, status=429),
    "429 with a long Retry-After": Faults(failing=2, status=429, retry_after="3600"),
    "500": Faults(failing=4, status=500, healthy=True),
    "503": Faults(failing=4, status=503, healthy=True),
    "a closed connection": Faults(closing=4),
    "a page of a proxy": Faults(garbage=4),
}


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE)
def test_a_request_that_the_server_fails_is_asked_again_and_costs_nothing(
    loaded: LoadedScript, tmp_path: Path, undisturbed: list[str], trouble: Faults
) -> None:
    def harm(serving: FakeServer) -> None:
        serving.faults = trouble

    run = played(loaded, tmp_path / "run", harm)
    assert only(run).outcome not in {"forfeit", "error"}
    assert events(run.run.path) == undisturbed
    assert any(call.completion and call.completion.retries for call in calls(run))


@pytest.mark.usefixtures("impatient")
def test_a_server_that_stays_busy_ends_the_match_as_an_error_and_never_as_a_forfeit(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    def harm(serving: FakeServer) -> None:
        serving.faults.failing, serving.faults.status = 9999, 429

    run = played(loaded, tmp_path / "run", harm)
    summary = only(run)
    assert summary.outcome == "error"
    assert "failed 8 times" in summary.error_cause
    [match] = run.run.matches()
    assert not any(isinstance(event, TurnSkipped) for event in match.events())


@pytest.mark.slow
def test_a_pause_that_a_busy_server_wants_is_no_part_of_the_deadline(
    loaded: LoadedScript, tmp_path: Path, undisturbed: list[str]
) -> None:
    def harm(serving: FakeServer) -> None:
        serving.faults = Faults(failing=1, status=429, retry_after="3")

    run = played(loaded, tmp_path / "run", harm, deadline=2.0)
    assert events(run.run.path) == undisturbed


@pytest.mark.slow
def test_a_call_that_was_answered_is_not_made_again_when_a_later_call_of_the_turn_fails(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_session, "exponential_backoff", lambda: no_pause)
    serving = FakeServer()

    class Failing(BaseObserver):
        """Has the server fail a call after each thought."""

        def on_call(self, match: str, request: Request, completion: Completion) -> None:
            if request.call_id.kind == "thought":
                serving.faults.closing += 1

    async def run() -> RunResult:
        async with fake_server(serving):
            wanted = config(loaded, f"{serving.url}/v1+cot", "naive")
            return await start_run(
                wanted, [loaded], tmp_path / "run", concurrency=1, observer=Failing()
            )

    done = asyncio.run(run())
    assert only(done).outcome != "error"
    ids = [call.request.call_id for call in calls(done)]
    assert len(ids) == len(set(ids))
    thoughts = [one for one in ids if one.kind == "thought"]
    replies = [call for call in calls(done) if call.request.call_id.kind == "reply"]
    assert len(thoughts) == len(replies) > 5
    retries = [call.completion.retries for call in calls(done) if call.completion]
    assert sum(retries) == len(thoughts)
    assert len(serving.bodies) == len(ids) + sum(retries)
    assert only(done).prompt_tokens == sum(
        call.completion.prompt_tokens for call in calls(done) if call.completion
    )


@pytest.mark.usefixtures("impatient")
def test_a_server_that_is_exchanged_ends_the_match_as_an_error_that_can_be_resumed(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    def harm(serving: FakeServer) -> None:
        serving.root = "/models/another-revision"
        serving.faults = Faults(closing=1)

    summary = only(played(loaded, tmp_path / "run", harm))
    assert summary.outcome == "error"
    assert "root '' is now '/models/another-revision'" in summary.error_cause
    assert "server changed" in summary.flags


def test_a_match_that_ends_before_a_change_is_noticed_is_flagged(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    def harm(serving: FakeServer) -> None:
        serving.context = 16384

    summary = only(played(loaded, tmp_path / "run", harm))
    assert "server changed" in summary.flags


@pytest.mark.slow
@pytest.mark.parametrize("stopped", ["orchestrator", "server"])
def test_a_process_that_is_stopped_for_longer_than_the_deadline_costs_no_turn(
    loaded: LoadedScript, tmp_path: Path, stopped: str
) -> None:
    deadline, out = 2.0, tmp_path / "run"
    with server(seconds=0.2) as (url, served):
        command = ("match", "--civ", url, "--murderer", "naive", "--script", str(loaded.folder))
        with program(
            "arena", *command, "--deadline", str(deadline), "--quiet", "--out", str(out)
        ) as process:
            wait_for_events(out, 8)
            victim = process if stopped == "orchestrator" else served
            os.kill(victim.pid, signal.SIGSTOP)
            time.sleep(2 * deadline)
            os.kill(victim.pid, signal.SIGCONT)
            assert process.wait(120) == 0
    assert not [line for line in events(out) if '"cause":"timeout"' in line]


@pytest.mark.slow
def test_the_matches_of_a_dead_replica_are_played_on_another(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_session, "exponential_backoff", lambda: no_pause)

    async def run(*, killing: bool, path: Path) -> tuple[RunResult, list[int]]:
        async with fake_server() as first, fake_server() as second:
            endpoints = {"two": {"url": first.url, "replicas": [second.url]}}
            monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps(endpoints))
            wanted = config(loaded, "two", "naive", matches=6, deadline=0.5)

            def kill() -> None:
                busiest = max((first, second), key=lambda one: len(one.bodies))
                busiest.faults.die_after = 0

            observer = Harming(kill if killing else lambda: None, 12)
            done = await start_run(wanted, [loaded], path, concurrency=3, observer=observer)
            return done, [len(first.bodies), len(second.bodies)]

    whole, _ = asyncio.run(run(killing=False, path=tmp_path / "whole"))
    moved, asked = asyncio.run(run(killing=True, path=tmp_path / "moved"))
    assert min(asked) > 0
    for before, after in zip(whole.results, moved.results, strict=True):
        assert isinstance(before, MatchSummary)
        assert isinstance(after, MatchSummary)
        assert after.outcome == before.outcome != "error"
        assert history(moved, after) == history(whole, before)


def history(run: RunResult, summary: MatchSummary) -> tuple[Event, ...]:
    """Return the events of a match without the first, which names the URLs."""
    return run.run.match(summary.match).events()[1:]
