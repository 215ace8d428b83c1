"""`arena doctor --offline`: what it sees and says, and all of it where that is permitted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import serving.offline.namespace_check
from arena.cli.app import build_app
from serving.errors import ServingError
from serving.offline.namespace_check import run_step
from serving.offline.offline_check import NetworkCall, OfflineStep, check_offline, judge_step

WATCH = Path(serving.offline.namespace_check.__file__).parent / "watch"

CALLS = """
import socket, subprocess, sys
socket.create_server(("127.0.0.1", 0)).close()
socket.getaddrinfo("localhost", 80)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
    asked.connect(("127.0.0.1", 9))
    try:
        asked.connect(("192.0.2.7", 9))
    except OSError:
        pass
child = "import socket\\ntry: socket.getaddrinfo('hub.invalid', 443)\\nexcept OSError: pass"
subprocess.run([sys.executable, "-c", child], check=True)
"""


def step(**values: object) -> OfflineStep:
    plain: dict[str, object] = {
        "step": "a match",
        "status": 0,
        "seconds": 2.0,
        "said": "",
        "calls": [],
        "attempts": 0,
        "refused": 0,
    }
    return OfflineStep.model_validate(plain | values)


def may_be_cut_off() -> bool:
    try:
        tried = subprocess.run(
            ["unshare", "--net", "--mount", "true"], capture_output=True, check=False
        )
    except OSError:
        return False
    return tried.returncode == 0


def test_processes_and_their_children_are_seen_and_this_host_is_no_outside(tmp_path: Path) -> None:
    seen = tmp_path / "calls"
    env = {**os.environ, "PYTHONPATH": str(WATCH), "ARENA_WATCH": str(seen)}
    program = tmp_path / "program.py"
    program.write_text(CALLS)
    subprocess.run([sys.executable, str(program)], env=env, check=True)
    calls = [json.loads(line) for line in seen.read_text().splitlines()]
    assert [one["target"] for one in calls] == ["192.0.2.7", "hub.invalid"]
    assert calls[0]["program"] == "program.py"
    assert calls[0]["by"].endswith("/program.py:8")


def test_an_engine_is_watched_too_beside_its_own_sitecustomize(tmp_path: Path) -> None:
    seen = tmp_path / "calls"
    shim = WATCH.parent.parent / "shim"
    path = os.pathsep.join([str(shim), str(WATCH)])
    env = {**os.environ, "PYTHONPATH": path, "ARENA_WATCH": str(seen)}
    child = "import socket\ntry: socket.getaddrinfo('hub.invalid', 443)\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", child], env=env, check=True)
    assert "hub.invalid" in seen.read_text()


def test_a_step_tells_its_status_its_last_error_and_whom_it_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        serving.offline.namespace_check,
        "_ARENA",
        (sys.executable, "-c", f"{CALLS}\nsys.exit('error: no')"),
    )
    told = OfflineStep.model_validate(run_step("a match", ("models",), tmp_path))
    assert (told.status, told.said) == (1, "error: no")
    assert {one.target for one in told.calls} == {"192.0.2.7", "hub.invalid"}


def test_every_call_is_a_warning_that_names_host_and_place() -> None:
    call = NetworkCall(target="hub.invalid", by="x/y.py:3", program="vllm")
    good, warned = judge_step(step(calls=[call], attempts=4, refused=4))
    assert (good.state, good.detail) == ("ok", "2 s without a network; 4 packets were refused")
    assert (warned.what, warned.state) == ("network call", "warn")
    assert warned.detail == "hub.invalid, called by x/y.py:3 of vllm"
    failed, _ = judge_step(step(status=2, said="error: no hub", calls=[call]))
    assert failed.state == "fail"
    assert "error: no hub" in failed.detail


def test_packets_that_no_python_told_of_are_told_by_the_kernels_count() -> None:
    _, warned = judge_step(step(refused=3))
    assert warned.detail == "3 packets by native code or another program"
    call = NetworkCall(target="hub.invalid", by="x/y.py:3", program="vllm")
    *_, beyond = judge_step(step(calls=[call], attempts=2, refused=5))
    assert beyond.detail == "3 packets by native code or another program"


def test_without_the_program_or_the_permission_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServingError, match=r"needs the program `unshare`"):
        check_offline(engine=False)
    forbidden = tmp_path / "unshare"
    forbidden.write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    forbidden.chmod(0o755)
    done = CliRunner().invoke(build_app("doctor"), ["doctor", "--offline"])
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert "(unshare failed: Operation not permitted); run it as root" in done.output


def test_a_namespace_that_has_a_route_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_door = tmp_path / "unshare"
    open_door.write_text('#!/bin/sh\n[ "$3" = true ] || exit 3\n')
    open_door.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(ServingError, match="has a route out; nothing was checked"):
        check_offline(engine=False)


def test_the_engine_option_alone_is_refused() -> None:
    done = CliRunner().invoke(build_app("doctor"), ["doctor", "--engine"])
    assert (done.exit_code, done.output.count("\n")) == (2, 1)


EVERY_WAY = """
import contextlib, socket
datagram = socket.socket(type=socket.SOCK_DGRAM)
for call in (
    lambda: datagram.sendmsg([b""], [], 0, ("127.0.0.1", 9)),
    lambda: socket.getaddrinfo("192.0.2.8", 9),
    lambda: datagram.sendmsg([b""], [], 0, ("192.0.2.7", 9)),
    lambda: socket.gethostbyname("one.invalid"),
    lambda: socket.gethostbyname_ex("two.invalid"),
    lambda: socket.gethostbyaddr("192.0.2.4"),
    lambda: socket.getnameinfo(("192.0.2.5", 9), 0),
):
    with contextlib.suppress(OSError):
        call()
