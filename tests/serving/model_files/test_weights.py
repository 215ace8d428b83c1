"""Where weights are looked for, and when a folder counts as whole."""

import json
import shutil
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

import serving.model_files.weights
from serving.model_files.profile import find_profile
from serving.model_files.weights import (
    find_weights,
    hub_cache,
    is_hub_reachable,
    models_folder,
    request_status,
)
from serving.standin.standin_cache import standin_folder

PROFILE = find_profile("qwen2.5-vl-3b")
YI = find_profile("yi-vl-6b")
SHARDS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
OFF = {"HF_HUB_OFFLINE": "1"}
PICKLED = {**OFF, "ARENA_ALLOW_PICKLE": "1"}


def whole_model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    index = {"weight_map": {f"layer.{at}": shard for at, shard in enumerate(SHARDS)}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    for shard in SHARDS:
        (folder / shard).write_bytes(b"weights")
    return folder


def cached_model(cache: Path, revision: str = "abc", main: str = "abc") -> Path:
    """Lay a model out as the hub's client does: blobs, and links to them in a snapshot."""
    model = cache / "models--Qwen--Qwen2.5-VL-3B-Instruct"
    snapshot = whole_model(model / "snapshots" / revision)
    (model / "blobs").mkdir(exist_ok=True)
    for shard in SHARDS:
        blob = model / "blobs" / f"{revision}-{shard}"
        (snapshot / shard).rename(blob)
        (snapshot / shard).symlink_to(blob)
    (model / "refs").mkdir(exist_ok=True)
    (model / "refs" / "main").write_text(main, encoding="utf-8")
    return snapshot


@pytest.mark.parametrize(
    "name", ["qwen2.5-vl-3b", "Qwen2.5-VL-3B-Instruct", "Qwen/Qwen2.5-VL-3B-Instruct"]
)
def test_a_folder_of_the_users_is_found_under_any_name_of_the_model(
    name: str, tmp_path: Path
) -> None:
    folder = whole_model(tmp_path / name)
    found = find_weights(PROFILE, tmp_path, environ=OFF)
    assert (found.path, found.origin, found.local) == (str(folder), "folder", True)


def test_one_file_of_weights_is_enough(tmp_path: Path) -> None:
    folder = tmp_path / "qwen2.5-vl-3b"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    assert find_weights(PROFILE, tmp_path, environ=OFF).local


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("config.json", "has no config.json"),
        (SHARDS[1], f"lacks 1 of 2 shards, first {SHARDS[1]}"),
        ("model.safetensors.index.json", "has neither"),
    ],
)
@pytest.mark.parametrize("empty", [False, True])
def test_a_folder_that_is_not_whole_is_passed_over_and_named(
    spoil: str, said: str, empty: bool, tmp_path: Path
) -> None:
    folder = whole_model(tmp_path / "qwen2.5-vl-3b")
    if empty:
        (folder / spoil).write_bytes(b"")
    else:
        (folder / spoil).unlink()
    found = find_weights(PROFILE, tmp_path, environ=OFF)
    assert found.origin == "none"
    assert found.broken.startswith(f"{folder} ")
    assert said in found.broken


@pytest.mark.parametrize("whole", [False, True])
def test_pickled_weights_count_only_where_the_user_allows_them(whole: bool, tmp_path: Path) -> None:
    folder = pickled_model(tmp_path / "qwen2.5-vl-3b", whole=whole)
    assert find_weights(PROFILE, tmp_path, environ=PICKLED).local
    refused = find_weights(PROFILE, tmp_path, environ=OFF)
    assert refused.origin == "none"
    assert refused.broken == (
        f"{folder} has only pickled weights, which can run any code when loaded; fetch "
        "the model as safetensors, or allow them with --allow-pickle (ARENA_ALLOW_PICKLE=1)"
    )
    (folder / ("pytorch_model.bin" if whole else f"{Path(SHARDS[1]).stem}.bin")).write_bytes(b"")
    broken = find_weights(PROFILE, tmp_path, environ=PICKLED).broken
    assert ("has an empty pytorch_model.bin" if whole else "lacks 1 of 2 shards") in broken


def pickled_model(folder: Path, *, whole: bool) -> Path:
    whole_model(folder)
    for shard in SHARDS:
        (folder / shard).rename((folder / shard).with_suffix(".bin"))
    index = folder / "model.safetensors.index.json"
    text = index.read_text(encoding="utf-8").replace(".safetensors", ".bin")
    index.unlink()
    if whole:
        (folder / "pytorch_model.bin").write_bytes(b"weights")
    else:
        (folder / "pytorch_model.bin.index.json").write_text(text, encoding="utf-8")
    return folder


def test_safetensors_come_before_pickled_weights_of_the_same_folder(tmp_path: Path) -> None:
    folder = whole_model(tmp_path / "qwen2.5-vl-3b")
    (folder / "pytorch_model.bin").write_bytes(b"")
    for environ in (OFF, PICKLED):
        assert find_weights(PROFILE, tmp_path, environ=environ).local


