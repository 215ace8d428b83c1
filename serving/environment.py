"""Create the project's environment: `.venv` in the checkout, with the engine.

    python3 serving/environment.py [--extra dev] [--print-python]

Needs only a bare Python; on failure it prints one line that names what is missing (exit status 2).
The engine is vLLM for CUDA if `nvidia-smi` answers, else the community's CPU build of vLLM;
ARENA_ENGINE=cpu or =cuda overrides this. Every package has the version and a hash of the engine's
lock (serving/locks). A CPU build of torch has its version from pyproject.toml and comes from pip's
configured index; if that has none, from the index in ARENA_TORCH_INDEX, or through uv, which knows
PyTorch's index. A second call returns immediately. Extras of an earlier call stay installed, also
without --extra.

Annotations that an old Python cannot evaluate are quoted, so that it reaches the version check.
"""

import argparse
import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_OLDEST = (3, 11)
_NEWER = ("python3.12", "python3.13", "python3.11")
_TRIED = "ARENA_PYTHON_TRIED"
_RECIPE = 2
_SMI_SECONDS = 30
_TROUBLE = 2
_INTERRUPTED = 130
LIBRARY = "libnuma.so.1"  # the CPU build of vLLM loads it, and no wheel contains it
LIBRARY_ADVICE = "install it (Debian and Ubuntu: the package libnuma1; RHEL: numactl-libs)"
_CUT_OFF = ("ConnectionError", "ReadTimeoutError", "ProxyError", "name resolution", "dns error")
_NOT_THERE = ("No matching distribution", "Could not find a version", "Failed to fetch", *_CUT_OFF)


class BootstrapError(Exception):
    """The environment cannot be created; the message says what is missing and what to do."""


def main() -> int:
    """Create the environment, or print why that fails; return the exit status."""
    parser = argparse.ArgumentParser(description="Create .venv, with the engine for this machine.")
    parser.add_argument("--extra", action="append", default=[], help="a further extra to install")
    parser.add_argument("--print-python", action="store_true", help="print the path of its python")
    options = parser.parse_args()
    try:
        reexec_newer_python()
        python = VirtualEnvironment(_ROOT, sorted(options.extra)).make()
    except BootstrapError as error:
        print_line(f"cannot create the environment: {error}")
        return _TROUBLE
    except KeyboardInterrupt:
        print_line("stopped; run it again to continue")
        return _INTERRUPTED
    if options.print_python:
        sys.stdout.write(f"{python}\n")
    return 0


def reexec_newer_python() -> None:
    """Re-execute in a newer Python if the running one is too old."""
    if sys.version_info[:2] >= _OLDEST:
        return
    found = next(filter(None, map(shutil.which, _NEWER)), None)
    if found and _TRIED not in os.environ:
        os.environ[_TRIED] = found
        os.execv(found, [found, *sys.argv])  # noqa: S606 - the same program, a newer Python
    wanted, have = ".".join(map(str, _OLDEST)), platform.python_version()
    raise BootstrapError(f"wanted Python {wanted} or newer, found {have}; install one")


