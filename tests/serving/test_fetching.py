"""What is fetched from the hub as a whole, with a program that stands for the hub's client."""

import asyncio
import os
from pathlib import Path

import pytest

import serving.server
from serving.errors import EngineError
from serving.fetching import fetch
from serving.hardware import Share
from serving.profile import find_profile
from serving.server import running
from serving.weights import Weights
from tests.serving.hosts import CPU

FETCHES = "import sys; print('fetching'); print('/cache/' + sys.argv[1])"
FAILS = "import sys; sys.exit('Traceback\\nOfflineError: the hub does not answer')"
HANGS = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"


def test_the_folder_that_the_client_names_last_is_returned() -> None:
    assert asyncio.run(fetch("01-ai/Yi-VL-6B", FETCHES)) == Path("/cache/01-ai/Yi-VL-6B")


def test_a_hub_that_does_not_answer_is_one_line() -> None:
    said = r"^'a/b' cannot be fetched from the hub: OfflineError: the hub does not answer$"
    with pytest.raises(EngineError, match=said):
        asyncio.run(fetch("a/b", FAILS))


def test_fetching_ends_with_the_one_who_wanted_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    async def give_up() -> None:
        async with asyncio.timeout(2):
            await fetch(str(note), HANGS)

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_what_is_fetched_for_a_plugin_is_looked_at_before_an_engine_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def fetched(hub_id: str) -> Path:
        asked.append(hub_id)
        return tmp_path

    async def serve() -> None:
        profile = find_profile("yi-vl-6b")
        weights = Weights(path=profile.hub_id, origin="hub")
        share = Share(where="cpu", kv_gib=2, kv_tokens=32_768)
        async with running(profile, hardware=CPU, weights=weights, share=share):
            pytest.fail("there is nothing to start")

    monkeypatch.setattr(serving.server, "fetch", fetched)
    with pytest.raises(EngineError) as caught:
        asyncio.run(serve())
    assert asked == ["01-ai/Yi-VL-6B"]
    assert str(caught.value) == (
        f"what the hub has as '01-ai/Yi-VL-6B' cannot be served: {tmp_path} has no config.json"
    )