"""


def test_every_way_of_python_to_ask_or_send_is_seen(tmp_path: Path) -> None:
    seen = tmp_path / "calls"
    env = {**os.environ, "PYTHONPATH": str(WATCH), "ARENA_WATCH": str(seen)}
    subprocess.run([sys.executable, "-c", EVERY_WAY], env=env, check=True)
    assert [json.loads(line)["target"] for line in seen.read_text().splitlines()] == [
        *("192.0.2.7", "one.invalid", "two.invalid", "192.0.2.4", "192.0.2.5")
    ]


def test_a_step_that_takes_too_long_says_that_it_timed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper = (sys.executable, "-c", "import time; time.sleep(60)")
    monkeypatch.setattr(serving.offline.namespace_check, "_ARENA", sleeper)
    monkeypatch.setattr(serving.offline.namespace_check, "_SECONDS", 0.2)
    told = run_step("a match", ("models",), tmp_path)
    assert (told["status"], told["said"]) == (-1, "timed out")


@pytest.mark.skipif(
    not may_be_cut_off() or not Path("/proc/net/snmp6").exists(),
    reason="no permission to make a network namespace, or no IPv6",
)
def test_what_native_code_looks_up_and_what_goes_by_ipv6_is_counted(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from serving.offline import namespace_check as inside
folder = Path({str(tmp_path)!r})
inside.bring_up_loopback()
inside._ARENA = (inside.sys.executable, "-c", inside._NATIVE)
print(inside.block_lookups(folder), inside.is_watched(folder))
told = inside.run_step("a step", ("models",), folder)
print(told["calls"], told["attempts"], told["refused"])
before = inside.count_refused_packets()
with inside.socket.socket(inside.socket.AF_INET6) as asked:
    asked.connect_ex(("2001:db8::1", 9))
print(inside.count_refused_packets() - before)
"""
    command = ["unshare", "--net", "--mount", sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n[] 0 1\n1\n"


@pytest.mark.slow
@pytest.mark.skipif(not may_be_cut_off(), reason="no permission to make a network namespace")
def test_a_match_is_played_without_a_network_and_calls_nobody() -> None:
    findings = check_offline(engine=False)
    assert [(one.what, one.state) for one in findings] == [
        ("offline: environment", "ok"),
        ("offline: match of naive against random", "ok"),
    ], [one.detail for one in findings]
