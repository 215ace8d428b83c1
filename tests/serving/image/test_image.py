"""Dockerfile.gpu: what it promises, how it is rehearsed, and its health check."""

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import serving.image.health
import serving.image.replay
from serving.bundle.wheels import torch_pins
from serving.errors import ServingError
from serving.image.replay import (
    DockerfileReplay,
    Instruction,
    adapt_to_cpu,
    copy_torch_wheels,
    read_dockerfile,
)
from serving.process.server_registry import RunningServer
from tests.serving.bundle.tiny import wheel

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "Dockerfile.gpu").read_text()
IMAGE = tuple(read_dockerfile(TEXT))


def words(name: str) -> list[str]:
    return [one.rest for one in IMAGE if one.word == name]


def test_continued_lines_and_comments_are_read_as_one_instruction() -> None:
    text = "# c\nFROM a\n\nRUN one \\\n# between\n    && two\nENV A=1 \\\n    B=2\n"
    assert list(read_dockerfile(text)) == [
        Instruction(line=2, word="FROM", rest="a"),
        Instruction(line=4, word="RUN", rest="one && two"),
        Instruction(line=7, word="ENV", rest="A=1 B=2"),
    ]


def test_the_base_is_pinned_and_every_package_comes_by_the_lock() -> None:
    assert re.fullmatch(r"nvidia/cuda:\d+\.\d+\.\d+-base-ubuntu\d\d\.\d\d", words("FROM")[0])
    installs = [one for one in words("RUN") if "pip install" in one]
    assert all("--require-hashes" in one or "--no-deps" in one for one in installs)
    assert any("--require-hashes -r /tmp/cuda.txt" in one for one in installs)


def test_what_is_copied_is_there_and_not_kept_from_the_builder() -> None:
    allowed = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().split()}
    for rest in words("COPY"):
        for source in rest.split()[:-1]:
            assert (ROOT / source).exists()
            assert source.split("/")[0] in allowed


def test_it_runs_as_nobody_special_and_asks_no_network() -> None:
    user = words("USER")[-1].split(":")[0]
    assert user.isdigit()
    assert int(user) > 0
    variables = " ".join(words("ENV"))
    for one in ("HF_HUB_OFFLINE=1", "TRANSFORMERS_OFFLINE=1", "VLLM_NO_USAGE_STATS=1"):
        assert one in variables


def test_a_rehearsal_keeps_variables_user_and_files_in_order(tmp_path: Path) -> None:
    ran: list[tuple[list[str], str, dict[str, str]]] = []

    class Noted(DockerfileReplay):
        def run(self, words: list[str], *, network: bool = True) -> int:
            assert network, "an instruction may fetch"
            ran.append((words, self.user, dict(self.env)))
            return 0

    replay = Noted(ROOT, tmp_path)
    for one in IMAGE:
        assert replay.execute(one) == 0
    assert len(ran) == len(words("RUN"))
    assert {user for _, user, _ in ran} == {"root"}, "the user changes after the last RUN"
    assert replay.env["PATH"].startswith("/opt/arena/bin:/usr/local/sbin:")
    assert replay.entry == ["arena", "doctor"]
    assert replay.health == ["python", "-m", "serving.image.health"]
    assert (tmp_path / "tmp/cuda.txt").is_file()
    assert (tmp_path / "tmp/arena/serving/locks/cuda.txt").is_file()
    assert [one.split(": ")[1] for one in replay.skipped] == ["FROM", "LABEL"]


def rehearse(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "serving.image.replay", *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )


def test_the_rehearsal_with_the_cpu_lock_installs_the_torch_that_is_in_no_lock(
    tmp_path: Path,
) -> None:
    runs = [
        one.rest
        for one in read_dockerfile(adapt_to_cpu(TEXT, copy_torch_wheels(ROOT, tmp_path, None)))
        if one.word == "RUN"
    ]
    assert "--no-install-recommends libnuma1 " in runs[0]
    venv, torch, locked = runs[1].split(" && ")
    assert venv == "python3 -m venv /opt/arena"
    assert torch.split("--no-deps ")[1].split() == [
        f"{pin.name}=={pin.version}" for pin in torch_pins(ROOT)
    ]
    assert "--require-hashes" in locked
    with pytest.raises(ServingError, match="--lock cpu needs '--no-install-recommends'"):
        adapt_to_cpu("COPY locks/cuda.txt /tmp", "torch")


