"""What is fetched from the hub as a whole, with a program that stands for the hub's client."""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import serving.hub.weights_download
from serving.errors import EngineError
from serving.host.hardware import HostShare
from serving.hub.hub_download import (
    cache_size_gib,
    fetch_args,
    fetch_model,
    fetch_model_info,
    model_cache_folder,
)
from serving.model_files.profile import find_profile
from serving.model_files.weights import Weights, describe_missing_files
from serving.process.model_server import serve_model
from tests.serving.fake_hub import FakeHub, etag
from tests.serving.hosts import CPU

FETCHES = "import sys; print('fetching'); print('/cache/' + sys.argv[1])"
FAILS = "import sys; sys.exit('Traceback\\nOfflineError: the hub does not answer')"
HANGS = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"


def test_the_folder_that_the_client_names_last_is_returned() -> None:
    assert asyncio.run(fetch_model("01-ai/Yi-VL-6B", ("-c", FETCHES))) == Path(
        "/cache/01-ai/Yi-VL-6B"
    )


def test_a_hub_that_does_not_answer_is_one_line() -> None:
    said = r"^'a/b' cannot be fetched from the hub: OfflineError: the hub does not answer$"
    with pytest.raises(EngineError, match=said):
        asyncio.run(fetch_model("a/b", ("-c", FAILS)))


@pytest.mark.slow
def test_fetching_ends_with_the_one_who_wanted_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    async def give_up() -> None:
        async with asyncio.timeout(2):
            await fetch_model(str(note), ("-c", HANGS))

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
    begun = time.monotonic()
    asyncio.run(
        fetch_model("a/b", ("-c", slow), cache=tmp_path, gib=3.5, say=said.append, every=0.1)
    )
    assert set(said) == {"fetching a/b: 3.0 of about 4 GiB are downloaded"}
    assert 1 <= len(said) <= (time.monotonic() - begun) / 0.1


def test_what_the_disk_has_no_room_for_is_not_begun(tmp_path: Path) -> None:
    held(tmp_path, 2**30)
    with pytest.raises(EngineError, match=r"it needs 1048575 GiB more, but .* HF_HOME$"):
        asyncio.run(fetch_model("a/b", ("-c", FAILS), cache=tmp_path, gib=2.0**20))
    with pytest.raises(EngineError, match="OfflineError"):
        asyncio.run(fetch_model("a/b", ("-c", FAILS), cache=tmp_path, gib=1.001))


