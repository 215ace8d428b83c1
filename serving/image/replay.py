"""Execute a Dockerfile in a plain root folder, for hosts without a container registry.

    python -m serving.image.replay DOCKERFILE ROOT [--lock cpu [--wheels FOLDER]]
        [--certificates FILE] [--from LINE]

ROOT is a distribution's root (debootstrap) that replaces the base image. Every RUN is executed in
it by chroot, in order and with the preceding variables and user; COPY reads from the Dockerfile's
folder. Instructions that need a container (the base, labels) are reported and skipped. The command
and the health check run at the end, without a network. Requires root and the programs `unshare`,
`setpriv` and `ip` (iproute2).

With `--lock cpu` it adds libnuma1 and PyTorch for the CPU, which is in no lock: from pip's index in
ROOT, from the index in ARENA_TORCH_INDEX, or with `--wheels` from a bundle's `wheels/`.
"""

import argparse
import json
import os
import shlex
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from serving.bundle.wheels import TORCH_INDEX, find_wheels, torch_pins
from serving.errors import ServingError

_SCRIPT: Final = """
set -eu
root=$1 network=$2; shift 2
[ "$network" = on ] || ip link set lo up
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind -o ro /etc/resolv.conf "$root/etc/resolv.conf"
exec chroot "$root" "$@"
"""
_ISOLATED: Final = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction of a Dockerfile: its line number, its keyword and the rest."""

    line: int
    word: str
    rest: str


@dataclass(slots=True)
class DockerfileReplay:
    """A root folder and the state that the executed instructions have set."""

    context: Path
    root: Path
    env: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH, "HOME": "/root"})
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    user: str = "root"
    folder: str = "/"
    entry: list[str] = field(default_factory=list[str])
    health: list[str] = field(default_factory=list[str])
    skipped: list[str] = field(default_factory=list[str])

    def execute(self, one: Instruction) -> int:
        """Execute one instruction; return its exit status."""
        match one.word:
            case "RUN":
                return self.run(["/bin/sh", "-c", one.rest])
            case "COPY":
                self._copy(one.rest.split())
            case _:
                self._set(one)
        return 0

    def _set(self, one: Instruction) -> None:
        match one.word:
            case "ARG" | "ENV":
                kept = self.env if one.word == "ENV" else self.arguments
                for pair in shlex.split(one.rest):
                    name, _, value = pair.partition("=")
                    kept[name] = string.Template(value).safe_substitute(self.env)
            case "USER":
                self.user = one.rest
            case "WORKDIR":
                self.folder = one.rest
            case "HEALTHCHECK":
                self.health = _parse_command(one.rest.partition("CMD ")[2])
            case "ENTRYPOINT" | "CMD":
                self.entry += _parse_command(one.rest)
            case _:
                self.skipped.append(f"line {one.line}: {one.word}")

    def run(self, words: list[str], *, network: bool = True) -> int:
        """Run a program in the root as the current user; return its exit status."""
        variables = [f"{name}={value}" for name, value in (self.arguments | self.env).items()]
        switch: list[str] = []
        if self.user != "root":
            user, _, group = self.user.partition(":")
            switch = ["setpriv", f"--reuid={user}", f"--regid={group or user}", "--init-groups"]
        inside = ["env", "-i", *variables, "sh", "-c", 'cd "$0" && exec "$@"', self.folder, *words]
        shell = ["sh", "-c", _SCRIPT, "sh", str(self.root), "on" if network else "off"]
        command = [*_ISOLATED, *([] if network else ["--net"]), *shell, *switch, *inside]
        return subprocess.run(command, check=False).returncode  # noqa: S603 - a Dockerfile's words

    def _copy(self, words: list[str]) -> None:
        *sources, into = words
        to = self.root / into.lstrip("/")
        for name in sources:
            source = self.context / name
            if source.is_dir():
                shutil.copytree(source, to, dirs_exist_ok=True)
            else:
                target = to / source.name if into.endswith("/") else to
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)


def read_dockerfile(text: str) -> Iterator[Instruction]:
    """Yield the instructions of a Dockerfile, continued lines joined."""
    stated, began = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or not (stated or line.strip()):
            continue
        began = began if stated else number
        stated += line.strip()
        if stated.endswith("\\"):
            stated = f"{stated[:-1].rstrip()} "
            continue
        word, _, rest = stated.partition(" ")
        yield Instruction(line=began, word=word.upper(), rest=rest.strip())
        stated = ""


def adapt_to_cpu(text: str, torch: str) -> str:
    """Return the Dockerfile with the CPU lock; `torch` are the pip arguments that install torch.

    Raises `ServingError` if the Dockerfile lacks the lines to change.
    """
    pip = "/opt/arena/bin/python -m pip install --no-cache-dir --no-compile --no-deps"
    for old, new in (
        ("locks/cuda.txt", "locks/cpu.txt"),
        ("--no-install-recommends ", "--no-install-recommends libnuma1 "),
        ("python3 -m venv /opt/arena ", f"python3 -m venv /opt/arena && {pip} {torch} "),
    ):
        if old not in text:
            raise ServingError(f"--lock cpu needs {old.strip()!r} in the Dockerfile")
        text = text.replace(old, new)
    return text


def copy_torch_wheels(context: Path, root: Path, wheels: Path | None) -> str:
    """Copy torch's wheels into the root; return the pip arguments that install torch."""
    pins = torch_pins(context)
    words = [f"{pin.name}=={pin.version}" for pin in pins]
    if wheels is None:
        index = os.environ.get(TORCH_INDEX, "")
        return shlex.join([*(["--index-url", index] if index else []), *words])
    for pin in pins:
        found = find_wheels(pin, wheels)
        if not found:
            raise ServingError(f"{wheels} has no wheel of {pin.name} {pin.version}")
        shutil.copy(found[-1], root / "tmp")
    return shlex.join(["--no-index", "--find-links", "/tmp", *words])  # noqa: S108 - in the root