def test_torch_can_come_from_the_wheels_of_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "root" / "tmp").mkdir(parents=True)
    pins = torch_pins(ROOT)
    for pin in pins[:-1]:
        wheel(tmp_path / "wheels", pin.name, pin.version)
    with pytest.raises(ServingError, match=rf"has no wheel of {pins[-1].name} "):
        copy_torch_wheels(ROOT, tmp_path / "root", tmp_path / "wheels")
    wheel(tmp_path / "wheels", pins[-1].name, pins[-1].version)
    words = copy_torch_wheels(ROOT, tmp_path / "root", tmp_path / "wheels")
    assert words.startswith("--no-index --find-links /tmp torch==")
    assert len([*(tmp_path / "root" / "tmp").glob("*.whl")]) == len(pins)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="the rehearsal needs root")
def test_bad_input_of_the_rehearsal_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sh").touch()
    for words, told in (
        (("absent", tmp_path), "No such file or directory: 'absent'"),
        (("Dockerfile.gpu", tmp_path / "absent"), "absent has no /bin/sh"),
        (("Dockerfile.gpu", tmp_path, "--lock", "tpu"), "--lock is 'tpu'; wanted 'cpu' or 'cuda'"),
    ):
        done = rehearse(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("error: ")
        assert told in done.stderr


def may_be_cut_off() -> bool:
    needed = ("unshare", "ip", "setpriv")
    if os.geteuid() or not all(map(shutil.which, needed)):
        return False
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "true"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not may_be_cut_off(), reason="no permission to make a network namespace")
def test_the_command_and_the_health_check_have_loopback_and_no_network(tmp_path: Path) -> None:
    # This host's own root stands for the image: what is mounted is seen by the rehearsal alone.
    asks = (
        "import socket as s; here = s.create_server(('127.0.0.1', 0)); "
        "s.create_connection(here.getsockname()); "
        "print(s.socket(type=s.SOCK_DGRAM).connect_ex(('192.0.2.1', 9)))"
    )
    file = tmp_path / "Dockerfile"
    file.write_text(
        f'FROM x\nUSER 65534:65534\nENTRYPOINT ["python3", "-c", "{asks}"]\n'
        "HEALTHCHECK CMD exit 3\n"
    )
    done = rehearse(file, "/")
    assert (done.returncode, done.stderr) == (1, "")
    assert f"\n{errno.ENETUNREACH}\n" in done.stdout
    assert done.stdout.endswith("/bin/sh -c exit 3: status 3, without a network\n")


def test_a_rehearsal_fails_where_the_command_or_the_health_check_does(tmp_path: Path) -> None:
    asked: list[tuple[list[str], bool]] = []

    class Answers(DockerfileReplay):
        def run(self, words: list[str], *, network: bool = True) -> int:
            asked.append((words, network))
            return int(words[-1] == "ill")

    for health, status in (("CMD well", 0), ("--interval=3s CMD ill", 1), ("NONE", 0)):
        replay = Answers(ROOT, tmp_path)
        for one in read_dockerfile(f'CMD ["arena"]\nHEALTHCHECK {health}\n'):
            replay.execute(one)
        assert serving.image.replay.check_commands(replay) == status
    assert asked[:2] == [(["arena"], False), (["/bin/sh", "-c", "well"], False)]


@pytest.mark.parametrize(("answer", "status"), [(200, 0), (503, 1), (0, 1)])
def test_the_health_check_asks_every_server_that_runs(
    answer: int, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = RunningServer(
        profile="qwen2.5-vl-7b",
        model="m",
        port=8123,
        pid=1,
        owner=1,
        owner_since=0,
        command="",
        argv=(),
        log="",
        engine_version="",
        start_seconds=0.0,
        shared=True,
    )
    asked: list[str] = []

    def answers(url: str) -> int:
        asked.append(url)
        return answer

    monkeypatch.setattr(serving.image.health, "list_servers", lambda: [entry])
    monkeypatch.setattr(serving.image.health, "request_status", answers)
    assert serving.image.health.main() == status
    assert asked == ["http://127.0.0.1:8123/health"]
    assert capsys.readouterr().err == ("qwen2.5-vl-7b does not answer\n" if status else "")


def test_without_a_server_there_is_nothing_that_could_be_ill(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving.image.health, "list_servers", list)
    assert serving.image.health.main() == 0
