"""Make the namespace, start the check in it, and turn what it found into findings."""

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
"""As root, and as somebody who may make namespaces of users."""
_PROVES_NOTHING: Final[Mapping[int, str]] = {
    HAS_ROUTE: "the new network namespace has a route out",
    NOT_CUT_OFF: "/etc/resolv.conf cannot be replaced in the namespace (is it missing?)",
    NOT_WATCHED: "calls to the outside are not noticed by this Python (is PYTHONPATH ignored?)",
}
_SWITCH_OFF: Final = (
    "switch it off: here it was refused at once, but a firewall that drops packets makes it wait"
)


class NetworkCall(BaseModel):
    """A host that somebody called: from which line of code, in which program."""

    target: str
    by: str
    program: str


class OfflineStep(BaseModel):
    """How one step ended. `refused` are packets without a route, of whatever program.

    `attempts` counts what Python told of: every one of them is a packet at most.
    """

    step: str
    status: int
    seconds: float
    said: str
    calls: tuple[NetworkCall, ...]
    attempts: int
    refused: int


def check_offline(*, engine: bool) -> tuple[HostFinding, ...]:
    """Play without a network, with `engine` on vLLM too, and tell how it went.

    Raises `ServingError` in one line where this host does not let us cut ourselves off.
    """
    way = _find_unshare()
    with tempfile.TemporaryDirectory(prefix="arena-offline-") as folder:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH", "")]))
        words = ["-m", "serving.offline.namespace_check", folder, *(["--engine"] if engine else [])]
        done = subprocess.run(  # noqa: S603 - our own words
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
    """Judge one step: whether it went well, and every host that was called."""
    what = f"offline: {step.step}"
    if step.status:
        detail = f"status {step.status} after {step.seconds:.0f} s: {step.said}"
        do = "what it called is named below" if step.calls else "see `arena doctor`"
        yield HostFinding(what=what, state="fail", detail=detail, do=do)
    else:
        refused = f"; {step.refused} packets were refused" if step.refused else ""
        detail = f"{step.seconds:.0f} s without a network{refused}"
        yield HostFinding(what=what, state="ok", detail=detail)
    for call in step.calls:
        yield HostFinding(
            what="reached out",
            state="warn",
            detail=f"{call.target}, called by {call.by} of {call.program}",
            do=_SWITCH_OFF,
        )
    if step.refused > step.attempts:
        detail = f"{step.refused - step.attempts} packets by native code or another program"
        do = "often a look-up of this host's own name: give it a line in /etc/hosts"
        yield HostFinding(what="reached out", state="warn", detail=detail, do=do)


def _find_unshare() -> list[str]:
    program = shutil.which("unshare")
    if program is None:
        raise ServingError("--offline needs the program `unshare` (util-linux); install it")
    said = ""
    for way in _WAYS:
        tried = subprocess.run(  # noqa: S603 - our own words
            [program, *way, "true"], capture_output=True, text=True, check=False
        )
        if tried.returncode == 0:
            return [program, *way]
        said = tried.stderr.strip()
    raise ServingError(
        f"--offline may not make a network namespace here ({said}); run it as root, or allow "
        "namespaces of users (sysctl kernel.unprivileged_userns_clone or user.max_user_namespaces)"
    )