def rehearse(options: argparse.Namespace) -> int:
    """Execute the Dockerfile; return 1 if a RUN, the command or the health check fails.

    Raises `ServingError`, `OSError` or `ValueError` if it cannot be executed.
    """
    if os.geteuid():
        raise ServingError("chroot needs root")
    replay = DockerfileReplay(options.dockerfile.resolve().parent, options.root.resolve())
    if not (replay.root / "bin" / "sh").exists():
        raise ServingError(f"{options.root} has no /bin/sh; make it with debootstrap")
    text = _read_text(options, replay)
    if options.certificates:
        shutil.copy(options.certificates, replay.root / "tmp" / "site.pem")
        replay.env |= {"PIP_CERT": "/tmp/site.pem"}  # noqa: S108 - in the root
    for one in read_dockerfile(text):
        done = one.line < options.first and one.word in {"RUN", "COPY"}
        _print_line(f"{'done before' if done else '=='} {one.line}: {one.word} {one.rest[:120]}")
        if not done and replay.execute(one):
            _print_line(f"failed: line {one.line}")
            return 1
    for skipped in replay.skipped:
        _print_line(f"skipped, needs a container: {skipped}")
    return check_commands(replay)


def _read_text(options: argparse.Namespace, replay: DockerfileReplay) -> str:
    text = options.dockerfile.read_text(encoding="utf-8")
    if options.lock == "cpu":
        return adapt_to_cpu(text, copy_torch_wheels(replay.context, replay.root, options.wheels))
    if options.lock != "cuda":
        raise ServingError(f"--lock is {options.lock!r}; wanted 'cpu' or 'cuda'")
    return text


def check_commands(replay: DockerfileReplay) -> int:
    """Run the command and the health check without a network; return 1 if one fails."""
    failed = 0
    for words in filter(None, (replay.entry, replay.health)):
        status = replay.run(words, network=False)
        _print_line(f"{' '.join(words)}: status {status}, without a network")
        failed = failed or int(status != 0)
    return failed


def _parse_command(stated: str) -> list[str]:
    """Return the arguments of a command: a JSON list, else a shell line."""
    if not stated.startswith("["):
        return ["/bin/sh", "-c", stated] if stated else []
    return [str(word) for word in json.loads(stated)]


def main() -> int:
    """Return the status of the replay, or 2 after one line of error."""
    parser = argparse.ArgumentParser(description="Execute a Dockerfile in a root folder.")
    parser.add_argument("dockerfile", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--lock", default="cuda", help="`cpu` if `cuda` is too large")
    parser.add_argument("--wheels", type=Path, help="a bundle's wheels, for `--lock cpu`")
    parser.add_argument("--certificates", type=Path, help="for pip in the root")
    parser.add_argument("--from", dest="first", type=int, default=1, help="resume at this line")
    options = parser.parse_args()
    try:
        return rehearse(options)
    except (ServingError, OSError, ValueError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
