"""The bootstrap, run as the program that it is, in checkouts where the installer is a script."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "serving" / "environment.py"

PROJECT = """
[project]
name = "thing"
version = "1"
dependencies = ["left"]
[project.optional-dependencies]
cpu = ["torch==9.9.0", "torchvision==8.8.0", "engine"]
cuda = ["engine"]
dev = ["tester"]
"""

PIP = """#!/bin/sh
# Stands for the environment's python: writes down what it was asked, fails where it was told to.
[ "$1" = -c ] && exit 0
echo "$*" >> ../asked
if grep -q -x -F -e "$*" ../refused 2>/dev/null; then cat ../says; exit 1; fi
if [ -e ../hangs ]; then sleep 60; fi
if [ -e ../slow ]; then sleep 0.5; fi
"""

TORCH = "-m pip install --no-deps torch==9.9.0+cpu torchvision==8.8.0"
LOCKED = "-m pip install --no-deps --require-hashes -r serving/locks/{0}.txt"
CPU_LOCK = f"{LOCKED.format('cpu')} -r serving/locks/cpu-dev.txt"
CUDA_LOCK = f"{LOCKED.format('cuda')} -r serving/locks/cuda-dev.txt"
OWN = "-m pip install --no-deps --no-build-isolation -e ."
FIT = "-m pip check"
WHOLE = [TORCH, CPU_LOCK, OWN, FIT]


@dataclass(frozen=True)
class Checkout:
    """A folder with a project, its environment and what was asked of the installer."""

    root: Path
    bin: Path

    def run(
        self, extras: tuple[str, ...] = ("dev",), **env: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(extras), env=self.env(env), capture_output=True, text=True, check=False
        )

    def command(self, extras: tuple[str, ...] = ("dev",)) -> list[str]:
        program = self.root / "serving" / "environment.py"
        chosen = [word for extra in extras for word in ("--extra", extra)]
        return [sys.executable, str(program), *chosen, "--print-python"]

    def env(self, more: dict[str, str]) -> dict[str, str]:
        left_out = {"ARENA_ENGINE", "ARENA_TORCH_INDEX", "PATH"}
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        return {**kept, "PATH": f"{self.bin}{os.pathsep}{os.defpath}", **more}

    def asked(self) -> list[str]:
        log = self.root / "asked"
        return log.read_text().splitlines() if log.exists() else []

    def refuse(self, *commands: str, says: str) -> None:
        (self.root / "refused").write_text("\n".join(commands) + "\n")
        (self.root / "says").write_text(says + "\n")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    here = Checkout(root=tmp_path / "checkout", bin=tmp_path / "bin")
    (here.root / "serving").mkdir(parents=True)
    shutil.copy(PROGRAM, here.root / "serving")
    (here.root / "pyproject.toml").write_text(PROJECT)
    (here.root / "serving" / "locks").mkdir()
    for lock in ("cpu", "cpu-dev", "cuda", "cuda-dev"):
        text = f"{lock}==1\nuv==0.9 ; python_version < '4' \\\n"
        (here.root / "serving" / "locks" / f"{lock}.txt").write_text(text)
    (here.root / ".venv" / "bin").mkdir(parents=True)
    python = here.root / ".venv" / "bin" / "python"
    # The installer is asked from the checkout, so what it writes down lands beside .venv/bin.
    python.write_text(PIP.replace("../", f"{here.root}/"))
    python.chmod(0o755)
    here.bin.mkdir()
    return here


def program(checkout: Checkout, name: str, body: str) -> None:
    path = checkout.bin / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def smi(checkout: Checkout, status: int) -> None:
    program(checkout, "nvidia-smi", f"echo 'GPU 0: a card'; exit {status}")


def test_without_a_gpu_the_cpu_engine_is_installed_after_a_torch_for_the_cpu(
    checkout: Checkout,
) -> None:
    done = checkout.run()
    assert done.returncode == 0, done.stderr
    assert checkout.asked() == WHOLE
    assert done.stdout == f"{checkout.root / '.venv' / 'bin' / 'python'}\n"


@pytest.mark.parametrize("engine", ["cpu", "cuda"])
def test_a_library_that_the_cpu_engine_lacks_is_named_before_anything_is_installed(
    checkout: Checkout, engine: str
) -> None:
    program = checkout.root / "serving" / "environment.py"
    text = program.read_text("utf-8")
    program.write_text(text.replace('"libnuma.so.1"', '"libnowhere.so.9"'), "utf-8")
    done = checkout.run(ARENA_ENGINE=engine)
    first = done.stderr.splitlines()[0]
    assert ("no engine will start without libnowhere.so.9: install" in first) == (engine == "cpu")
    assert done.returncode == 0


def test_where_nvidia_smi_answers_the_cuda_engine_is_installed(checkout: Checkout) -> None:
    smi(checkout, 0)
    assert checkout.run().returncode == 0
    assert checkout.asked() == [CUDA_LOCK, OWN, FIT]


def test_a_driver_that_does_not_answer_is_no_gpu(checkout: Checkout) -> None:
    smi(checkout, 9)
    assert checkout.run().returncode == 0
    assert checkout.asked() == WHOLE


def test_the_engine_can_be_named(checkout: Checkout) -> None:
    smi(checkout, 0)
    assert checkout.run(ARENA_ENGINE="cpu").returncode == 0
    assert checkout.asked() == WHOLE
    wrong = checkout.run(ARENA_ENGINE="tpu")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "ARENA_ENGINE is 'tpu'; wanted 'cpu' or 'cuda'" in wrong.stderr


def test_a_second_call_does_nothing_and_returns_at_once(checkout: Checkout) -> None:
    checkout.run()
    asked = checkout.asked()
    began = time.monotonic()
    again = checkout.run()
    assert time.monotonic() - began < 1
    assert (again.returncode, again.stderr) == (0, "")
    assert checkout.asked() == asked


def test_without_an_extra_its_packages_are_not_installed_and_stay_where_they_are(
    checkout: Checkout,
) -> None:
    bare = [TORCH, LOCKED.format("cpu"), OWN, FIT]
    assert checkout.run(extras=()).returncode == 0
    assert checkout.asked() == bare
    assert checkout.run().returncode == 0
    assert checkout.asked() == bare + WHOLE
    assert checkout.run(extras=()).returncode == 0
    assert checkout.asked() == bare + WHOLE


def test_a_change_of_the_dependencies_installs_again(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / "pyproject.toml").write_text(PROJECT.replace('"left"', '"left", "right"'))
    checkout.run()
    assert checkout.asked() == WHOLE + WHOLE
    (checkout.root / "pyproject.toml").write_text(
        PROJECT.replace('"left"', '"left", "right"').replace('version = "1"', 'version = "2"')
    )
    checkout.run()
    assert len(checkout.asked()) == 2 * len(WHOLE)


def test_an_entry_point_that_is_new_installs_again(checkout: Checkout) -> None:
    checkout.run()
    plugin = '[project.entry-points."vllm.general_plugins"]\nyi_vl = "thing:register"\n'
    (checkout.root / "pyproject.toml").write_text(PROJECT + plugin)
    checkout.run()
    assert checkout.asked() == WHOLE + WHOLE
    (checkout.root / "pyproject.toml").write_text(PROJECT + plugin + "[tool.other]\na = 1\n")
    checkout.run()
    assert len(checkout.asked()) == 2 * len(WHOLE)


@pytest.mark.slow
def test_a_gpu_that_appears_later_has_the_environment_made_from_nothing(
    checkout: Checkout,
) -> None:
    checkout.run()
    (checkout.root / ".venv" / "leftover").touch()
    smi(checkout, 0)
    done = checkout.run(PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert done.returncode == 2
    assert "all of 'serving/locks/cuda-dev.txt'" in done.stderr
    assert not (checkout.root / ".venv" / "leftover").exists()


def test_a_torch_that_pip_does_not_find_is_fetched_by_uv(checkout: Checkout) -> None:
    checkout.refuse(TORCH, says="ERROR: No matching distribution found for torch==9.9.0+cpu")
    assert checkout.run().returncode == 0
    python = checkout.root / ".venv" / "bin" / "python"
    assert checkout.asked() == [
        TORCH,
        "-m pip install uv==0.9",
        f"-m uv pip install --no-deps --python {python} --torch-backend cpu torch==9.9.0"
        " torchvision==8.8.0",
        CPU_LOCK,
        OWN,
        FIT,
    ]


def test_a_named_index_is_asked_for_torch_and_for_nothing_else(checkout: Checkout) -> None:
    named = "-m pip install --no-deps --index-url file:///wheels torch==9.9.0"
    checkout.refuse(f"{named}+cpu torchvision==8.8.0", says="ERROR: No matching distribution")
    assert checkout.run(ARENA_TORCH_INDEX="file:///wheels").returncode == 0
    assert checkout.asked() == [
        f"{named}+cpu torchvision==8.8.0",
        f"{named} torchvision==8.8.0",
        CPU_LOCK,
        OWN,
        FIT,
    ]


def test_without_a_network_one_line_says_what_is_missing_and_what_to_do(
    checkout: Checkout,
) -> None:
    checkout.refuse(TORCH, says="NewConnectionError: Temporary failure in name resolution")
    done = checkout.run()
    assert done.returncode == 2
    assert done.stdout == ""
    assert checkout.asked() == [TORCH]
    last = done.stderr.splitlines()[-1]
    assert last.startswith("cannot create the environment: no reachable package index has")
    assert "'torch==9.9.0'" in last
    assert "PIP_INDEX_URL" in last
    assert "Traceback" not in done.stderr


def test_another_fault_of_the_installer_is_quoted(checkout: Checkout) -> None:
    checkout.refuse(OWN, says="noise\nERROR: no space left on device\nnoise")
    done = checkout.run()
    assert done.returncode == 2
    assert "'.' cannot be installed: ERROR: no space left" in done.stderr.splitlines()[-1]


def test_packages_that_do_not_fit_together_are_told(checkout: Checkout) -> None:
    checkout.refuse(FIT, says="thing 1 requires left, which is not installed.")
    done = checkout.run()
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "cannot create the environment: the packages are incompatible: thing 1 requires left, "
        "which is not installed.; see "
    )


def test_an_extra_that_has_no_lock_is_one_line(checkout: Checkout) -> None:
    command = [*checkout.command(), "--extra", "ocr"]
    done = subprocess.run(
        command, env=checkout.env({}), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the extra 'ocr' has no lock (serving/locks/cpu-ocr.txt)" in done.stderr
    assert checkout.asked() == []


def test_after_a_failure_the_next_call_goes_on_from_there(checkout: Checkout) -> None:
    checkout.refuse(OWN, says="ERROR: not today")
    checkout.run()
    (checkout.root / "refused").unlink()
    assert checkout.run().returncode == 0
    assert checkout.asked() == [TORCH, CPU_LOCK, OWN, *WHOLE]


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_an_installation_that_was_cut_short_is_made_from_nothing(
    checkout: Checkout, by: signal.Signals
) -> None:
    (checkout.root / "hangs").touch()
    with subprocess.Popen(
        checkout.command(), env=checkout.env({}), stderr=subprocess.PIPE, start_new_session=True
    ) as cut:
        while not checkout.asked():
            time.sleep(0.02)
        os.killpg(cut.pid, by)
        _, said = cut.communicate()
    if by == signal.SIGINT:
        assert cut.returncode == 130
        assert said.splitlines()[-1] == b"stopped; run it again to continue"
    (checkout.root / ".venv" / "leftover").touch()
    # Made from nothing, the folder has a real python, whose pip is kept from every index here.
    done = checkout.run(PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert done.returncode == 2
    assert "no reachable package index has all of 'torch==9.9.0'" in done.stderr
    assert not (checkout.root / ".venv" / "leftover").exists()


@pytest.mark.slow
def test_calls_at_once_install_once(checkout: Checkout) -> None:
    (checkout.root / "slow").touch()
    calls = [
        subprocess.Popen(checkout.command(), env=checkout.env({}), stdout=subprocess.DEVNULL)
        for _ in range(3)
    ]
    assert [call.wait(30) for call in calls] == [0, 0, 0]
    assert checkout.asked() == WHOLE


def test_a_project_file_that_is_broken_is_one_line(checkout: Checkout) -> None:
    (checkout.root / "pyproject.toml").write_text("[project")
    done = checkout.run()
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pyproject.toml cannot be read" in done.stderr


def test_the_stamp_names_the_engine_that_was_chosen(checkout: Checkout) -> None:
    checkout.run()
    stamp = checkout.root / ".venv" / "arena-environment.json"
    assert json.loads(stamp.read_text())["engine"] == "cpu"


def test_an_old_python_gives_way_to_a_newer_one_or_is_told_that_it_is_old(
    checkout: Checkout,
) -> None:
    file = checkout.root / "serving" / "environment.py"
    file.write_text(file.read_text().replace("_OLDEST = (3, 11)", "_OLDEST = (9, 9)"))
    program(checkout, "python3.12", f'exec {sys.executable} "$@"')
    done = checkout.run()
    assert done.returncode == 2
    assert done.stderr.startswith(
        "cannot create the environment: wanted Python 9.9 or newer, found"
    )
    program(checkout, "python3.12", "echo newer")
    assert checkout.run().stdout == "newer\n"


def test_a_lock_that_changes_installs_again(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / "serving" / "locks" / "cpu-dev.txt").write_text("tester==2\n")
    checkout.run()
    assert checkout.asked() == WHOLE + WHOLE


def test_a_file_with_another_hash_than_the_locks_is_quoted(checkout: Checkout) -> None:
    checkout.refuse(CPU_LOCK, says="ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\nnoise")
    done = checkout.run()
    assert done.returncode == 2
    assert "cpu-dev.txt' cannot be installed: ERROR: THESE PACKAGES DO NOT MATCH" in done.stderr
    assert checkout.asked() == [TORCH, CPU_LOCK]


def test_a_checkout_without_its_locks_is_one_line(checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / "serving" / "locks")
    done = checkout.run()
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "serving/locks/cpu.txt is missing" in done.stderr
