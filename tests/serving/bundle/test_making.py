"""A bundle is made, gone on with, and refused in one line; pip is real, the index is a folder."""

import errno
import fcntl
import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import serving.bundle.bundle_builder
from arena.cli.app import build_app
from serving.bundle.bundle_manifest import read_manifest
from serving.bundle.check import file_digest
from serving.errors import ServingError
from tests.serving.bundle.conftest import Site
from tests.serving.bundle.tiny import pin, wheel

LEFT = "wheels/left-1.0-py3-none-any.whl"


def contents(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_manifest_names_every_file_with_its_hash_and_size(site: Site) -> None:
    manifest = site.make(("stand-in", "qwen2.5-vl-7b"))
    assert manifest.whole
    assert manifest == read_manifest(site.out)
    files = {one.path: one for one in manifest.files}
    assert contents(site.out) == {*files, "manifest.json"}
    assert {LEFT, "wheels/murder_arena-7.8.9-py3-none-any.whl", "install.sh"} <= set(files)
    for name, one in files.items():
        assert one.sha256 == file_digest(site.out / name)
        assert one.bytes == (site.out / name).stat().st_size
    stated = (site.out / "requirements.txt").read_text()
    assert stated == "left==1.0\nright-one==2.5\nmurder-arena==7.8.9\n"
    assert manifest.arena == "7.8.9", "of the wheel, not of what is installed here"
    assert any("no weights of qwen2.5-vl-7b in the bundle" in line for line in site.said)
    assert "put the files of Qwen/Qwen2.5-VL-7B-Instruct" in (site.out / "README.md").read_text()


@pytest.mark.slow
def test_missing_weights_are_named_before_the_first_download(site: Site) -> None:
    shutil.rmtree(site.index)
    with pytest.raises(ServingError, match=r"^cannot download (left|right-one)=="):
        site.make(("stand-in", "qwen2.5-vl-7b"))
    assert site.said[0].startswith("no weights of qwen2.5-vl-7b: they are not on this host; ")
    assert "`arena fetch qwen2.5-vl-7b` fetches them" in site.said[0]
    with pytest.raises(ServingError):
        site.make(("qwen2.5-vl-7b",), weights=False)
    assert not any("arena fetch" in line for line in site.said)


@pytest.mark.slow
def test_a_second_call_fetches_nothing_and_a_third_only_what_is_missing_or_damaged(
    site: Site,
) -> None:
    first = site.make()
    shutil.rmtree(site.index)
    assert site.make() == first, "nothing is asked of an index that is gone"
    assert site.said == []
    left = site.out / LEFT
    left.write_bytes(left.read_bytes()[:-1])
    with pytest.raises(ServingError, match=r"^cannot download left==1\.0: "):
        site.make()
    assert f"{LEFT} is damaged or incomplete: downloading it again" in site.said
    wheel(site.index, "left")
    assert site.make() == first
    assert site.said == ["1 of 2 packages are here, downloading the rest", "  left 1.0"]


@pytest.mark.slow
def test_a_call_that_is_cut_short_leaves_a_bundle_that_says_so(site: Site) -> None:
    (site.index / "right_one-2.5-py3-none-any.whl").unlink()
    with pytest.raises(ServingError, match=r"right-one==2\.5"):
        site.make()
    manifest = read_manifest(site.out)
    assert manifest is not None
    assert not manifest.whole
    killed = site.out / ".fetching-1" / "files"
    killed.mkdir(parents=True)
    (killed / "half.whl").touch()
    wheel(site.index, "right-one", "2.5")
    assert site.make().whole
    assert not killed.exists()


@pytest.mark.slow
def test_a_wheel_of_another_hash_than_the_locks_is_refused(site: Site) -> None:
    with (site.index / "left-1.0-py3-none-any.whl").open("ab") as file:
        file.write(b"more")
    with pytest.raises(
        ServingError, match=r"^cannot download left==1\.0: .*DO NOT MATCH THE HASHES"
    ):
        site.make()
    assert not (site.out / LEFT).exists()


@pytest.mark.slow
def test_the_command_prints_the_manifests_hash_for_comparison(site: Site) -> None:
    done = CliRunner().invoke(build_app("bundle"), ["bundle", str(site.out), "--engine", "cpu"])
    assert done.exit_code == 0
    assert f"SHA-256 of manifest.json: {file_digest(site.out / 'manifest.json')}; " in done.stdout


@pytest.mark.slow
def test_an_index_that_does_not_answer_is_one_line(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ServingError) as told:
        site.make()
    assert str(told.value).endswith(
        "the package index does not answer; run the same command again when it does"
    )
    assert "\n" not in str(told.value)


@pytest.mark.slow
def test_a_full_disk_is_one_line(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(serving.bundle.bundle_builder, "build_arena_wheel", full)
    with pytest.raises(ServingError, match=r"^the disk of .* is full; free some space and run"):
        site.make()


def test_pip_on_a_full_disk_is_the_same_line(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\necho 'ERROR: OSError: [Errno 28] No space left on device'\nexit 1\n"
    )
    python.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(python))
    with pytest.raises(ServingError, match=r": the disk is full; free some space and run"):
        site.make()


@pytest.mark.slow
def test_a_folder_of_something_else_and_a_bundle_for_something_else_are_refused(
    site: Site, tmp_path: Path
) -> None:
    site.make()
    with pytest.raises(ServingError, match="is a bundle of the cpu engine for Python 3"):
        site.make(engine="cuda")
    site.out = tmp_path / "mine"
    site.out.mkdir()
    (site.out / "letter").write_text("dear")
    with pytest.raises(ServingError, match="holds other files; name a new or empty folder"):
        site.make()
    assert contents(site.out) == {"letter"}


@pytest.mark.slow
def test_a_wheel_that_a_newer_lock_no_longer_names_is_removed(site: Site) -> None:
    site.make()
    site.pins[0] = pin(wheel(site.index, "left", "1.1"))
    site.make()
    assert f"removed: {LEFT}, which is not in the lock" in site.said
    assert "wheels/left-1.1-py3-none-any.whl" in contents(site.out)
    assert LEFT not in contents(site.out)


@pytest.mark.slow
def test_an_image_is_built_from_the_dockerfile_or_its_builder_is_named_as_missing(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", str(bin_))
    with pytest.raises(ServingError, match=r"^--image needs docker or podman; install one"):
        site.make(image=True)
    docker = bin_ / "docker"
    docker.write_text("#!/bin/sh\necho no daemon\nexit 1\n")
    docker.chmod(0o755)
    with pytest.raises(ServingError, match=r"docker info` ended with 1: no daemon"):
        site.make(image=True)
    assert not site.out.exists(), "nothing is fetched before the builder has answered"
    docker.write_text(
        f'#!/bin/sh\necho "$*" >> {tmp_path}/asked\n[ $1 != save ] || echo layers > $3\n'
    )
    monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{path}")
    assert "image/arena.tar" in {one.path for one in site.make(image=True).files}
    assert "docker load" in (site.out / "README.md").read_text()
    _, built, saved = (tmp_path / "asked").read_text().splitlines()
    assert "Dockerfile.gpu --tag murder-arena" in built
    assert saved.startswith("save --output")


@pytest.mark.slow
def test_a_bundle_is_whole_where_only_its_image_cannot_be_built(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docker = tmp_path / "docker"
    docker.write_text("#!/bin/sh\n[ $1 = info ] && exit 0\necho no such base\nexit 1\n")
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ServingError, match=r"docker build` ended with 1: no such base"):
        site.make(image=True)
    manifest = read_manifest(site.out)
    assert manifest is not None
    assert manifest.whole
    assert "docker load" not in (site.out / "README.md").read_text()


@pytest.mark.slow
def test_what_is_not_the_bundles_own_stays_and_is_named(site: Site) -> None:
    site.make()
    (site.out / "wheels" / "letter.txt").write_text("dear")
    (site.out / "wheels" / "folder.whl").mkdir()
    site.version = "8.0"
    site.make()
    assert site.said == [
        "removed: wheels/murder_arena-7.8.9-py3-none-any.whl, which is not in the lock",
        "wheels/letter.txt is not part of this bundle; move it away, or install.sh fails",
    ]
    assert (site.out / "wheels" / "letter.txt").read_text() == "dear"


@pytest.mark.slow
def test_a_second_call_at_the_same_time_is_refused(site: Site) -> None:
    site.make()
    held = os.open(site.out, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        with pytest.raises(ServingError, match="another `arena bundle` is writing"):
            site.make()
    finally:
        os.close(held)
    assert site.make().whole
