"""The simulated server as a program of its own."""

import socket

import pytest

from serving.engine_sim import __main__ as program


def test_a_port_that_is_in_use_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        monkeypatch.setattr("sys.argv", ["engine_sim", "--port", str(port)])
        assert program.main() == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"port {port} cannot be used: Address already in use by process ")
    assert line.endswith("choose another port, or 0 for a free one")
