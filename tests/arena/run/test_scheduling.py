"""Many matches through one gate: no match depends on the others, and the KV cache is enough."""

import asyncio
import json
from collections import Counter
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.models.chat import CallId, Completion, Request
from arena.records.match_summary import MatchSummary
from arena.run.admission_gate import PROBE_PRIORITY_OFFSET, AdmissionGate
from arena.run.launch import RunResult, script_ref, start_run
from arena.run.match.scheduled_model import ScheduledModel
from arena.run.match_batch import MatchCrash, run_all
from arena.run.observer import BaseObserver
from arena.run.process_limits import DEFAULT_LIVE_MATCHES
from arena.run.servers.model_handle import Replica
from arena.schedule.admission import AdmissionController, AdmissionPolicy
from arena.schedule.cache_prediction import CacheHitPredictor
from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import KvDemand, QueuedMatch, SharedPrefix
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.stage import (
    AlwaysUp,
    config,
    only,
    resume,
    save_case,
    with_server,
)
from tests.arena.schedule.reference import footprint_of
from tests.fakes.openai_server import FakeServer, fake_server
from tests.table import case

WORDS = {"rounds": "2", "answers": "batched", "introductions": "together"}


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedScript:
    return save_case(tmp_path / "case")


def play(
    loaded: LoadedScript, path: Path, server: FakeServer, *, concurrency: int | None, **more: Any
) -> RunResult:
    """Play matches of a model against itself."""
    played, _ = with_server(
        loaded,
        path,
        lambda url: config(loaded, url, f"{url}#fake-vl", options=WORDS, **more),
        server=server,
        concurrency=concurrency,
    )
    return played


def events(played: RunResult) -> dict[str, bytes]:
    """Return the record of each match of a run, as it lies on disk; the port is no part of it."""
    return {
        match.path.name: b"\n".join((match.path / "events.jsonl").read_bytes().split(b"\n")[1:])
        for match in played.run.matches()
    }


