"""Make the namespace, run the check in it, and turn its results into findings."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from serving.errors import ServingError
from serving.host.doctor import HostFinding
from serving.offline.namespace_check import HAS_ROUTE, NOT_CUT_OFF, NOT_WATCHED

_ROOT: Final = Path(__file__).resolve().parents[2]
_WAYS: Final = (("--net", "--mount"), ("--user", "--map-root-user", "--net", "--mount"))
"""As root, and as a user who can create user namespaces."""
_PROVES_NOTHING: Final[Mapping[int, str]] = {
    HAS_ROUTE: "the new network namespace has a route out",
    NOT_CUT_OFF: "/etc/resolv.conf cannot be replaced in the namespace (is it missing?)",
    NOT_WATCHED: "this Python does not notice network calls (is PYTHONPATH ignored?)",
}
_SWITCH_OFF: Final = (
    "disable it: here it failed immediately, but a firewall that drops packets makes it wait"
)


class NetworkCall(BaseModel):
    """A called host, with the calling line of code and program."""

    target: str
    by: str
    program: str


class OfflineStep(BaseModel):
    """The outcome of one step. `refused` counts packets without a route, of all programs.

    `attempts` counts the calls recorded by Python; each causes at most one packet.
    """

    step: str
    status: int
    seconds: float
    said: str
    calls: tuple[NetworkCall, ...]
    attempts: int
    refused: int


def check_offline(*, engine: bool) -> tuple[HostFinding, ...]:
    """Play without a network, with `engine` also on vLLM, and return the findings.

    Raises `ServingError` with one line if this host does not allow network namespaces.
    """
    way = _find_unshare()
    with tempfile.TemporaryDirectory(prefix="arena-offline-") as folder:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH", "")]))
        words = ["-m", "serving.offline.namespace_check", folder, *(["--engine"] if engine else [])]
        done = subprocess.run(  # noqa: S603 - our own arguments
            [*way, sys.executable, *words],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode in _PROVES_NOTHING:
            raise ServingError(f"{_PROVES_NOTHING[done.returncode]}; nothing was checked")
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
            raise ServingError(f"the check cannot run in a network namespace: {said[-1]}")
    steps = [OfflineStep.model_validate(json.loads(line)) for line in done.stdout.splitlines()]
    return tuple(finding for step in steps for finding in judge_step(step))


def judge_step(step: OfflineStep) -> Iterator[HostFinding]:
    """Yield the findings of one step: its outcome, and every called host."""
    what = f"offline: {step.step}"
    if step.status:
        detail = f"status {step.status} after {step.seconds:.0f} s: {step.said}"
        do = "see its calls below" if step.calls else "see `arena doctor`"
        yield HostFinding(what=what, state="fail", detail=detail, do=do)
    else:
        refused = f"; {step.refused} packets were refused" if step.refused else ""
        detail = f"{step.seconds:.0f} s without a network{refused}"
        yield HostFinding(what=what, state="ok", detail=detail)
    for call in step.calls:
        yield HostFinding(
            what="network call",
            state="warn",
            detail=f"{call.target}, called by {call.by} of {call.program}",
            do=_SWITCH_OFF,
        )
    if step.refused > step.attempts:
        detail = f"{step.refused - step.attempts} packets by native code or another program"
        do = "often a lookup of this host's own name: add it to /etc/hosts"
        yield HostFinding(what="network call", state="warn", detail=detail, do=do)


def _find_unshare() -> list[str]:
    program = shutil.which("unshare")
    if program is None:
        raise ServingError("--offline needs the program `unshare` (util-linux); install it")
    said = ""
    for way in _WAYS:
        tried = subprocess.run(  # noqa: S603 - our own arguments
            [program, *way, "true"], capture_output=True, text=True, check=False
        )
        if tried.returncode == 0:
            return [program, *way]
        said = tried.stderr.strip()
    raise ServingError(
        f"--offline cannot make a network namespace here ({said}); run it as root, or allow "
        "user namespaces (sysctl kernel.unprivileged_userns_clone or user.max_user_namespaces)"
    )
