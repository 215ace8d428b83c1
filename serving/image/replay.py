"""Execute a Dockerfile in a plain root folder, where no container registry can be reached.

    python -m serving.image.replay DOCKERFILE ROOT [--lock cpu] [--certificates FILE] [--from LINE]

ROOT is a distribution's root (debootstrap) that stands for the base image. Every RUN is executed in
it by chroot, in order and with the variables and the user that stand before it; COPY takes files of
the Dockerfile's folder. What cannot be had without a container (the base, labels) is
named and skipped; the command and the health check are tried at the end. Needs to be root.
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

_SCRIPT: Final = """
set -eu
root=$1; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind -o ro /etc/resolv.conf "$root/etc/resolv.conf"
exec chroot "$root" "$@"
"""
_ISOLATED: Final = (
    "unshare",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "sh",
    "-c",
    _SCRIPT,
    "sh",
)
_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction of a Dockerfile: its line, its first word and all that follows."""

    line: int
    word: str
    rest: str


@dataclass(slots=True)
class Replay:
    """A root folder and what the instructions so far have set."""

    context: Path
    root: Path
    env: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH, "HOME": "/root"})
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    user: str = "root"
    folder: str = "/"
    entry: list[str] = field(default_factory=list[str])
    health: list[str] = field(default_factory=list[str])
    skipped: list[str] = field(default_factory=list[str])

    def do(self, one: Instruction) -> int:
        """Carry out one instruction; return its exit status."""
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
                self.health = json.loads(one.rest.partition("CMD ")[2])
            case "ENTRYPOINT" | "CMD":
                self.entry += json.loads(one.rest)
            case _:
                self.skipped.append(f"line {one.line}: {one.word}")

    def run(self, words: list[str]) -> int:
        """Run a program in the root as the present user; return its exit status."""
        variables = [f"{name}={value}" for name, value in (self.arguments | self.env).items()]
        switch = (
            []
            if self.user == "root"
            else [
                "setpriv",
                "--init-groups",
            ]
        )
        if switch:
            user, _, group = self.user.partition(":")
            switch += [f"--reuid={user}", f"--regid={group or user}"]
        inside = ["env", "-i", *variables, "sh", "-c", 'cd "$0" && exec "$@"', self.folder, *words]
        command = [*_ISOLATED, str(self.root), *switch, *inside]
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


def main() -> int:
    """Execute the Dockerfile; return 1 at the first RUN that fails."""
    parser = argparse.ArgumentParser(description="Execute a Dockerfile in a root folder.")
    parser.add_argument("dockerfile", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--lock", help="the lock to take instead of `cuda`, where there is no room")
    parser.add_argument("--certificates", type=Path, help="of this site, for pip in the root")
    parser.add_argument("--from", dest="first", type=int, default=1, help="go on at this line")
    options = parser.parse_args()
    text = options.dockerfile.read_text(encoding="utf-8")
    if options.lock:
        text = text.replace("locks/cuda.txt", f"locks/{options.lock}.txt")
    replay = Replay(options.dockerfile.resolve().parent, options.root.resolve())
    if options.certificates:
        shutil.copy(options.certificates, replay.root / "tmp" / "site.pem")
        replay.env |= {"PIP_CERT": "/tmp/site.pem"}  # noqa: S108 - in the root
    for one in read_dockerfile(text):
        done = one.line < options.first and one.word in {"RUN", "COPY"}
        _say(f"{'done before' if done else '=='} {one.line}: {one.word} {one.rest[:120]}")
        if not done and replay.do(one):
            _say(f"failed: line {one.line}")
            return 1
    for skipped in replay.skipped:
        _say(f"skipped, as it needs a container: {skipped}")
    for words in filter(None, (replay.entry, replay.health)):
        status = replay.run(words)
        _say(f"{' '.join(words)}: status {status}")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if os.geteuid():
        sys.exit("error: chroot needs root")
    sys.exit(main())
