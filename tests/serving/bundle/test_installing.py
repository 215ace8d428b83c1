"""A bundle is checked and installed by its own programs, on a host without an index."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving.bundle.tiny import wheel

pytestmark = pytest.mark.slow


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(folder / "check.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def install(folder: Path, *target: Path) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "PYTHON": sys.executable, "HOME": str(folder)}
    env |= {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
    env |= {"PIP_TARGET": str(folder.parent / "astray"), "PYTHONPATH": str(folder.parent / "mine")}
    command = [str(folder / "install.sh"), *map(str, target)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def change(folder: Path, **values: object) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | values))


def test_a_bundle_is_installed_from_its_own_files_and_says_what_to_do_next(
    bundle: Path, tmp_path: Path
) -> None:
    target = tmp_path / "here" / "arena"
    done = install(bundle, target)
    assert (done.returncode, done.stderr) == (0, ""), "pip complains of an index that it asks"
    assert f". {target}/arena.env" in done.stdout
    script = f". {target}/arena.env && arena && echo $HF_HUB_OFFLINE ${{ARENA_MODELS-none}}"
    said = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=True)
    assert said.stdout == "murder-arena runs\n1 none\n"
    again = install(bundle, target)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "is not empty; name a new folder, or remove it first" in again.stderr


def test_a_folder_of_somebody_else_is_left_as_it_is(bundle: Path, tmp_path: Path) -> None:
    for target in (tmp_path / "theirs", tmp_path / "venv"):
        (target / "bin").mkdir(parents=True)
        (target / "pyvenv.cfg").write_text("home = /elsewhere\n")
        done = install(bundle, target)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert {path.name for path in target.iterdir()} == {"bin", "pyvenv.cfg"}
    done = install(bundle, target / "pyvenv.cfg")
    assert "is a file; name a new folder" in done.stderr


def test_an_installation_that_was_cut_short_is_made_from_nothing(
    bundle: Path, tmp_path: Path
) -> None:
    target = tmp_path / "arena"
    (target / "lib" / "half").mkdir(parents=True)
    (target / ".arena-unfinished").touch()
    done = install(bundle, target)
    assert (done.returncode, done.stderr) == (0, "")
    assert (target / "bin" / "arena").is_file()
    assert not (target / "lib" / "half").exists()
    assert not (target / ".arena-unfinished").exists()


def test_a_python_that_is_too_old_is_one_line(bundle: Path, tmp_path: Path) -> None:
    old = tmp_path / "python3.6"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "PYTHON": str(old)}
    command = [str(bundle / "install.sh"), str(tmp_path / "a")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "python3.6 is not Python 3.11 or newer" in done.stderr


def test_a_wheel_that_the_manifest_does_not_name_is_refused(bundle: Path) -> None:
    for part in ("wheels", "kernels"):
        wheel(bundle / part, "smuggled")
    done = check(bundle)
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            "kernels/smuggled-1.0-py3-none-any.whl: not in the manifest",
            "wheels/smuggled-1.0-py3-none-any.whl: not in the manifest",
            "error: files that are not in the manifest; remove them",
        ],
    )


def test_the_manifests_own_hash_is_printed_for_comparison(bundle: Path) -> None:
    sha256 = hashlib.sha256((bundle / "manifest.json").read_bytes()).hexdigest()
    assert check(bundle).stdout.endswith(f"SHA-256 of manifest.json: {sha256}\n")


def test_missing_and_damaged_files_are_named_and_nothing_is_installed(
    bundle: Path, tmp_path: Path
) -> None:
    assert check(bundle).returncode == 0
    left = bundle / "wheels" / "left-1.0-py3-none-any.whl"
    data = bytearray(left.read_bytes())
    data[100] ^= 1
    left.write_bytes(data)
    (bundle / "README.md").unlink()
    done = install(bundle, tmp_path / "arena")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "README.md: missing",
        "wheels/left-1.0-py3-none-any.whl: damaged: its SHA-256 differs",
        "error: 2 of 7 files; copy them here again",
    ]
    assert not (tmp_path / "arena").exists()
    left.write_bytes(data[:-7])
    assert f"damaged: wanted {len(data)} bytes, got {len(data) - 7}" in check(bundle).stderr


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"python": "3.99"}, "this bundle is for Python 3.99 on"),
        ({"machine": "pdp11"}, " on pdp11, and "),
        ({"whole": False}, "this bundle is incomplete"),
        ({"files": [{"path": "x"}]}, "manifest.json cannot be read"),
        ({"files": []}, "this bundle is incomplete"),
    ],
)
def test_what_does_not_belong_here_is_one_line(
    bundle: Path, values: dict[str, object], told: str
) -> None:
    change(bundle, **values)
    done = check(bundle)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr


def test_a_manifest_that_is_nested_too_deep_is_one_line(bundle: Path) -> None:
    (bundle / "manifest.json").write_text("[" * 100_000)
    done = check(bundle)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "manifest.json cannot be read" in done.stderr


def test_a_call_without_a_folder_or_without_python_is_one_line(
    bundle: Path, tmp_path: Path
) -> None:
    assert "wanted one folder to install into" in install(bundle).stderr
    env = {"PATH": os.environ["PATH"], "PYTHON": "python9"}
    command = [str(bundle / "install.sh"), str(tmp_path / "a")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no python9 found" in done.stderr