@pytest.mark.slow
def test_a_match_played_alone_is_the_same_as_among_64_others(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    alone = play(loaded, tmp_path / "alone", FakeServer(), concurrency=1, seed=40)
    crowd = play(loaded, tmp_path / "crowd", FakeServer(blocks=2000), concurrency=None, matches=65)
    assert len(crowd.results) == 65
    [(name, record)] = events(alone).items()
    assert events(crowd)[name] == record
    assert len(record.splitlines()) > 40


@pytest.mark.slow
@pytest.mark.parametrize(("blocks", "most"), [(500, 1), (6_000, 3), (100_000, 12)])
def test_matches_beyond_the_servers_memory_wait_and_all_are_played(
    loaded: LoadedScript,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    blocks: int,
    most: int,
) -> None:
    waves: list[tuple[str, ...]] = []
    admit = AdmissionGate.admit

    def note(gate: AdmissionGate) -> tuple[str, ...]:
        waves.append(admit(gate))
        return waves[-1]

    monkeypatch.setattr(AdmissionGate, "admit", note)

    async def run() -> RunResult:
        async with fake_server(FakeServer(blocks=blocks)) as server:
            url = f"{server.url}/v1"
            wanted = config(loaded, url, "naive", options=WORDS, matches=12)
            return await start_run(
                wanted, [loaded], tmp_path / "run", concurrency=None, observer=BaseObserver()
            )

    played = asyncio.run(run())
    assert len(played.results) == 12
    for result in played.results:
        assert isinstance(result, MatchSummary), result
        assert result.outcome != "error"
    assert most / 2 < len(waves[0]) <= most
    assert sum(map(len, waves)) == 12


@pytest.mark.slow
def test_a_server_that_hides_its_memory_gets_few_matches_at_once(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    server = FakeServer(blocks=0)
    play(loaded, tmp_path / "run", server, concurrency=None, matches=30)
    assert server.most_busy <= DEFAULT_LIVE_MATCHES * len(loaded.script.roles)


@pytest.mark.slow
def test_each_request_has_the_priority_of_its_match_and_a_probe_comes_after_all_matches(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    server = FakeServer(blocks=100_000)
    played = play(loaded, tmp_path / "run", server, concurrency=4, matches=8, ballots=True)
    sent = Counter((body.get("priority", 0), text_of(body)) for body in server.bodies)
    wanted = Counter(
        (
            number + PROBE_PRIORITY_OFFSET * call.request.call_id.off_path,
            "".join(message.text for message in call.request.messages),
        )
        for number, match in enumerate(played.run.matches())
        for call in match.calls().values()
    )
    assert sent == wanted
    assert {priority // PROBE_PRIORITY_OFFSET for priority, _ in sent} == {0, 1}


def text_of(body: dict[str, Any]) -> str:
    """Return all text of a request's messages."""
    contents = [message["content"] for message in body["messages"]]
    return "".join(
        content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
        for content in contents
    )


class PriorityServer:
    """A server that holds its requests until `serve`, then serves the least priority first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Request, asyncio.Future[None]]] = []
        self.served: list[tuple[str, bool]] = []
        """Seat of each request, and whether it was a probe."""

    async def complete(self, request: Request) -> Completion:
        """Return a reply once the server serves."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        await future
        self.served.append((request.call_id.seat, request.call_id.off_path))
        return Completion(
            text="", finish="stop", prompt_tokens=1, output_tokens=1, cached_tokens=0, seconds=0.0
        )

    def serve(self) -> None:
        """Answer all waiting requests; of equal priority, the first comes first."""
        for _, future in sorted(self._waiting, key=lambda one: one[0].priority):
            future.set_result(None)


def test_requests_of_older_matches_are_served_first_and_probes_last() -> None:
    async def run() -> list[tuple[str, bool]]:
        server = PriorityServer()
        replica = Replica(url="e", chat=server, health=AlwaysUp())
        controller = AdmissionController(
            {"e": KvCapacity(endpoint="e", tokens=10_000, block_size=1)}, policy=AdmissionPolicy()
        )
        gate = AdmissionGate(controller)
        gate.enqueue((offer("old"), offer("young")))
        assert gate.admit() == ("old", "young")

        def call(match: str, *, probe: bool) -> Coroutine[Any, Any, Completion]:
            prefix = SharedPrefix(key=match, tokens=0)
            predictor = CacheHitPredictor({match: prefix}, replica.warm, block_size=1)
            model = ScheduledModel(replica, gate, predictor, match=match)
            call_id = CallId(seat=match, request="r", off_path=probe)
            return model.complete(
                Request(call_id=call_id, messages=(), max_tokens=1, temperature=0.0)
            )

        async with asyncio.TaskGroup() as group:
            for match, probe in (("young", True), ("old", True), ("young", False), ("old", False)):
                group.create_task(call(match, probe=probe))
            await asyncio.sleep(0)
            server.serve()
        return server.served

    assert asyncio.run(run()) == [("old", False), ("young", False), ("old", True), ("young", True)]


@pytest.mark.slow
def test_matches_of_one_script_are_placed_together_and_scripts_are_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = [
        save_case(tmp_path / f"case-{number}", replace(case(), id=f"harbour-{number}"))
        for number in range(6)
    ]

    async def both() -> tuple[RunResult, list[FakeServer]]:
        async with fake_server(FakeServer()) as one, fake_server(FakeServer()) as other:
            entry = {"url": f"{one.url}/v1", "replicas": [f"{other.url}/v1"], "kv_tokens": 50_000}
            monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps({"twins": entry}))
            wanted = replace(
                config(scripts[0], "twins", "naive", options=WORDS, matches=2),
                scripts=tuple(script_ref(script) for script in scripts),
            )
            played = await start_run(
                wanted, scripts, tmp_path / "run", concurrency=None, observer=BaseObserver()
            )
            return played, [one, other]

    played, servers = asyncio.run(both())
    assert not [result for result in played.results if isinstance(result, MatchCrash)]
    assert all(server.bodies for server in servers)
    total = sum(len(server.bodies) for server in servers)
    calls = sum(len(match.calls()) for match in played.run.matches())
    assert total == calls


def offer(name: str) -> QueuedMatch:
    demand = KvDemand(endpoint="e", footprint=footprint_of("s", peak=100, prefix_tokens=10))
    return QueuedMatch(match=name, script="s", pair=("a", "b"), choices=((demand,),))


def test_a_queued_match_is_no_task_and_a_crash_admits_the_next_one() -> None:
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
            {name: name for name in "abc"},
            one,
            gate,
            move=lambda _: None,
        )
        assert most == [1, 1, 1]
        assert results[0] == "a"
        assert isinstance(results[1], MatchCrash)
        assert results[2] == "c"

    asyncio.run(run())


def test_players_without_a_model_need_no_server(loaded: LoadedScript, tmp_path: Path) -> None:
    async def run() -> RunResult:
        wanted = config(loaded, "first", "random", matches=3)
        return await start_run(
            wanted, [loaded], tmp_path / "run", concurrency=1, observer=BaseObserver()
        )

    assert len(asyncio.run(run()).results) == 3


def test_the_record_tells_the_transport_and_the_memory_of_a_server(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played = play(loaded, tmp_path / "run", FakeServer(blocks=300), concurrency=1)
    assert only(played).outcome != "error"
    for server in played.run.manifest.servers.values():
        assert server.details["kv_tokens"] == [4784]
        assert server.details["transport"] == "chat"
        assert "tokenizer" in server.details["transport_why"]


@pytest.mark.slow
def test_a_finished_run_of_a_model_is_reported_again_without_a_server(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played = play(loaded, tmp_path / "run", FakeServer(), concurrency=2, matches=3)
    assert resume(tmp_path / "run").results == played.results