@pytest.fixture(scope="module")
def yi_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return standin_folder(name="stand-in-yi", cache=tmp_path_factory.mktemp("cache"))


YI_NAMES = (
    *("yi-vl-6b", "Yi-VL-6B", "01-ai/Yi-VL-6B"),
    *("Yi-VL-6B-hf", "BUAADreamer/Yi-VL-6B-hf"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", YI_NAMES)
def test_yi_is_found_under_both_its_names_on_the_hub(
    name: str, yi_files: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(yi_files, tmp_path / name)
    found = find_weights(YI, tmp_path, environ=OFF)
    assert (found.path, found.origin, found.broken) == (str(folder), "folder", "")
    assert find_weights(find_profile("yi-vl-34b"), tmp_path, environ=OFF).origin == "none"


@pytest.mark.slow
@pytest.mark.parametrize("hub_id", ["01-ai/Yi-VL-6B", "BUAADreamer/Yi-VL-6B-hf"])
def test_yi_is_found_in_the_cache_of_the_hub_in_either_layout(
    hub_id: str, yi_files: Path, tmp_path: Path
) -> None:
    snapshot = tmp_path / f"models--{hub_id.replace('/', '--')}" / "snapshots" / "abc"
    shutil.copytree(yi_files, snapshot)
    found = find_weights(YI, None, environ={**OFF, "HF_HUB_CACHE": str(tmp_path)})
    assert (found.path, found.origin) == (str(snapshot), "cache")


def without_tower(folder: Path) -> None:
    shutil.rmtree(folder / "vit")


def without_the_towers_weights(folder: Path) -> None:
    (path,) = folder.glob("vit/*/model.safetensors")
    path.unlink()


def without_norms(folder: Path) -> None:
    change_config(folder, mm_projector_type="mlp2x_gelu")


def another_model(folder: Path) -> None:
    change_config(folder, architectures=["LlamaForCausalLM"])


def change_config(folder: Path, **to: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **to}), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (without_tower, "vision tower"),
        (without_the_towers_weights, "the weights of its vision tower"),
        (without_norms, "mm_projector_type is 'mlp2x_gelu', not 'mlp2x_gelu_Norm'"),
        (another_model, "its config.json names ['LlamaForCausalLM']"),
    ],
)
def test_a_folder_that_the_plugin_cannot_load_is_passed_over_with_what_is_wrong(
    spoil: Callable[[Path], None], said: str, yi_files: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(yi_files, tmp_path / "yi-vl-6b")
    spoil(folder)
    found = find_weights(YI, tmp_path, environ=OFF)
    assert found.origin == "none"
    assert str(folder) in found.broken
    assert said in found.broken
    assert "\n" not in found.broken


@pytest.mark.slow
def test_a_tower_with_pickled_weights_alone_needs_the_users_word_too(
    yi_files: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(yi_files, tmp_path / "yi-vl-6b")
    (path,) = folder.glob("vit/*/model.safetensors")
    path.rename(path.with_name("pytorch_model.bin"))
    found = find_weights(YI, tmp_path, environ=OFF)
    assert found.broken.startswith(f"{path.parent} has only pickled weights, which can run")
    assert "pickled" not in find_weights(YI, tmp_path, environ=PICKLED).broken


def test_yi_is_fetched_as_safetensors_and_as_published_where_pickles_are_allowed(
    tmp_path: Path,
) -> None:
    environ = {"HF_HUB_CACHE": str(tmp_path)}
    assert find_weights(YI, None, environ=environ).path == "BUAADreamer/Yi-VL-6B-hf"
    allowed = {**environ, "ARENA_ALLOW_PICKLE": "1"}
    assert find_weights(YI, None, environ=allowed).path == "01-ai/Yi-VL-6B"


@pytest.mark.slow
def test_random_weights_of_yi_need_the_towers_configuration_too(
    yi_files: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(yi_files, tmp_path / "yi-vl-6b")
    for path in folder.rglob("*.safetensors"):
        path.unlink()
    assert not find_weights(YI, tmp_path, environ=OFF).local
    assert find_weights(YI, tmp_path, environ=OFF, dummy=True).local
    without_tower(folder)
    assert "vision tower" in find_weights(YI, tmp_path, environ=OFF, dummy=True).broken


@pytest.mark.parametrize("text", ["{", "[]", '{"weight_map": {}}', '{"weight_map": 3}', "\x00"])
def test_a_broken_index_is_not_a_whole_model(text: str, tmp_path: Path) -> None:
    folder = whole_model(tmp_path / "qwen2.5-vl-3b")
    (folder / "model.safetensors.index.json").write_text(text, encoding="utf-8")
    found = find_weights(PROFILE, tmp_path, environ=OFF)
    assert found.broken == f"{folder} has a broken model.safetensors.index.json"


def test_random_weights_need_only_the_configuration(tmp_path: Path) -> None:
    folder = tmp_path / "qwen2.5-vl-3b"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    assert find_weights(PROFILE, tmp_path, environ=OFF).origin == "none"
    found = find_weights(PROFILE, tmp_path, environ=OFF, dummy=True)
    assert (found.origin, found.dummy) == ("folder", True)


@pytest.mark.parametrize(
    "variables",
    [
        {"HF_HUB_CACHE": "{}"},
        {"HUGGINGFACE_HUB_CACHE": "{}"},
        {"HF_HOME": "{}/.."},
        {"XDG_CACHE_HOME": "{}/../.."},
    ],
)
def test_the_cache_of_the_hub_is_found_by_its_own_variables(
    variables: Mapping[str, str], tmp_path: Path
) -> None:
    cache = tmp_path / "huggingface" / "hub"
    snapshot = cached_model(cache)
    environ = {name: value.format(cache) for name, value in variables.items()}
    assert hub_cache(environ).resolve() == cache
    found = find_weights(PROFILE, None, environ={**environ, **OFF})
    assert (found.path, found.origin) == (str(snapshot), "cache")


def test_the_main_revision_comes_first_and_another_whole_one_will_do(tmp_path: Path) -> None:
    cached_model(tmp_path, revision="aaa", main="bbb")
    snapshot = cached_model(tmp_path, revision="bbb", main="bbb")
    environ = {"HF_HUB_CACHE": str(tmp_path), **OFF}
    assert find_weights(PROFILE, None, environ=environ).path == str(snapshot)
    (snapshot / SHARDS[0]).resolve().unlink()
    found = find_weights(PROFILE, None, environ=environ)
    assert found.path.endswith("aaa")
    assert "bbb lacks 1 of 2 shards" in found.broken


def test_the_users_folder_comes_before_the_cache(tmp_path: Path) -> None:
    folder = whole_model(tmp_path / "mine" / "qwen2.5-vl-3b")
    cached_model(tmp_path / "cache")
    environ = {"HF_HUB_CACHE": str(tmp_path / "cache")}
    assert find_weights(PROFILE, tmp_path / "mine", environ=environ).path == str(folder)
    assert find_weights(PROFILE, None, environ=environ).origin == "cache"


def test_the_hub_is_the_last_place_and_may_be_forbidden(tmp_path: Path) -> None:
    environ = {"HF_HUB_CACHE": str(tmp_path / "cache")}
    found = find_weights(PROFILE, tmp_path, environ=environ)
    assert (found.path, found.origin, found.local) == (PROFILE.hub_id, "hub", False)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        off = find_weights(PROFILE, tmp_path, environ={**environ, name: "True"})
        assert (off.path, off.origin) == ("", "none")
        assert off.note == f"looked in {tmp_path} and in {tmp_path / 'cache'}, and the hub is off"


def test_a_stand_in_has_no_weights_anywhere(tmp_path: Path) -> None:
    whole_model(tmp_path / "stand-in")
    found = find_weights(find_profile("stand-in"), tmp_path, environ={})
    assert (found.path, found.origin) == ("", "none")


def test_the_mini_model_is_in_the_arenas_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving.model_files.weights, "BUNDLED", tmp_path)
    mini, folder = find_profile("mini"), tmp_path / "mini"
    missing = find_weights(mini, None, environ={})
    assert (missing.origin, missing.local) == ("none", False)
    assert missing.broken == f"{folder} has no config.json; install the arena again"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    found = find_weights(mini, None, environ={})
    assert (found.path, found.origin, found.local) == (str(folder), "bundled", True)


def test_the_models_folder_is_named_by_a_variable() -> None:
    assert models_folder({}) is None
    assert models_folder({"ARENA_MODELS": " "}) is None
    assert models_folder({"ARENA_MODELS": "~/m"}) == Path.home() / "m"


class Answering:
    """A server on loopback that answers everything with one status and notes what was sent."""

    def __init__(self, status: int, location: str = "") -> None:
        self.keys: list[str | None] = []
        noted = self.keys

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                noted.append(self.headers.get("Authorization"))
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Answering":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.mark.parametrize("status", [200, 401, 404, 500])
def test_any_status_is_an_answer(status: int) -> None:
    with Answering(status) as server:
        assert request_status(server.url, "secret") == status
        assert server.keys == ["Bearer secret"]


def test_a_key_does_not_follow_a_redirect() -> None:
    with Answering(200) as other, Answering(302, other.url) as server:
        assert request_status(server.url, "secret") == 302
        assert other.keys == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "file:///etc/passwd", "http://", "x"])
def test_silence_and_other_schemes_are_no_answer(url: str) -> None:
    assert request_status(url) == 0


def test_the_hub_is_there_only_if_it_answers_well_and_may_be_asked() -> None:
    with Answering(200) as hub, Answering(403) as proxy:
        assert is_hub_reachable({"HF_ENDPOINT": hub.url})
        assert not is_hub_reachable({"HF_ENDPOINT": proxy.url})
        assert not is_hub_reachable({"HF_ENDPOINT": hub.url, **OFF})
        assert len(hub.keys) == 1
