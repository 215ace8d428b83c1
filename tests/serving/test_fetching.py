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


def held(cache: Path, size: int) -> None:
    blobs = cache / "models--a--b" / "blobs"
    blobs.mkdir(parents=True)
    with (blobs / "part.incomplete").open("wb") as file:
        file.truncate(size)


def test_how_far_it_is_is_said_while_it_is_fetched(tmp_path: Path) -> None:
    held(tmp_path, 3 * 2**30)
    slow = "import time; time.sleep(0.6); print('/cache')"
    said: list[str] = []
    asyncio.run(fetch("a/b", slow, cache=tmp_path, gib=3.5, say=said.append, every=0.1))
    assert set(said) == {"fetching a/b: 3.0 of about 4 GiB are here"}
    assert 1 <= len(said) <= 6


def test_what_the_disk_has_no_room_for_is_not_begun(tmp_path: Path) -> None:
    held(tmp_path, 2**30)
    with pytest.raises(EngineError, match=r"it takes 1048575 GiB more, but .* HF_HOME$"):
        asyncio.run(fetch("a/b", FAILS, cache=tmp_path, gib=2.0**20))
    with pytest.raises(EngineError, match="OfflineError"):
        asyncio.run(fetch("a/b", FAILS, cache=tmp_path, gib=1.001))


HUB = """
class HfApi:
    def list_repo_files(self, hub_id):
        return FILES

def snapshot_download(hub_id, ignore_patterns):
    return "|".join([hub_id, *ignore_patterns])
"""


@pytest.mark.parametrize(
    ("files", "left_out"),
    [
        (
            ["model.safetensors", "pytorch_model.bin", "vit/pytorch_model.bin"],
            ["pytorch_model.bin"],
        ),
        (["vit/model.safetensors", "a.bin", "vit/a.bin"], ["vit/a.bin"]),
        (["pytorch_model-00001-of-00002.bin", "vit/a.bin"], []),
    ],
)
def test_pickled_weights_are_left_out_where_there_are_others_beside_them(
    files: list[str], left_out: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "huggingface_hub.py").write_text(f"FILES = {files!r}\n{HUB}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert str(asyncio.run(fetch("a/b"))) == "|".join(["a/b", *left_out])


def test_what_is_fetched_for_a_plugin_is_looked_at_before_an_engine_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def fetched(hub_id: str, *, gib: float, **more: object) -> Path:
        assert {"cache", "say"} <= set(more)
        assert gib == find_profile("yi-vl-6b").weights_gib.value
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