def client(hub: FakeHub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the hub's client ask this hub, and keep its files in `cache`."""
    for name, value in hub.environ(str(cache)).items():
        monkeypatch.setenv(name, value)


SMALL = b"weights"
TEXTS = {
    "config.json": b"{}",
    "tokenizer.json": b"{}",
    "chat_template.jinja": b"",
    "merges.txt": b"",
}
OTHERS = {"README.md": b"", "run.py": b"", "onnx/model.safetensors": b"o", "model.gguf": b"g"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weights", "pickled", "fetched"),
    [
        (["model.safetensors", "pytorch_model.bin"], False, ["model.safetensors"]),
        (["model.safetensors", "pytorch_model.bin"], True, ["model.safetensors"]),
        (
            ["model.safetensors", "vit/pytorch_model.bin"],
            True,
            ["model.safetensors", "vit/pytorch_model.bin"],
        ),
        (["vit/model.safetensors", "a.bin", "vit/a.bin"], True, ["a.bin", "vit/model.safetensors"]),
        (["pytorch_model-00001-of-00002.bin"], True, ["pytorch_model-00001-of-00002.bin"]),
        (["model.safetensors", "consolidated.safetensors"], False, ["model.safetensors"]),
        (["consolidated.safetensors"], False, ["consolidated.safetensors"]),
    ],
)
def test_pickles_code_and_copies_for_other_programs_are_left_out(
    weights: list[str],
    pickled: bool,
    fetched: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {**TEXTS, **OTHERS, **dict.fromkeys(weights, SMALL)}
    with FakeHub({"a/b": files}) as hub:
        client(hub, tmp_path, monkeypatch)
        folder = asyncio.run(fetch_model("a/b", fetch_args(pickled=pickled)))
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {*TEXTS, *fetched}


@pytest.mark.slow
def test_a_models_own_code_is_fetched_only_where_the_user_trusts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeHub({"a/b": {**TEXTS, "model.safetensors": SMALL, "modeling.py": b"x"}}) as hub:
        client(hub, tmp_path, monkeypatch)
        assert not (asyncio.run(fetch_model("a/b")) / "modeling.py").exists()
        assert (asyncio.run(fetch_model("a/b", fetch_args(code=True))) / "modeling.py").exists()


@pytest.mark.slow
def test_pickled_weights_alone_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeHub({"a/b": {**TEXTS, "pytorch_model.bin": SMALL}}) as hub:
        client(hub, tmp_path, monkeypatch)
        with pytest.raises(EngineError, match=r"the hub has no safetensors of it; --allow-pickle"):
            asyncio.run(fetch_model("a/b"))


def wait_until_held(kept: Path, gib: float) -> None:
    while cache_size_gib(kept) < gib:
        time.sleep(0.05)


@pytest.mark.slow
def test_a_download_that_was_cut_short_goes_on_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = bytes(range(256)) * (32 * 2**20 // 256)
    name, end = "model.safetensors", 25 * 2**20
    with FakeHub({"a/b": {**TEXTS, name: large}}, cut={name: end}) as hub:
        client(hub, tmp_path, monkeypatch)
        kept = model_cache_folder(tmp_path, "a/b")

        async def interrupted() -> None:
            async with asyncio.TaskGroup() as group:
                fetching = group.create_task(fetch_model("a/b"))
                await asyncio.to_thread(hub.reached.wait, 60)
                await asyncio.to_thread(wait_until_held, kept, 20 / 1024)
                fetching.cancel()

        asyncio.run(interrupted())
        assert 20 / 1024 <= cache_size_gib(kept) < 32 / 1024, "what came stays"
        folder = asyncio.run(fetch_model("a/b"))
        assert (folder / name).read_bytes() == large
        assert describe_missing_files(folder) == ""
    starts = [start for asked, start in hub.ranges if asked == name]
    assert starts[0] == 0
    assert starts[1] >= 20 * 2**20


@pytest.mark.slow
def test_a_file_that_is_whole_but_has_no_name_yet_is_not_fetched_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = bytes(11 * 2**20)
    with FakeHub({"a/b": {**TEXTS, "model.safetensors": large}}) as hub:
        client(hub, tmp_path, monkeypatch)
        part = model_cache_folder(tmp_path, "a/b") / "blobs" / f"{etag(large)}.incomplete"
        part.parent.mkdir(parents=True)
        part.write_bytes(large)
        assert describe_missing_files(asyncio.run(fetch_model("a/b"))) == ""
    assert "model.safetensors" not in dict(hub.ranges)


@pytest.mark.slow
def test_two_who_want_a_model_at_once_fetch_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = bytes(64 * 2**20)

    async def both() -> list[Path]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetch_model("a/b")) for _ in range(2)]
        return [task.result() for task in tasks]

    with FakeHub({"a/b": {**TEXTS, "model.safetensors": large}}) as hub:
        client(hub, tmp_path, monkeypatch)
        first, second = asyncio.run(both())
    assert first == second
    assert (first / "model.safetensors").read_bytes() == large
    assert [one for one in hub.ranges if one[0] == "model.safetensors"] == [
        ("model.safetensors", 0)
    ]


@pytest.mark.slow
def test_other_bytes_than_the_hub_names_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = bytes(11 * 2**20)
    with FakeHub({"a/b": {**TEXTS, "model.safetensors": large}}) as hub:
        client(hub, tmp_path, monkeypatch)
        part = model_cache_folder(tmp_path, "a/b") / "blobs" / f"{etag(large)}.incomplete"
        part.parent.mkdir(parents=True)
        part.write_bytes(b"spoilt")
        with pytest.raises(EngineError, match=r"does not match the hub's hash; fetch"):
            asyncio.run(fetch_model("a/b"))
        assert not part.exists()
        assert (asyncio.run(fetch_model("a/b")) / "model.safetensors").read_bytes() == large


@pytest.mark.slow
def test_what_the_hub_says_of_a_model_is_read_with_its_small_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeHub({"a/b": {**TEXTS, "model.safetensors": SMALL}}, licence="mit") as hub:
        client(hub, tmp_path, monkeypatch)
        found = fetch_model_info("a/b")
        with pytest.raises(EngineError, match=r"^'a/c' is not .* the hub has no such model, or"):
            fetch_model_info("a/c")
    assert found.licence == "mit"
    assert found.files["model.safetensors"] == len(SMALL)
    assert [name for name, _ in hub.ranges] == ["config.json"]


@pytest.mark.slow
def test_a_hub_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeHub({}) as hub:
        client(hub, tmp_path, monkeypatch)
    with pytest.raises(EngineError, match=r"the hub at http://127.0.0.1:\d+ does not ") as caught:
        fetch_model_info("a/b")
    assert "\n" not in str(caught.value)
    assert "put the files into the folder in ARENA_MODELS (" in str(caught.value)
    assert "ConnectError" not in str(caught.value)


def test_what_is_fetched_for_a_plugin_is_looked_at_before_an_engine_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def fetched(hub_id: str, program: Sequence[str], *, gib: float, **more: object) -> Path:
        assert {"cache", "say"} <= set(more)
        assert gib == find_profile("yi-vl-6b").weights_gib.value
        asked.append(hub_id)
        return tmp_path

    async def serve() -> None:
        profile = find_profile("yi-vl-6b")
        weights = Weights(path=profile.fetch_id, origin="hub")
        share = HostShare(where="cpu", kv_gib=2, kv_tokens=32_768)
        async with serve_model(profile, hardware=CPU, weights=weights, share=share):
            pytest.fail("there is nothing to start")

    monkeypatch.setattr(serving.hub.weights_download, "fetch_model", fetched)
    with pytest.raises(EngineError) as caught:
        asyncio.run(serve())
    assert asked == ["BUAADreamer/Yi-VL-6B-hf"]
    assert str(caught.value) == (
        f"the hub's 'BUAADreamer/Yi-VL-6B-hf' cannot be served: {tmp_path} has no config.json"
    )