def choose_engine() -> str:
    """Return "cuda" or "cpu": ARENA_ENGINE's value, else by whether nvidia-smi answers."""
    named = os.environ.get("ARENA_ENGINE", "")
    if named in {"cpu", "cuda"}:
        return named
    if named:
        raise BootstrapError(f"ARENA_ENGINE is {named!r}; wanted 'cpu' or 'cuda'")
    try:
        asked = ["nvidia-smi", "-L"]
        answer = subprocess.run(  # noqa: S603 - a fixed command
            asked, capture_output=True, timeout=_SMI_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "cpu"
    return "cuda" if answer.returncode == 0 and b"GPU" in answer.stdout else "cpu"


def find_missing_library(engine: "str | None") -> str:
    """Return the system library that this build of vLLM lacks, or ""."""
    with contextlib.suppress(OSError):
        ctypes.CDLL(LIBRARY if engine == "cpu" else None)
        return ""
    return LIBRARY


def print_line(line: str) -> None:
    """Print one line on standard error."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


class VirtualEnvironment:
    """The environment of one checkout, with extras besides the engine's."""

    def __init__(self, root: Path, extras: "list[str]") -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / "bin" / "python"
        self._stamp = self.folder / "arena-environment.json"
        installed = self._read_stamp().get("extras", "").split()
        self.extras = sorted({*extras, *installed})
        self._unfinished = self.folder / "arena-unfinished"
        self._log = self.folder / "arena-install.log"

    def make(self) -> Path:
        """Install what the project requires; return the path of the environment's python."""
        wanted = self._compute_digest()
        if self._is_current(wanted):
            return self.python
        with (self.root / "pyproject.toml").open("rb") as project:
            # Concurrent calls would overwrite each other; the second one waits and finds it done.
            fcntl.flock(project, fcntl.LOCK_EX)
            if not self._is_current(wanted):
                self._install(wanted)
        return self.python

    def _install(self, wanted: str) -> None:
        began, engine = time.monotonic(), choose_engine()
        if missing := find_missing_library(engine):
            print_line(f"no engine will start without {missing}: {LIBRARY_ADVICE}")
        print_line(f"creating {self.folder} for {engine.upper()}; the first time takes minutes")
        try:
            # Both builds of vLLM install into one folder, so never put one over the other.
            keep = self._read_stamp().get("engine", engine) == engine
            self._stamp.unlink(missing_ok=True)
            self._make_folder(keep=keep)
            self._unfinished.write_text("", encoding="utf-8")
            self._log.write_text("", encoding="utf-8")
        except OSError as error:
            raise BootstrapError(f"{error.strerror}: {error.filename}") from error
        if engine == "cpu":
            self._install_torch()
        locks = [word for lock in self._locks(engine) for word in ("-r", lock)]
        # The locks have all requirements of the project and its build; nothing else is installed.
        for what in (("--require-hashes", *locks), ("--no-build-isolation", "-e", ".")):
            if not self._run_logged("-m", "pip", "install", "--no-deps", *what):
                self._raise_install_error(what[-1])
        if not self._run_logged("-m", "pip", "check"):  # the next call starts from an empty folder
            raise BootstrapError(
                f"the packages are incompatible: {self._log_lines()[-1]}; see {self._log}"
            )
        stamp = {"wanted": wanted, "engine": engine, "extras": " ".join(self.extras)}
        self._unfinished.unlink()
        self._stamp.write_text(json.dumps(stamp), encoding="utf-8")
        print_line(f"created in {time.monotonic() - began:.0f} s")

    def _is_current(self, wanted: str) -> bool:
        return self._read_stamp().get("wanted") == wanted and self.python.exists()

    def _read_stamp(self) -> "dict[str, str]":
        try:
            return dict(json.loads(self._stamp.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return {}

    def _compute_digest(self) -> str:
        """Return a digest of the inputs of the installation, without running nvidia-smi."""
        project = _read_toml(self.root / "pyproject.toml")["project"]
        machine = [platform.machine(), platform.system(), shutil.which("nvidia-smi")]
        settings = [os.environ.get(name, "") for name in ("ARENA_ENGINE", "ARENA_TORCH_INDEX")]
        # vLLM finds entry points only after an installation has written them.
        named = ("dependencies", "optional-dependencies", "scripts", "entry-points")
        tables = [project.get(name) for name in named]
        locks = [
            (self.root / lock).read_text(encoding="utf-8")
            for engine in ("cpu", "cuda")
            for lock in self._locks(engine)
        ]
        what = (_RECIPE, self.extras, str(self.root), machine, settings, tables, locks)
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()

    def _locks(self, engine: str) -> "list[str]":
        """Return pip's arguments for the locks of the engine and the extras."""
        names = (engine, *(f"{engine}-{extra}" for extra in self.extras))
        locks = [f"serving/locks/{name}.txt" for name in names]
        if not (self.root / locks[0]).exists():
            raise BootstrapError(f"{self.root / locks[0]} is missing; fetch the checkout again")
        for extra, lock in zip(self.extras, locks[1:], strict=True):
            if not (self.root / lock).exists():
                raise BootstrapError(f"the extra {extra!r} has no lock ({lock}); `dev` has one")
        return locks

    def _make_folder(self, *, keep: bool) -> None:
        """Create the folder; empty it first if it is incomplete or `keep` is false."""
        whole = keep and self.python.exists() and not self._unfinished.exists()
        if whole and self._run("-c", f"import pip, sys; sys.exit(sys.version_info < {_OLDEST})"):
            return
        command = [sys.executable, "-m", "venv", "--clear", str(self.folder)]
        made = subprocess.run(  # noqa: S603 - our own interpreter
            command, capture_output=True, text=True, check=False
        )
        if made.returncode:
            said = (made.stdout + made.stderr).strip()
            if "ensurepip" in said:
                raise BootstrapError(
                    f"{sys.executable} has no venv module; install it (Debian and Ubuntu: "
                    "the package python3-venv) and run this again"
                )
            raise BootstrapError(said.splitlines()[-1] if said else "venv failed")

    def _install_torch(self) -> None:
        """Install a CPU build of torch first; otherwise the engine would install one for CUDA."""
        named = _read_toml(self.root / "pyproject.toml")["project"]["optional-dependencies"]["cpu"]
        torch, *beside = (line for line in named if line.startswith("torch"))
        index = os.environ.get("ARENA_TORCH_INDEX", "")
        # Its own requirements are in the lock.
        where = ("--no-deps", *(("--index-url", index) if index else ()))
        pip, uv = ("-m", "pip", "install"), ("-m", "uv", "pip", "install", "--no-deps")
        if self._run_logged(*pip, *where, f"{torch}+cpu", *beside):
            return
        if index:
            done = self._run_logged(*pip, *where, torch, *beside)
        else:
            done = not self._log_says(_CUT_OFF) and (
                self._run_logged(*pip, self._uv_requirement())
                and self._run_logged(
                    *uv, "--python", str(self.python), "--torch-backend", "cpu", torch, *beside
                )
            )
        if not done:
            self._raise_install_error(torch)

    def _uv_requirement(self) -> str:
        """Return the requirement of uv, at the version of the tests' lock."""
        lock = self.root / "serving" / "locks" / "cpu-dev.txt"
        stated = lock.read_text(encoding="utf-8").split() if lock.exists() else []
        return next((word for word in stated if word.startswith("uv==")), "uv")

    def _run_logged(self, *words: str) -> bool:
        """Run the environment's python with these arguments; its output goes to the log."""
        print_line(f"  {' '.join(words[1:])}")
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"\n$ python {' '.join(words)}\n")
            log.flush()
            return self._run(*words, output=log.fileno())

    def _run(self, *words: str, output: int = subprocess.DEVNULL) -> bool:
        status = subprocess.call(  # noqa: S603 - the interpreter of our own environment
            [str(self.python), *words],
            cwd=self.root,
            env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_PROGRESS_BAR": "off"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        return status == 0

    def _raise_install_error(self, what: str) -> None:
        """Raise the error of a failed installation, with the cause from the log."""
        with contextlib.suppress(OSError):
            self._unfinished.unlink()
        if self._log_says(_NOT_THERE):
            raise BootstrapError(
                f"no reachable package index has all of {what!r}; connect to the network "
                "or point pip to an index or a folder of wheels (PIP_INDEX_URL, PIP_FIND_LINKS; "
                f"ARENA_TORCH_INDEX for torch), and run this again; see {self._log}"
            )
        faults = [line for line in self._log_lines() if line.lower().startswith("error")]
        why = faults[-1] if faults else "pip failed"
        raise BootstrapError(f"{what!r} cannot be installed: {why}; see {self._log}")

    def _log_lines(self) -> "list[str]":
        return self._log.read_text(encoding="utf-8", errors="replace").splitlines()

    def _log_says(self, signs: "tuple[str, ...]") -> bool:
        return any(sign in line for line in self._log_lines() for sign in signs)


def _read_toml(path: Path) -> "dict[str, dict[str, dict[str, list[str]]]]":
    # An old Python has no such module, and must reach the message that it is too old.
    import tomllib  # noqa: PLC0415

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BootstrapError(f"{path} cannot be read: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
