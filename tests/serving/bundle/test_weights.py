"""What is put into a bundle beside its packages: weights and compiled kernels, by us or by hand."""

from pathlib import Path

import pytest

import serving.hub.hub_profile
from serving.bundle.bundle_manifest import Manifest
from serving.hub.hub_profile import hub_profile
from tests.serving.bundle.conftest import Site
from tests.serving.bundle.tiny import wheel
from tests.serving.hub.test_hub_model import GLM, OFF
from tests.serving.hub.test_hub_model import put as put_model

pytestmark = pytest.mark.slow

MODEL = "qwen2.5-vl-7b"


def put(folder: Path) -> Path:
    """Write what counts as a whole model; its weights are a link, as in the hub's cache."""
    folder.mkdir(parents=True)
    blob = folder.parent / "blob"
    blob.write_bytes(b"weights")
    (folder / "model.safetensors").symlink_to(blob)
    (folder / "config.json").write_text("{}")
    return folder


def folders(manifest: Manifest) -> dict[str, str]:
    return {one.profile: one.folder for one in manifest.models}


@pytest.fixture
def model(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert not site.out.exists()
    monkeypatch.setenv("ARENA_MODELS", str(tmp_path / "models"))
    return put(tmp_path / "models" / MODEL)


def test_compiled_kernels_that_somebody_put_there_are_entered(site: Site) -> None:
    site.make()
    wheel(site.out / "kernels", "flashinfer-cubin")
    names = {one.path for one in site.make().files}
    assert "kernels/flashinfer_cubin-1.0-py3-none-any.whl" in names


@pytest.mark.usefixtures("model")
def test_weights_are_copied_once_whole_and_without_links(site: Site) -> None:
    manifest = site.make((MODEL,))
    copied = site.out / "weights" / MODEL / "model.safetensors"
    assert not copied.is_symlink()
    assert copied.read_bytes() == b"weights"
    assert folders(manifest) == {MODEL: f"weights/{MODEL}"}
    before = copied.stat().st_ino
    assert site.make((MODEL,)) == manifest
    assert copied.stat().st_ino == before, "not copied again"
    copied.write_bytes(b"WEIGHTS")
    assert site.make((MODEL,)) == manifest, "of the same size, but damaged"
    assert copied.read_bytes() == b"weights"


@pytest.mark.usefixtures("model")
def test_a_later_call_with_other_options_keeps_the_weights_in_the_manifest(site: Site) -> None:
    first = site.make((MODEL,))
    assert site.make() == first, "with no profile named"
    assert site.make((MODEL,), weights=False) == first
    other = site.make(("yi-vl-6b",), weights=False)
    assert folders(other) == {MODEL: f"weights/{MODEL}", "yi-vl-6b": ""}
    assert {one.path for one in first.files} == {one.path for one in other.files}


@pytest.mark.usefixtures("model")
def test_without_weights_the_profiles_are_still_told(site: Site) -> None:
    assert folders(site.make((MODEL,), weights=False)) == {MODEL: ""}
    assert not (site.out / "weights").exists()
    assert "put the files of Qwen/Qwen2.5-VL-7B-Instruct" in (site.out / "README.md").read_text()


def test_weights_that_were_put_there_by_hand_are_entered_as_files(site: Site) -> None:
    site.make((MODEL,))
    folder = put(site.out / "weights" / MODEL)
    manifest = site.make((MODEL,))
    assert folders(manifest) == {MODEL: f"weights/{MODEL}"}
    assert f"weights/{MODEL}/model.safetensors" in {one.path for one in manifest.files}
    assert not (folder / "model.safetensors").is_symlink()
    (folder / "model.safetensors").write_bytes(b"tuned..")
    site.make((MODEL,), weights=False)
    assert site.said == [
        f"weights/{MODEL}/model.safetensors differs from the file of the last call"
    ]


def test_a_copy_that_was_cut_short_is_gone_on_with(site: Site, model: Path) -> None:
    site.make()
    half = site.out / "weights" / MODEL
    half.mkdir(parents=True)
    (half / "model.safetensors").write_bytes(b"weights")
    (half / ".fetching-tokenizer.json").write_bytes(b"ha")
    (model / "tokenizer.json").write_text("half")
    site.make((MODEL,))
    assert {path.name for path in half.iterdir()} == {
        *("config.json", "model.safetensors", "tokenizer.json")
    }


def test_a_model_of_the_hub_is_bundled_under_its_id_and_found_again(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = frozenset(GLM["architectures"])
    monkeypatch.setattr(serving.hub.hub_profile, "multimodal_architectures", lambda: known)
    monkeypatch.setenv("ARENA_MODELS", str(tmp_path / "models"))
    put_model(tmp_path / "models" / "org" / "model", GLM)
    first = site.make(("hf:org/model",))
    assert folders(first) == {"hf:org/model": "weights/org/model"}
    assert "weights/org/model/model.safetensors" in {one.path for one in first.files}
    assert site.make() == first, "with no profile named"
    there = hub_profile("org/model", {"ARENA_MODELS": str(site.out / "weights"), **OFF})
    assert there.name == "hf:org/model"


def test_files_that_are_no_model_stay_in_the_bundle_and_are_named(site: Site) -> None:
    site.make()
    put(site.out / "weights" / "org" / "model")
    site.out.joinpath("weights/org/model/config.json").write_text("[]")
    site.make()
    [said] = site.said
    assert said.startswith("weights/org/model is kept without a profile: ")
