"""`arena fetch`, and the question before a match, with a hub on loopback."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

import serving.commands.fetch_command
import serving.commands.fetch_consent
from serving.commands.consent_options import engine_consent_options
from serving.commands.fetch_command import add_commands
from serving.commands.fetch_consent import prepare_models
from serving.host.hardware import Hardware
from serving.model_files.profile import find_profile
from serving.model_files.weights import find_weights
from serving.resolution.consent import FETCH, PICKLE, REMOTE_CODE, is_allowed
from tests.serving.fake_hub import FakeHub
from tests.serving.hosts import CPU, H200

RUNNER = CliRunner()
APP = typer.Typer()
APP.callback()(lambda: None)
add_commands(APP)

FOUR_CORES = replace(CPU, cores=4)
CONFIG = {
    "architectures": ["Qwen2VLForConditionalGeneration"],
    "model_type": "qwen2_vl",
    "text_config": {
        "hidden_size": 64,
        "max_position_embeddings": 4096,
        "num_attention_heads": 4,
        "num_hidden_layers": 2,
        "num_key_value_heads": 2,
    },
    "vision_config": {"patch_size": 14, "spatial_merge_size": 2},
}
FILES = {"config.json": json.dumps(CONFIG).encode(), "model.safetensors": bytes(2**20)}
NAMES = ("Qwen/Qwen2-VL-2B-Instruct", "Qwen/Qwen3-VL-2B-Instruct", "org/model")
SHOWN = (
    "qwen2-vl-2b: Qwen/Qwen2-VL-2B-Instruct (4.1 GiB, about 4 min at 20 MB/s; licence: Apache-2.0)"
)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """Keep a hub with small files under the names of large models, and a host without models."""
    for name in ("ARENA_MODELS", "ARENA_ENDPOINTS", FETCH, PICKLE, REMOTE_CODE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with FakeHub(dict.fromkeys(NAMES, FILES)) as hub:
        for name, value in hub.environ(str(tmp_path / "hub")).items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("HF_HUB_OFFLINE")
        on(FOUR_CORES, monkeypatch)
        yield hub


def on(host: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    def detect(folder: Path | None = None) -> Hardware:
        return host

    monkeypatch.setattr(serving.commands.fetch_consent, "detect", detect)
    monkeypatch.setattr(serving.commands.fetch_command, "detect", detect)


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (serving.commands.fetch_consent, serving.commands.fetch_command):
        monkeypatch.setattr(module, "is_at_terminal", lambda: True)


def is_here(name: str) -> bool:
    return find_weights(find_profile(name), None).local


@pytest.mark.slow
def test_a_model_is_fetched_once_and_its_command_is_shown(hub: FakeHub, tmp_path: Path) -> None:
    first = RUNNER.invoke(APP, ["fetch", "qwen2-vl-2b", "--yes"])
    assert first.exit_code == 0, first.stderr
    assert first.stderr.splitlines()[0] == SHOWN
    folder, play = first.stdout.splitlines()
    assert folder.startswith(f"qwen2-vl-2b is in {tmp_path / 'hub'}/models--Qwen--Qwen2-VL-2B-")
    assert play == "play it: arena match --civ qwen2-vl-2b --murderer naive"
    assert is_here("qwen2-vl-2b")
    asked = len(hub.ranges)
    again = RUNNER.invoke(APP, ["fetch", "Qwen/Qwen2-VL-2B-Instruct"])
    assert (again.exit_code, again.stderr) == (0, "")
    assert "qwen2-vl-2b is already in" in again.stdout
    assert len(hub.ranges) == asked


@pytest.mark.slow
def test_json_is_one_object_and_is_never_asked_for(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_terminal(monkeypatch)
    refused = RUNNER.invoke(APP, ["fetch", "qwen2-vl-2b", "--json"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.splitlines()[1:] == [
        "error: nothing was fetched: without a terminal, --yes is required"
    ]
    done = RUNNER.invoke(APP, ["fetch", "qwen2-vl-2b", "--json", "--yes"])
    [line] = done.stdout.splitlines()
    found = json.loads(line)
    assert (found["profile"], found["licence"], found["fetched"]) == (
        *("qwen2-vl-2b", "Apache-2.0", True),
    )
    assert Path(found["folder"], "model.safetensors").is_file()
    assert found["command"] == "arena match --civ qwen2-vl-2b --murderer naive"
    assert hub.ranges


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 2)])
def test_at_a_terminal_the_user_decides(
    answer: str, status: int, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_terminal(monkeypatch)
    result = RUNNER.invoke(APP, ["fetch", "qwen2-vl-2b"], input=answer)
    assert result.exit_code == status
    assert is_here("qwen2-vl-2b") == (status == 0)
    assert bool(hub.ranges) == (status == 0)


@pytest.mark.slow
def test_an_alias_is_what_would_be_played_here(hub: FakeHub) -> None:
    result = RUNNER.invoke(APP, ["fetch", "qwen", "--yes"])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("qwen3-vl-2b is in ")
    assert hub.ranges


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hf:org/model", "org/model"])
def test_any_model_of_the_hub_is_fetched_by_its_id(name: str, hub: FakeHub) -> None:
    result = RUNNER.invoke(APP, ["fetch", name, "--yes"])
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith("hf:org/model: org/model (0.0 GiB, about 0 s at 20 MB/s; ")
    assert "licence: apache-2.0" in result.stderr
    assert "play it: arena match --civ hf:org/model --murderer naive" in result.stdout
    assert hub.ranges


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("kwen", "error: no model 'kwen', did you mean 'qwen'? there are qwen, yi,"),
        ("org/other", "error: 'org/other' is not available from the hub: the hub has no such"),
        ("a/b/c", "error: 'a/b/c' is not a hub id; wanted hf:ORG/NAME"),
        ("yi", "error: nothing to fetch for 'yi': no GPU here, and every profile that fits is"),
    ],
)
def test_what_cannot_be_fetched_is_one_line_and_status_two(
    name: str, said: str, hub: FakeHub
) -> None:
    result = RUNNER.invoke(APP, ["fetch", name, "--yes"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(said)
    assert len(result.stderr.splitlines()) == 1
    assert hub.ranges == []


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("HF_HUB_OFFLINE", "1", "cannot be fetched: looked in "),
        (
            "HF_ENDPOINT",
            "http://127.0.0.1:9",
            "cannot be fetched: the hub at http://127.0.0.1:9 does not answer; check the network "
            "or the proxy, or put the files into the folder in ARENA_MODELS",
        ),
    ],
)
def test_without_a_hub_it_is_one_line_and_status_two(
    variable: str, value: str, said: str, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    result = RUNNER.invoke(APP, ["fetch", "qwen2-vl-2b", "--yes"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"error: 'qwen2-vl-2b' {said}" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert hub.ranges == []


def test_what_the_disk_has_no_room_for_is_not_fetched(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nearly_full(path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=2**30)

    monkeypatch.setattr("serving.hub.hub_download.shutil.disk_usage", nearly_full)
    result = RUNNER.invoke(APP, ["fetch", "qwen2-vl-2b", "--yes"])
    assert result.exit_code == 2
    assert "it needs 4 GiB more" in result.stderr
    assert hub.ranges == []


class Answers:
    """Answers questions as a person would, and keeps them."""

    def __init__(self, *answers: bool) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    def confirm(self, question: str, **_: object) -> bool:
        self.asked.append(question)
        return self._answers.pop(0)


def answer(monkeypatch: pytest.MonkeyPatch, *answers: bool) -> Answers:
    said = Answers(*answers)
    at_terminal(monkeypatch)
    monkeypatch.setattr(typer, "confirm", said.confirm)
    return said


@pytest.mark.slow
def test_before_a_match_size_time_and_licence_are_shown_and_a_yes_fetches(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(monkeypatch, True)
    prepare_models(["qwen", None, "qwen"], tmp_path, may_ask=True)
    assert said.asked == [
        "Fetch a real model, qwen3-vl-2b: Qwen/Qwen3-VL-2B-Instruct (4.0 GiB, about 4 min at "
        "20 MB/s; licence: Apache-2.0)?"
    ]
    assert is_here("qwen3-vl-2b")
    assert hub.ranges
    prepare_models(["qwen"], tmp_path, may_ask=True)
    assert len(said.asked) == 1, "what is here is not asked for again"


def test_a_no_fetches_nothing_and_is_asked_once(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(monkeypatch, False)
    prepare_models(["qwen2-vl-2b"], tmp_path, may_ask=True)
    assert len(said.asked) == 1
    assert hub.ranges == []


@pytest.mark.slow
def test_of_an_unknown_model_the_size_is_asked_first(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(monkeypatch, True, False)
    prepare_models(["hf:org/model"], tmp_path, may_ask=True)
    assert said.asked[0] == "Ask the hub how large org/model is?"
    assert said.asked[1].startswith("Fetch a real model, hf:org/model: org/model (0.0 GiB")
    assert [name for name, _ in hub.ranges] == ["config.json"]


@pytest.mark.parametrize("terminal", [True, False])
def test_nobody_is_asked_where_a_program_reads_or_no_terminal_is(
    terminal: bool, hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(monkeypatch)
    monkeypatch.setattr(serving.commands.fetch_consent, "is_at_terminal", lambda: terminal)
    prepare_models(["qwen"], tmp_path, may_ask=not terminal)
    assert (said.asked, hub.ranges) == ([], [])


@pytest.mark.slow
def test_the_option_fetches_without_a_question(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(monkeypatch)
    monkeypatch.setenv(FETCH, "1")
    prepare_models(["qwen"], tmp_path, may_ask=True)
    assert said.asked == []
    assert is_here("qwen3-vl-2b")
    assert hub.ranges


def test_what_cannot_be_resolved_is_left_to_the_match(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(monkeypatch)
    on(H200, monkeypatch)
    prepare_models(["kwen", "http:///v1"], tmp_path, may_ask=True)
    assert (said.asked, hub.ranges) == ([], [])


def test_the_options_hold_while_a_command_runs_and_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = (FETCH, PICKLE, REMOTE_CODE)
    for name in names:
        monkeypatch.delenv(name, raising=False)
    seen: list[list[bool]] = []

    @engine_consent_options
    def command(word: str = "") -> None:
        """Do something."""
        seen.append([is_allowed(name, os.environ) for name in names])

    app = typer.Typer()
    app.command()(command)
    assert RUNNER.invoke(app, ["--word", "x", "--fetch"]).exit_code == 0
    assert RUNNER.invoke(app, ["--allow-pickle", "--trust-remote-code"]).exit_code == 0
    assert RUNNER.invoke(app, []).exit_code == 0
    assert seen == [[True, False, False], [False, True, True], [False, False, False]]
    shown = RUNNER.invoke(app, ["--help"]).stdout
    assert all(option in shown for option in ("--fetch", "--allow-pickle", "--trust-remote-code"))


def test_the_mini_model_comes_with_the_arena_and_is_found_and_not_fetched(hub: FakeHub) -> None:
    result = RUNNER.invoke(APP, ["fetch", "mini", "--yes"])
    assert result.exit_code == 0
    assert result.stdout.startswith("mini is ")
    assert "serving/mini" in result.stdout
