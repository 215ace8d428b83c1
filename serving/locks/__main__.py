"""`python -m serving.locks`: resolve pyproject.toml and write the locks; needs a network.

It runs uv, with the index in UV_DEFAULT_INDEX or the default one. Locked versions stay if they
still fit; `--upgrade` selects the newest versions.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from serving.errors import ServingError
from serving.locks import LOCKS_FOLDER, lock_path, read_lock

_ROOT: Final = LOCKS_FOLDER.parent.parent
_OLDEST: Final = "3.11"
_TORCH: Final = ("torch", "torchaudio", "torchvision")
_CUDA_ONLY: Final = (
    "cuda-bindings",
    "cuda-toolkit",
    "nvidia-cudnn-cu13",
    "nvidia-cusparselt-cu13",
    "nvidia-nccl-cu13",
    "nvidia-nvshmem-cu13",
)
"""Packages that the default build of PyTorch needs and its CPU build does not."""
_HEAD: Final = "# Written by `make lock`; serving/locks/__init__.py says what it means."
_UNSEEN: Final = "intel-cmplr-lib-ur==2024.2.1 ; platform_machine == 'x86_64'\n"
"""Required by intel-openmp, but missing in the wheel metadata that uv reads."""


def main() -> int:
    """Write the four locks; return 2, with uv's message, if it finds no solution."""
    parser = argparse.ArgumentParser(description="Resolve and write serving/locks.")
    parser.add_argument("--upgrade", action="store_true", help="select the newest versions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            for engine in ("cpu", "cuda"):
                _renew(engine, Path(scratch), upgrade=options.upgrade)
        except subprocess.CalledProcessError as error:
            sys.stderr.write(f"error: no locks written; uv ended with status {error.returncode}\n")
            return 2
        except (ServingError, OSError) as error:
            sys.stderr.write(f"error: {error}\n")
            return 2
    return 0


def _renew(engine: str, scratch: Path, *, upgrade: bool) -> None:
    """Write both locks of an engine; shared packages have versions that suit the tests."""
    base, dev = lock_path(engine), lock_path(f"{engine}-dev")
    whole, beside = scratch / f"{engine}-whole.txt", scratch / f"{engine}-dev.txt"
    torch = scratch / "torch.txt"
    torch.write_text("".join(f"{line}\n" for line in _torch_pins()), encoding="utf-8")
    without = scratch / "without.txt"
    without.write_text("\n".join(_CUDA_ONLY), encoding="utf-8")
    unseen = scratch / "unseen.in"
    unseen.write_text(_UNSEEN, encoding="utf-8")
    words = ["--extra", engine, "pyproject.toml"]
    if engine == "cpu":
        words += [str(unseen), "--overrides", str(torch), "--excludes", str(without)]
        words += _exclude_args(_TORCH)
    if not upgrade:
        kept = [lock.read_text(encoding="utf-8") for lock in (base, dev) if lock.exists()]
        whole.write_text("".join(kept), encoding="utf-8")
    _compile([*words, "--extra", "dev", *(["--upgrade"] if upgrade else [])], whole)
    shutil.copy(whole, base)  # uv prefers the versions in its output file
    _compile([*words, "--constraints", str(whole)], base)
    shutil.copy(whole, beside)
    names = {pin.name for pin in read_lock(base)}
    _compile([*words, "--extra", "dev", *_exclude_args(sorted(names))], beside)
    shutil.move(beside, dev)


def _torch_pins() -> list[str]:
    with (_ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    return [line for line in extras["cpu"] if line.partition("==")[0] in _TORCH]


def _exclude_args(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in ("--no-emit-package", name)]


def _compile(words: list[str], out: Path) -> None:
    command = [sys.executable, "-m", "uv", "pip", "compile", *words, "--output-file", str(out)]
    command += ["--universal", "--python-version", _OLDEST, "--generate-hashes", "--quiet"]
    command += ["--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    subprocess.run([*command, "--no-annotate"], cwd=_ROOT, check=True)  # noqa: S603 - our own words
    kept = [line for line in out.read_text().splitlines() if line and not line.startswith("#")]
    out.write_text("\n".join([_HEAD, *kept, ""]), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
