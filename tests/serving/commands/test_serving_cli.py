"""`arena models`, `arena doctor` and `arena serve` as a person and a script see them."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

import serving.commands.server_commands
import serving.model_files.weights
from serving.commands.server_commands import add_commands
from serving.errors import EngineError
from serving.host.hardware import Hardware, HostShare
from serving.model_files.profile import Profile, load_profiles
from serving.model_files.weights import Weights
from serving.process.ports import hold_port
from tests.serving.hosts import CPU, H200

RUNNER = CliRunner()
APP = typer.Typer()
add_commands(APP)


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host without models, endpoints, hub or servers; torchvision is tried by a short program."""
    for name in ("ARENA_MODELS", "ARENA_ENDPOINTS", "COLUMNS", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sys, "executable", "/bin/true")


def on(host: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving.commands.server_commands, "detect", lambda: host)


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 60, 120, 200])
@pytest.mark.parametrize("command", [["models"], ["doctor"]])
def test_every_width_holds_every_line_and_every_name(
    command: list[str], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(H200, monkeypatch)
    monkeypatch.setenv("COLUMNS", str(width))
    result = RUNNER.invoke(APP, command)
    assert max(cell_len(line) for line in result.stdout.splitlines()) <= width
    assert "\x1b" not in result.stdout, "no colour where it is piped"
    names = [*load_profiles()] if command == ["models"] else ["GPU", "engine", "weights", "disk"]
    assert all(name in result.stdout for name in names)


def test_models_says_what_fits_and_what_does_not_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    on(H200, monkeypatch)
    result = RUNNER.invoke(APP, ["models"])
    rows = {line.split()[0]: line for line in result.stdout.splitlines()[2:] if line.strip()}
    assert result.exit_code == 0
    assert rows["qwen2.5-vl-7b"].split()[1:6] == [
        *("Qwen/Qwen2.5-VL-7B-Instruct", "15.4", "57,344", "Apache-2.0", "no"),
    ]
    assert "yes: 99.9 contexts of 20k tokens" in rows["qwen2.5-vl-7b"]
    assert "no: needs 165.9 GiB, 129.2 usable," in rows["qwen2.5-vl-72b"]
    assert "yes: 438.6 contexts of 4k tokens" in rows["yi-vl-6b"]
    assert "built here" in rows["stand-in"]


def test_models_as_json_is_one_object_a_line_with_the_basis_of_each_figure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on(CPU, monkeypatch)
    result = RUNNER.invoke(APP, ["models", "--json"])
    rows: list[dict[str, Any]] = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["profile"] for row in rows] == list(load_profiles())
    by_name = {row["profile"]: row for row in rows}
    assert by_name["qwen3-vl-8b"]["kv_bytes_per_token"]["value"] == 147_456
    assert by_name["qwen3-vl-8b"]["kv_bytes_per_token"]["basis"] == "computed"
    assert by_name["stand-in"]["fits"]
    assert by_name["stand-in"]["stand_in"]
    assert by_name["mini"]["bundled"]
    assert by_name["qwen2.5-vl-3b"]["licence"] == "Qwen Research (non-commercial)"
    assert by_name["yi-vl-6b"]["plugin"] == "yi_vl"
    assert by_name["yi-vl-6b"]["fits"]
    assert not by_name["yi-vl-34b"]["fits"]
    assert by_name["stand-in-yi"]["fits"]
    assert by_name["qwen2.5-vl-7b"]["weights"]["origin"] == "none"


