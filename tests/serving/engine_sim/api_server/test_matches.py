"""Whole matches of the real arena against a simulated server, over both of its doors."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.models.recording import RecordedCall
from arena.records.match_summary import MatchSummary
from arena.records.run_config import Transport
from arena.run.launch import RunResult, start_run
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript
from serving.engine_sim.fault_injection import InjectedFaults
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from serving.process.server_registry import register
from tests.arena.run.stage import calls, config, save_case
from tests.serving.listing import entry


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


def play(
    loaded: LoadedScript,
    path: Path,
    folder: Path,
    transport: Transport,
    faults: Sequence[InjectedFaults] = (),
) -> RunResult:
    async def both() -> RunResult:
        state = create_simulator("instant", tokenizer=folder, context=32_768, kv_tokens=1_000_000)
        for body in faults:
            state.inject(body)
        async with serve_simulator(state) as url:
            wanted = config(loaded, f"{url}/v1", "naive", transport=transport)
            return await start_run(wanted, [loaded], path, concurrency=4, observer=BaseObserver())

    return asyncio.run(both())


def verdict(played: RunResult) -> MatchSummary:
    [result] = played.results
    assert isinstance(result, MatchSummary), result
    assert result.outcome in {"civ_win", "murderer_win", "draw"}
    return result


def said(played: RunResult) -> list[tuple[str, str, str, int]]:
    def key(call: RecordedCall) -> tuple[str, str, str, int]:
        label, completion = call.request.call_id, call.completion
        assert completion is not None
        return label.seat, label.request, completion.text, completion.prompt_tokens

    return sorted(map(key, calls(played)))


def test_a_match_finds_the_key_of_a_shared_server_and_records_it_nowhere(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    key = "k" * 43

    async def run(path: Path) -> RunResult:
        state = create_simulator("instant", context=32_768, kv_tokens=1_000_000, key=key)
        async with serve_simulator(state) as url:
            wanted = config(loaded, f"{url}/v1", "naive")
            with pytest.raises(ArenaError, match="401"):
                await start_run(wanted, [loaded], path, concurrency=4, observer=BaseObserver())
            register(entry("simulated", int(url.rpartition(":")[2])), key)
            return await start_run(wanted, [loaded], path, concurrency=4, observer=BaseObserver())

    verdict(asyncio.run(run(tmp_path / "run")))
    written = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if key.encode() in path.read_bytes()]


@pytest.mark.slow
def test_the_same_match_is_played_by_text_and_by_tokens(
    loaded: LoadedScript, folder: Path, tmp_path: Path
) -> None:
    chat = play(loaded, tmp_path / "chat", folder, "chat")
    tokens = play(loaded, tmp_path / "tokens", folder, "tokens")
    assert verdict(chat).votes == verdict(tokens).votes
    assert said(chat) == said(tokens)
    assert len(said(chat)) > 15
    assert verdict(chat).cached_tokens == verdict(tokens).cached_tokens
    cached = verdict(tokens).cached_tokens
    assert cached is not None
    assert cached > 0.5 * verdict(tokens).prompt_tokens


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["chat", "tokens"])
def test_a_server_that_dies_in_mid_match_costs_no_turn(
    loaded: LoadedScript, folder: Path, tmp_path: Path, transport: Transport
) -> None:
    whole = play(loaded, tmp_path / "whole", folder, transport)
    broken = play(
        loaded,
        tmp_path / "broken",
        folder,
        transport,
        [InjectedFaults(die_after=12, down_seconds=0.2)],
    )
    assert any(call.completion and call.completion.retries for call in calls(broken))
    assert said(broken) == said(whole)
    assert verdict(broken).votes == verdict(whole).votes
