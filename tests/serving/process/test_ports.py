"""A port has one server at most, from before its engine listens to its end."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from serving.errors import EngineError
from serving.process.ports import free_port, hold_port

ROOT = Path(__file__).parents[3]
HOLDER = """
import sys, time
from serving.process.ports import hold_port
with hold_port(int(sys.argv[1]), "tiny"):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "murder-arena" / "ports"


def test_a_port_that_another_process_holds_is_refused_at_once_and_it_is_named() -> None:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(port)], cwd=ROOT, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        wanted = f"port {port} is taken: process {holder.pid} serves 'tiny' there; choose another"
        with pytest.raises(EngineError, match=wanted) as caught, hold_port(port, "other"):
            pytest.fail("it is held by another")
        assert "\n" not in str(caught.value)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with hold_port(port, "other") as held:
        assert held == port


def test_a_held_port_is_given_back_without_a_trace(ports: Path) -> None:
    with hold_port(None, "tiny") as port:
        mine = f"process {os.getpid()} serves 'tiny'"
        with pytest.raises(EngineError, match=mine), hold_port(port, "other"):
            pytest.fail("it is held")
        with hold_port(None, "other") as second:
            assert second != port
    assert list(ports.iterdir()) == []
    with hold_port(port, "again"):
        pass


def test_a_port_that_is_in_use_is_refused_with_who_uses_it_and_not_held(ports: Path) -> None:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        taken = door.getsockname()[1]
        told = rf"port {taken} cannot be used: .*in use by process {os.getpid()} \('.+'\); choose "
        with pytest.raises(EngineError, match=told), hold_port(taken, "tiny"):
            pytest.fail("it is in use")
        assert free_port() != taken
    assert list(ports.iterdir()) == []


@pytest.mark.parametrize("option", [socket.SO_REUSEADDR, socket.SO_REUSEPORT])
def test_a_port_that_is_bound_by_a_server_that_does_not_listen_yet_is_refused(option: int) -> None:
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, option, 1)
        door.bind(("127.0.0.1", 0))
        with pytest.raises(EngineError, match=r"cannot be used: .*in use"):
            free_port(door.getsockname()[1])


def test_the_closed_connections_of_an_earlier_server_do_not_take_its_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as caller:
            server, _ = door.accept()
            server.close()
            assert caller.recv(1) == b""
    with socket.socket() as strict, pytest.raises(OSError, match="in use"):
        strict.bind(("127.0.0.1", port))
    assert free_port(port) == port


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_lock_that_is_no_file_is_refused_in_one_line_and_nothing_is_followed(
    ports: Path, kind: str, tmp_path: Path
) -> None:
    port, precious = free_port(), tmp_path / "precious"
    precious.write_text("mine", encoding="utf-8")
    ports.mkdir(parents=True)
    lock = ports / f"{port}.lock"
    if kind == "link":
        lock.symlink_to(precious)
    elif kind == "pipe":
        os.mkfifo(lock)
    else:
        lock.mkdir()
    began = time.monotonic()
    with pytest.raises(EngineError, match=re.escape(str(lock))) as caught, hold_port(port, "tiny"):
        pytest.fail("it cannot be locked")
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < 30
    assert precious.read_text(encoding="utf-8") == "mine"