def test_doctor_fails_with_status_one_and_reports_as_json(tmp_path: Path) -> None:
    whole = RUNNER.invoke(APP, ["doctor", "--runs", str(tmp_path / "runs"), "--json"])
    found = {row["what"]: row for row in map(json.loads, whole.stdout.splitlines())}
    assert found["disk"]["state"] in ("ok", "warn")
    failing = any(row["state"] == "fail" for row in found.values())
    assert whole.exit_code == int(failing)
    (tmp_path / "runs").write_text("a file", encoding="utf-8")
    broken = RUNNER.invoke(APP, ["doctor", "--runs", str(tmp_path / "runs")])
    assert broken.exit_code == 1
    said = " ".join(broken.stdout.split())
    assert "is not a folder do: choose another run folder" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "error: no model 'nonsense'"),
        (["yi-vl-6b"], "error: no weights for 'yi-vl-6b': looked in the folder in ARENA_"),
        (["yi-vl-6b", "--dummy-weights"], "error: no configuration for 'yi-vl-6b': looked in "),
        (["yi-vl-34b"], "error: 'yi-vl-34b' cannot be served on the CPU with 20.0 GiB"),
        (["qwen2.5-vl-7b"], "error: 'qwen2.5-vl-7b' cannot be served on the CPU with 20.0 GiB"),
        (["qwen2.5-vl-3b"], "error: no weights for 'qwen2.5-vl-3b': looked in "),
        (["qwen2.5-vl-3b", "--dummy-weights"], "error: no configuration for 'qwen2.5-vl-3b'"),
        (["http://there:8000/v1"], "error: there is nothing to start: a URL was given"),
    ],
)
def test_what_cannot_be_served_is_one_line_and_status_two(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(CPU, monkeypatch)
    result = RUNNER.invoke(APP, ["serve", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(said)
    assert len(result.stderr.splitlines()) == 1


def test_without_the_plugin_an_alias_says_how_to_get_it_and_the_mini_model_is_served_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on(replace(CPU, plugins=()), monkeypatch)
    first = RUNNER.invoke(APP, ["serve", "yi"]).stderr.splitlines()[0]
    assert "'yi_vl' is not installed; install the arena's checkout again" in first
    assert "mini model on the CPU plays instead of 'yi'" in first


@pytest.mark.parametrize("name", ["yi-vl-6b", "stand-in-yi"])
def test_without_the_plugin_models_and_serve_say_how_to_get_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(replace(CPU, plugins=()), monkeypatch)
    do = "'yi_vl' is not installed; install the arena's checkout again: pip install -e '.[cpu]'"
    served = RUNNER.invoke(APP, ["serve", name])
    assert (served.exit_code, served.stdout) == (2, "")
    assert do in served.stderr
    assert len(served.stderr.splitlines()) == 1
    rows = map(json.loads, RUNNER.invoke(APP, ["models", "--json"]).stdout.splitlines())
    unfit = {row["profile"]: row["fit"]["why"] for row in rows if row["plugin"]}
    assert set(unfit) == {"yi-vl-6b", "yi-vl-34b", "stand-in-yi"}
    assert all(do in why for why in unfit.values())


def test_weights_that_are_not_there_say_where_to_put_them(monkeypatch: pytest.MonkeyPatch) -> None:
    on(CPU, monkeypatch)
    said = RUNNER.invoke(APP, ["serve", "yi-vl-6b"]).stderr
    assert said.endswith(
        "; put the files of BUAADreamer/Yi-VL-6B-hf into yi-vl-6b under the folder in "
        "ARENA_MODELS\n"
    )


def test_broken_endpoints_stop_serve_with_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    on(CPU, monkeypatch)
    monkeypatch.setenv("ARENA_ENDPOINTS", "{")
    result = RUNNER.invoke(APP, ["serve", "stand-in"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ARENA_ENDPOINTS: invalid json")


@dataclass
class Started:
    """A server that is up at once and then ends with an error, or by a signal."""

    end: BaseException | signal.Signals
    asked: dict[str, Any] = field(default_factory=dict[str, Any])
    url: str = "http://127.0.0.1:8123/v1"
    ended: bool = False

    @property
    def served(self) -> "Started":
        return self

    @property
    def model(self) -> str:
        return str(self.asked["profile"].name)

    @property
    def key_file(self) -> Path:
        return Path("/my state/8123.key")

    async def wait(self) -> None:
        if isinstance(self.end, BaseException):
            raise self.end
        os.kill(os.getpid(), self.end)
        await asyncio.sleep(60)

    @asynccontextmanager
    async def running(self, profile: Profile, **asked: Any) -> AsyncGenerator["Started"]:
        self.asked = {"profile": profile, **asked}
        try:
            yield self
        finally:
            self.ended = True


def test_serve_starts_the_profile_with_its_share_and_stays_until_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = Started(KeyboardInterrupt())
    on(CPU, monkeypatch)
    monkeypatch.setattr(serving.commands.server_commands, "serve_model", started.running)
    result = RUNNER.invoke(APP, ["serve", "stand-in", "--port", "8123"])
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert lines[1] == "stand-in is served at http://127.0.0.1:8123/v1; Ctrl-C ends it"
    file = "'/my state/8123.key'"
    assert lines[2] == (
        f"its key is in {file}, where `arena match` finds it; for other programs: "
        f"printf 'Authorization: Bearer %s' \"$(cat {file})\" | "
        "curl -H @- http://127.0.0.1:8123/v1/models"
    )
    assert lines[-1] == "stopped"
    assert started.asked["port"] == 8123
    assert started.asked["share_with_others"]
    assert started.asked["share"] == HostShare(where="cpu", kv_gib=1, kv_tokens=1_048_576)
    assert started.asked["weights"] == Weights(path="", origin="none", note="built locally")


def heard(number: int) -> signal.Handlers:
    """Say that a signal is not ignored, as it may be where the tests run."""
    return signal.SIG_DFL


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_programs_ends_the_server_in_order(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Started(number)
    on(CPU, monkeypatch)
    monkeypatch.setattr(serving.commands.server_commands, "serve_model", started.running)
    monkeypatch.setattr(signal, "getsignal", heard)
    result = RUNNER.invoke(APP, ["serve", "stand-in"])
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (0, "stopped")
    assert started.ended


def test_a_second_server_at_a_port_is_refused_before_anything_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on(CPU, monkeypatch)
    with hold_port(None, "stand-in") as port:
        result = RUNNER.invoke(APP, ["serve", "stand-in", "--port", str(port)])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1:] == [
        f"error: port {port} is taken: process {os.getpid()} serves 'stand-in' there; choose "
        "another port, or 0 for a free one"
    ]


def test_an_engine_that_dies_is_one_line_and_status_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Started(EngineError("the engine died: no room for 3 GiB"))
    on(CPU, monkeypatch)
    monkeypatch.setattr(serving.commands.server_commands, "serve_model", started.running)
    monkeypatch.setattr(serving.model_files.weights, "BUNDLED", tmp_path)
    result = RUNNER.invoke(APP, ["serve", "qwen"])
    assert result.exit_code == 2
    assert started.asked["port"] is None
    assert "the untrained stand-in on the CPU plays instead of 'qwen'" in result.stderr
    assert result.stderr.splitlines()[-1] == "error: the engine died: no room for 3 GiB"


def test_random_weights_need_only_a_configuration_and_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Started(KeyboardInterrupt())
    folder = tmp_path / "models" / "qwen2.5-vl-3b"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    on(H200, monkeypatch)
    monkeypatch.setenv("ARENA_MODELS", str(folder.parent))
    monkeypatch.setattr(serving.commands.server_commands, "serve_model", started.running)
    words = ["serve", "qwen2.5-vl-3b", "--dummy-weights", "--share", "0.5"]
    assert RUNNER.invoke(APP, words).exit_code == 0
    assert started.asked["weights"].dummy
    assert started.asked["weights"].path == str(folder)
    assert started.asked["share"].fraction <= 0.46
