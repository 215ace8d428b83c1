"""Many matches through one gate: nothing of a match depends on the others, and room is kept."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli.onlookers import Onlooker
from arena.core.state import MatchState
from arena.run.admission_gate import PROBE_PRIORITY_OFFSET, AdmissionGate
from arena.run.batch import MatchCrash, run_all
from arena.run.launch import Played, resume_run, script_ref, start_run
from arena.run.process_limits import DEFAULT_LIVE_MATCHES
from arena.schedule.admission import AdmissionController, AdmissionPolicy, TurnUsage
from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import KvDemand, QueuedMatch, SharedPrefix
from scripts_mm.files import LoadedScript
from tests.fakes.openai_server import FakeServer, fake_server
from tests.run.stage import config, only, resume, save_case, with_server
from tests.table import case

WORDS = {"rounds": "2", "answers": "batched", "introductions": "together"}


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedScript:
    return save_case(tmp_path / "case")


def play(
    loaded: LoadedScript, path: Path, server: FakeServer, *, concurrency: int | None, **more: Any
) -> Played:
    """Play matches of a model against itself."""
    played, _ = with_server(
        loaded,
        path,
        lambda url: config(loaded, url, f"{url}#fake-vl", options=WORDS, **more),
        server=server,
        concurrency=concurrency,
    )
    return played


def events(played: Played) -> dict[str, bytes]:
    """Return the record of each match of a run, as it lies on disk; the port is no part of it."""
    return {
        folder.path.name: b"\n".join((folder.path / "events.jsonl").read_bytes().split(b"\n")[1:])
        for folder in played.run.matches()
    }


def test_a_match_played_alone_is_the_same_as_among_64_others(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    alone = play(loaded, tmp_path / "alone", FakeServer(), concurrency=1, seed=40)
    crowd = play(loaded, tmp_path / "crowd", FakeServer(blocks=2000), concurrency=None, matches=65)
    assert len(crowd.results) == 65
    [(name, record)] = events(alone).items()
    assert events(crowd)[name] == record
    assert len(record.splitlines()) > 40


def test_matches_beyond_the_servers_memory_wait_and_all_are_played(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    seen: list[int] = []

    class Counting(Onlooker):
        live = 0

        def event(self, match: str, state: MatchState, event: object) -> None:
            if len(state.history) == 1:
                self.live += 1
                seen.append(self.live)

        def ended(self, summary: object) -> None:
            self.live -= 1

    async def run(blocks: int, path: Path) -> Played:
        async with fake_server(FakeServer(blocks=blocks)) as server:
            url = f"{server.url}/v1"
            wanted = config(loaded, url, "naive", options=WORDS, matches=12)
            return await start_run(wanted, [loaded], path, concurrency=None, watcher=Counting())

    for blocks, most in ((500, 3), (100_000, 12)):
        seen.clear()
        played = asyncio.run(run(blocks, tmp_path / f"run-{blocks}"))
        assert [r.outcome != "error" for r in played.results if not isinstance(r, MatchCrash)] == [
            True
        ] * 12
        assert (max(seen) == 12) == (most == 12), max(seen)


def test_a_server_that_hides_its_memory_gets_few_matches_at_once(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    server = FakeServer(blocks=0)
    play(loaded, tmp_path / "run", server, concurrency=None, matches=30)
    assert server.most_busy <= DEFAULT_LIVE_MATCHES * len(loaded.script.roles)


def test_requests_of_older_matches_are_served_first_and_probes_last(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    server = FakeServer(blocks=100_000)
    play(loaded, tmp_path / "run", server, concurrency=4, matches=8, ballots=True)
    priorities = [body.get("priority", 0) for body in server.bodies]
    assert {0, 1, 2, 3} <= set(priorities)
    assert any(priority >= PROBE_PRIORITY_OFFSET for priority in priorities)
    assert all(priority % PROBE_PRIORITY_OFFSET < 8 for priority in priorities)


def test_matches_of_one_script_are_placed_together_and_scripts_are_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = [
        save_case(tmp_path / f"case-{number}", replace(case(), id=f"harbour-{number}"))
        for number in range(6)
    ]

    async def both() -> tuple[Played, list[FakeServer]]:
        async with fake_server(FakeServer()) as one, fake_server(FakeServer()) as other:
            entry = {"url": f"{one.url}/v1", "replicas": [f"{other.url}/v1"], "kv_tokens": 50_000}
            monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps({"twins": entry}))
            wanted = replace(
                config(scripts[0], "twins", "naive", options=WORDS, matches=2),
                scripts=tuple(script_ref(script) for script in scripts),
            )
            played = await start_run(
                wanted, scripts, tmp_path / "run", concurrency=None, watcher=Onlooker()
            )
            return played, [one, other]

    played, servers = asyncio.run(both())
    assert not [result for result in played.results if isinstance(result, MatchCrash)]
    assert all(server.bodies for server in servers)
    total = sum(len(server.bodies) for server in servers)
    calls = sum(len(folder.calls()) for folder in played.run.matches())
    assert total == calls


def offer(name: str) -> QueuedMatch:
    demand = KvDemand(endpoint="e", prefixes=(SharedPrefix(key="s", tokens=10),), peak=100)
    return QueuedMatch(match=name, script="s", pair=("a", "b"), demands=(demand,))


def test_a_match_that_is_not_let_in_is_no_task_and_a_crash_lets_the_next_one_in() -> None:
    async def run() -> None:
        controller = AdmissionController(
            {"e": KvCapacity(endpoint="e", tokens=150, block_size=1)}, policy=AdmissionPolicy()
        )
        gate = AdmissionGate(controller)
        gate.enqueue(tuple(offer(name) for name in "abc"))
        most: list[int] = []

        async def one(name: str) -> str:
            most.append(sum(task.get_name() in "abc" for task in asyncio.all_tasks()))
            await asyncio.sleep(0)
            if name == "b":
                raise RuntimeError("a bug")
            return name

        results = await run_all(
            {name: name for name in "abc"}, one, gate, is_incomplete=lambda name: name == "c"
        )
        assert most == [1, 1, 1]
        assert results[0] == "a"
        assert isinstance(results[1], MatchCrash)
        assert results[2] == "c"

    asyncio.run(run())


def test_a_paused_match_waits_between_two_turns_and_goes_on_when_there_is_room() -> None:
    async def run() -> None:
        controller = AdmissionController(
            {"e": KvCapacity(endpoint="e", tokens=400, block_size=1)}, policy=AdmissionPolicy()
        )
        gate = AdmissionGate(controller)
        gate.enqueue((offer("a"), offer("b")))
        assert gate.admit() == ("a", "b")
        for match, tokens in (("a", 300), ("b", 200)):
            gate.report_usage(
                match, "s", "e", TurnUsage(prompt=tokens, output=0, predicted=0, reported=0)
            )
        assert controller.paused == ("b",)
        await gate.wait_runnable("a")
        waiting = asyncio.get_running_loop().create_task(gate.wait_runnable("b"))
        await asyncio.sleep(0)
        assert not waiting.done()
        gate.release("a", complete=True)
        await asyncio.wait_for(waiting, 1)

    asyncio.run(run())


def test_only_what_is_asked_of_a_server_needs_one(loaded: LoadedScript, tmp_path: Path) -> None:
    async def run() -> Played:
        wanted = config(loaded, "first", "random", matches=3)
        return await start_run(
            wanted, [loaded], tmp_path / "run", concurrency=1, watcher=Onlooker()
        )

    assert len(asyncio.run(run()).results) == 3


def test_the_record_says_how_a_model_was_asked_and_what_its_server_holds(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played = play(loaded, tmp_path / "run", FakeServer(blocks=300), concurrency=1)
    assert only(played).outcome != "error"
    for about in played.run.read_config()["models"].values():
        assert about["kv_tokens"] == [4784]
        assert about["transport"] == "chat"
        assert "tokenizer" in about["transport_why"]


def test_a_finished_run_of_a_model_is_told_again_without_a_server(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played = play(loaded, tmp_path / "run", FakeServer(), concurrency=2, matches=3)
    assert resume(tmp_path / "run").results == played.results


def test_a_match_that_was_resumed_teaches_nothing_of_lengths(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[bool] = []
    monkeypatch.setattr(AdmissionGate, "release", noting(AdmissionGate.release, taught))

    async def run() -> None:
        async with fake_server(FakeServer()) as server:
            url = f"{server.url}/v1"
            wanted = config(loaded, url, "naive", options=WORDS)
            first = await start_run(
                wanted, [loaded], tmp_path / "run", concurrency=1, watcher=Onlooker()
            )
            [folder] = first.run.matches()
            (folder.path / "done.json").unlink()
            await resume_run(tmp_path / "run", concurrency=1, watcher=Onlooker())

    asyncio.run(run())
    assert taught == [True, False]


def noting(release: Callable[..., None], taught: list[bool]) -> Callable[..., None]:
    def note(gate: AdmissionGate, match: str, *, complete: bool) -> None:
        taught.append(complete)
        release(gate, match, complete=complete)

    return note
