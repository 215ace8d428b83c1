"""Runs whose players search with a server or a model in a folder: opened, recorded, resumed."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arena.core.events import PromptAdjusted
from arena.errors import ArenaError, ConfigError, RecordError
from arena.players.contestants import read_contestant
from arena.records.call_codec import CallCodec
from arena.records.match_record import MatchRecord
from arena.records.run_record import RunRecord
from arena.run.launch import RunResult, resume_run, start_run
from arena.run.observer import BaseObserver
from arena.run.servers.embedders import embeddings_of
from scripts_mm.script_folder import LoadedScript
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from serving.engine_sim.simulator import Simulator
from serving.errors import ServingError
from tests.arena.players.context.stage import long_case
from tests.arena.run.stage import config, only, save_case
from tests.fakes.openai_server import FakeServer, fake_server

KEY = "sk-embed-0123456789abcdef"
SMALL = "overflow=retrieve,context_budget=3200"


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedScript:
    return save_case(tmp_path / "case", long_case(6000, clues=0))


@asynccontextmanager
async def embedding_server(
    *, port: int = 0, **switches: Any
) -> AsyncGenerator[tuple[str, Simulator]]:
    state = create_simulator("instant", **{"model": "e5", **switches})
    async with serve_simulator(state, port=port) as url:
        yield url, state


async def start(
    loaded: LoadedScript, path: Path, embedding: str, server: FakeServer | None = None
) -> RunResult:
    async with fake_server(server or FakeServer(context=4096)) as chat:
        wanted = config(loaded, f"{chat.url}#fake-vl+direct:{SMALL},embedding={embedding}", "naive")
        return await start_run(wanted, [loaded], path, concurrency=1, observer=BaseObserver())


def play(loaded: LoadedScript, path: Path, embedding: str) -> RunResult:
    return asyncio.run(start(loaded, path, embedding))


def kinds(played: RunResult) -> set[str]:
    [match] = played.run.matches()
    return {event.adjustment for event in match.events() if isinstance(event, PromptAdjusted)}


@pytest.mark.slow
def test_a_run_searches_with_ngrams_unless_told_otherwise(
    tmp_path: Path, loaded: LoadedScript
) -> None:
    played = play(loaded, tmp_path / "run", "ngrams")
    assert only(played).outcome != "error"
    assert {"log_retrieved", "search_lexical"} & kinds(played) == {"log_retrieved"}
    [record] = played.run.manifest.embedders.values()
    assert (record.model, record.dimensions) == ("ngrams-1", 2048)
    assert not [c for c in calls(played) if c.kind == "search"]


def calls(played: RunResult) -> list[Any]:
    [match] = played.run.matches()
    return list(match.calls())


@pytest.mark.slow
def test_a_run_searches_with_a_server_and_names_it_in_its_record(
    tmp_path: Path, loaded: LoadedScript
) -> None:
    async def go() -> tuple[RunResult, str]:
        async with embedding_server() as (url, state):
            played = await start(loaded, tmp_path / "run", f"{url}/v1#e5")
            assert state.profile
            return played, url

    played, url = asyncio.run(go())
    assert only(played).outcome != "error", only(played).error_cause
    assert "search_lexical" not in kinds(played)
    [(name, record)] = played.run.manifest.embedders.items()
    assert name == f"{url}/v1#e5"
    assert (record.model, record.dimensions, record.details["url"]) == ("e5", 256, url)
    assert [c for c in calls(played) if c.kind == "search"]


@pytest.mark.slow
def test_a_name_of_the_settings_stands_for_a_server_with_its_key(
    tmp_path: Path, loaded: LoadedScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with embedding_server(key=KEY) as (url, _):
            entries = {"vectors": {"url": f"{url}/v1", "model": "e5", "key": KEY}}
            monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps(entries))
            for number, name in enumerate(("vectors", f"{url}/v1#e5", f"{url}/v1")):
                played = await start(loaded, tmp_path / f"run-{number}", name)
                assert only(played).outcome != "error"
                text = (tmp_path / f"run-{number}" / "run.json").read_text("utf-8")
                assert KEY not in text

    asyncio.run(go())


def test_a_run_searches_with_a_model_in_a_folder(
    tmp_path: Path, loaded: LoadedScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Model:
        def __init__(self, folder: str, **given: object) -> None:
            assert folder == str(tmp_path / "small-e5")

        def encode(self, texts: list[str], **given: object) -> Any:
            return np.array([[len(text), text.count("e"), 1.0] for text in texts])

    package = SimpleNamespace(SentenceTransformer=Model)
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)  # pyright: ignore[reportArgumentType]
    (tmp_path / "small-e5").mkdir()
    played = play(loaded, tmp_path / "run", str(tmp_path / "small-e5"))
    assert only(played).outcome != "error"
    [record] = played.run.manifest.embedders.values()
    assert (record.model, record.dimensions) == ("small-e5", 3)


@pytest.mark.parametrize(
    ("embedding", "reason"),
    [
        ("http://127.0.0.1:9/v1#e5", "http://127.0.0.1:9 does not answer"),
        ("ngram", "no embedding 'ngram': write ngrams, a server's URL"),
        ("/nowhere/e5", "'/nowhere/e5' should be the folder of an embedding model"),
        ("http://host:port/v1", "is not a server's URL"),
        ("", "embedding must be ngrams, a URL, a name or a folder"),
        ("{chat}", "should serve model 'e5', but serves fake-vl"),
        ("{bare}", "does not serve model 'fake-vl' at /v1/embeddings"),
    ],
)
def test_a_wrong_embedding_is_refused_before_anything_is_played_or_written(
    tmp_path: Path, loaded: LoadedScript, embedding: str, reason: str
) -> None:
    async def go() -> None:
        server = FakeServer(context=4096)
        async with fake_server() as other:
            named = embedding.format(chat=f"{other.url}#e5", bare=other.url)
            with pytest.raises((ArenaError, ServingError)) as caught:
                await start(loaded, tmp_path / "run", named, server)
            assert reason in str(caught.value)
            assert "\n" not in str(caught.value)
            assert not server.bodies
            assert not (tmp_path / "run").exists()

    asyncio.run(go())


@pytest.mark.slow
@pytest.mark.parametrize("has_calls", [True, False])
def test_a_resumed_run_finds_what_it_found_though_its_embedding_server_is_gone(
    tmp_path: Path, loaded: LoadedScript, *, has_calls: bool
) -> None:
    async def go() -> None:
        async with (
            fake_server(FakeServer(context=4096)) as chat,
            embedding_server() as (url, state),
        ):
            wanted = config(
                loaded, f"{chat.url}#fake-vl+direct:{SMALL},embedding={url}#e5", "naive"
            )
            path = tmp_path / "run"
            played = await start_run(wanted, [loaded], path, concurrency=1, observer=BaseObserver())
            [match] = played.run.matches()
            whole, names = match.events(), set(match.calls())
            (match.path / "done.json").unlink()
            halve(match.path / "events.jsonl")
            if not has_calls:
                cut_calls(match)
            before = len(chat.bodies)
            # The probe is the last request that it answers.
            state.faults.die_after, state.faults.down_seconds = 1, 60
            resumed = await resume_run(path, concurrency=1, observer=BaseObserver())
            assert only(resumed).outcome != "error"
            if has_calls:
                assert state.faults.die_after == 0, "nothing but the probe was asked"
                assert match.events() == whole
                assert set(match.calls()) == names
                assert len(chat.bodies) == before
            else:
                assert state.faults.die_after is None
                assert "search_lexical" in kinds(resumed)

    asyncio.run(go())


def halve(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]), "utf-8")


def cut_calls(match: MatchRecord) -> None:
    """Leave the calls that the events need."""
    asked = {action.request for action in match.actions()}
    kept = [call for name, call in match.calls().items() if name.request in asked]
    codec = CallCodec()
    text = "".join(f"{codec.encode(call)}\n" for call in kept)
    (match.path / "calls.jsonl").write_text(text, "utf-8")


@pytest.mark.slow
def test_a_run_is_not_resumed_with_other_vectors(tmp_path: Path, loaded: LoadedScript) -> None:
    path = tmp_path / "run"
    played = play(loaded, path, "ngrams")
    [match] = played.run.matches()
    (match.path / "done.json").unlink()
    manifest = played.run.manifest
    then = {"ngrams": replace(manifest.embedders["ngrams"], model="ngrams-0")}
    RunRecord(path=path).write_manifest(replace(manifest, embedders=then))

    async def resume() -> None:
        port = int(
            manifest.config.pairs[0].civilians.partition("#")[0].rpartition(":")[2].split("/")[0]
        )
        async with fake_server(FakeServer(context=4096), port=port):
            await resume_run(path, concurrency=1, observer=BaseObserver())

    with pytest.raises(
        RecordError, match=r"embedding=ngrams as 'ngrams-0' .* now it is 'ngrams-1'"
    ):
        asyncio.run(resume())


def test_players_without_a_model_name_no_embedder() -> None:
    names = ("naive", "random", "qwen+cot:embedding=vectors", "qwen", "qwen+direct")
    assert embeddings_of([read_contestant(name) for name in names]) == ("vectors", "ngrams")


def test_a_url_of_an_embedder_is_no_name_of_the_model() -> None:
    for model in ("http://a:1/v1", "http://a:1/v1#m", "http://a/b+c/v1#m", "qwen"):
        text = f"{model}+direct:embedding=http://b:2/v1#e5,overflow=retrieve"
        who = read_contestant(text)
        assert who.model == model
        assert dict(who.options) == {"embedding": "http://b:2/v1#e5", "overflow": "retrieve"}
    assert read_contestant("http://a/b+c/v1#m").model == "http://a/b+c/v1#m"
    with pytest.raises(ConfigError, match="needs a model"):
        read_contestant("+direct:embedding=ngrams")
