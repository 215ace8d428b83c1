"""What is asked of Slurm, and how its answers are read, without a Slurm."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from typer.testing import CliRunner

from arena.cli.app import build_app
from arena.cluster.slurm import BATCH_FILE, REQUEUE_STATUS, SlurmJob, render_job, submit_job
from arena.cluster.worker_lease import LEASE_SECONDS, WorkerLease, this_process
from arena.errors import ConfigError, RecordError
from arena.games.whodunit.options import WhodunitOptions
from arena.tournament.folder import TournamentFolder
from arena.tournament.tournament_plan import GamePlan, TournamentPlan
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import planned

HOSTILE = (
    "plain",
    "with space",
    "it's",
    '"double"',
    "$HOME `id` $(id)",
    "50% #; &",
    "--shard",
    "麻雀",
)


def make_job(out: Path, **values: object) -> SlurmJob:
    values = {"shards": 8, "nodes": 3, "gpus_per_node": 4, "time": "02:00:00", **values}
    return SlurmJob(out=out, **values)  # pyright: ignore[reportArgumentType]


def options(text: str) -> dict[str, str]:
    """Return the options of a batch script, as sbatch reads them."""
    lines = [line for line in text.splitlines() if line.startswith("#SBATCH")]
    words = [word for line in lines for word in shlex.split(line.removeprefix("#SBATCH"))]
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def program(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/bash\n{body}\n")
    (folder / name).chmod(0o755)


def test_a_job_asks_for_one_task_a_shard_on_one_node_and_for_a_warning(tmp_path: Path) -> None:
    job = make_job(tmp_path / "cup", cpus_per_task=16, partition="gpu", account="lab")
    assert options(render_job(job)) == {
        "--job-name": "cup",
        "--array": "0-7%3",
        "--nodes": "1",
        "--ntasks": "1",
        "--gpus-per-node": "4",
        "--cpus-per-task": "16",
        "--time": "02:00:00",
        "--partition": "gpu",
        "--account": "lab",
        "--signal": "B:TERM@120",
        "--requeue": "",
        "--open-mode": "append",
        "--output": f"{tmp_path}/cup/logs/%a.log",
    }


def test_what_is_not_asked_for_is_left_to_the_site(tmp_path: Path) -> None:
    found = options(render_job(make_job(tmp_path, gpus_per_node=0)))
    left = {"--gpus-per-node", "--cpus-per-task", "--partition", "--account"}
    assert not left & set(found)


def test_lines_of_the_setup_file_go_where_slurm_and_the_shell_read_them(tmp_path: Path) -> None:
    text = render_job(make_job(tmp_path, setup="#SBATCH --mem=9G\nmodule load {{ cuda }}\n"))
    assert options(text)["--mem"] == "9G"
    first_command = text.index("worker=\n")
    assert text.index("--mem") < first_command < text.index("module load {{ cuda }}")
    assert text.index("module load") < text.index("--shard")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_path_means_anything_to_the_shell_or_to_sbatch(tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    text = render_job(make_job(out, command=("/opt/python", name)))
    assert options(text)["--output"] == f"{out}/logs/".replace("%", "%%") + "%a.log"
    check(text)


def check(text: str) -> None:
    """Let the shell, and shellcheck where it is, read a script."""
    programs = [["bash", "-n"]]
    if shutil.which("shellcheck"):
        programs.append(["shellcheck", "--severity=warning", "-"])
    for words in programs:
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        assert not done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"shards": 0}, "the number of shards must be >= 1, got 0"),
        ({"nodes": -1}, "the number of nodes must be >= 1, got -1"),
        ({"gpus_per_node": -1}, "the GPUs of a node must be >= 0, got -1"),
        ({"cpus_per_task": 0}, "the CPUs of a task must be >= 1, got 0"),
        ({"time": "2h"}, "the time must be"),
        ({"time": "01:60:00"}, "the time must be"),
        ({"time": "00:03:00"}, "up to 180 s before its time ends"),
        ({"time": "02:00:00\n"}, "the time must be"),
        ({"partition": "a\n#SBATCH --uid=0"}, "the partition must be printable"),
        ({"account": "a\x00"}, "the account must be printable"),
        ({"out": Path("a\nb")}, "the folder's path must be printable"),
        ({"out": Path("a\\b")}, "no logs below a path"),
        ({"setup": "module load x\r\n"}, "Unix line ends"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, values: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        make_job(**{"out": tmp_path, **values})  # pyright: ignore[reportArgumentType]


def test_times_may_have_days(tmp_path: Path) -> None:
    assert options(render_job(make_job(tmp_path, time="2-00:00:00")))["--time"] == "2-00:00:00"


def test_a_submitted_script_is_the_one_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "sbatch", f'cat > "{tmp_path}/seen"; echo "4711;north"')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    job = make_job(tmp_path)
    assert submit_job(job) == "4711"
    assert (tmp_path / BATCH_FILE).read_text() == (tmp_path / "seen").read_text() == render_job(job)
    assert (tmp_path / "logs").is_dir()
    assert submit_job(job) == "4711"


def test_an_edited_script_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "sbatch", f'touch "{tmp_path}/called"; echo 1')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    (tmp_path / BATCH_FILE).write_text("mine")
    with pytest.raises(ConfigError, match="has another text"):
        submit_job(make_job(tmp_path))
    assert (tmp_path / BATCH_FILE).read_text() == "mine"
    assert not (tmp_path / "called").exists()


def test_a_refusal_is_quoted_and_leaves_no_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(
        tmp_path / "bin",
        "sbatch",
        "echo one >&2; echo 'sbatch: error: no such account' >&2; exit 1",
    )
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    with pytest.raises(ConfigError, match="sbatch refuses the job: sbatch: error: no such account"):
        submit_job(make_job(tmp_path))
    assert not (tmp_path / BATCH_FILE).exists()


def test_without_slurm_the_other_ways_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"--dry-run.*--shard i/n` under PBS, xargs or by hand"):
        submit_job(make_job(tmp_path / "cup"))
    assert not list(tmp_path.iterdir())


WORKER = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(int(sys.argv[2])))
print("begun", sys.argv[-1], flush=True)
time.sleep(0 if sys.argv[1] == "short" else 10)
"""


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Return a function that runs a batch script as one task, and returns its status and output."""

    def run(
        worker: tuple[str, ...], state: str, stop: signal.Signals | None, setup: str = ""
    ) -> tuple[int, str]:
        program(tmp_path / "bin", "squeue", f'echo "$@" | grep -q -- --jobs=40_2 && echo {state}')
        program(tmp_path / "bin", "scontrol", 'echo "scontrol $*"')
        monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
        ids = {"SLURM_ARRAY_JOB_ID": "40", "SLURM_ARRAY_TASK_ID": "2", "SLURM_JOB_ID": "40"}
        command = (sys.executable, "-c", WORKER, *worker)
        text = render_job(make_job(tmp_path, command=command, setup=setup))
        with (tmp_path / "out").open("w+") as out:
            task = subprocess.Popen(
                ["bash", "-c", text],
                env={**os.environ, **ids, "SLURMD_NODENAME": "n1"},
                stdout=out,
                stderr=out,
            )
            while task.poll() is None and "begun" not in (tmp_path / "out").read_text():
                sleep(0.02)
            if stop is not None:
                task.send_signal(stop)
            status = task.wait(30)
        return status, (tmp_path / "out").read_text()

    return run


Play = Callable[..., tuple[int, str]]


def test_a_worker_with_more_to_do_is_requeued_by_both_numbers(play: Play) -> None:
    status, said = play(("long", str(REQUEUE_STATUS)), "RUNNING", signal.SIGTERM)
    assert status == REQUEUE_STATUS
    assert "scontrol requeue 40_2" in said


def test_a_task_that_is_stopped_while_it_is_set_up_starts_no_worker(play: Play) -> None:
    setup = "echo begun the set-up; sleep 1"
    status, said = play(("long", "0"), "RUNNING", signal.SIGTERM, setup)
    assert status == REQUEUE_STATUS
    assert "begun 2/8" not in said
    assert "scontrol requeue 40_2" in said


def test_where_slurm_ends_the_task_it_is_not_requeued(play: Play) -> None:
    status, said = play(("long", str(REQUEUE_STATUS)), "COMPLETING", signal.SIGTERM)
    assert status == REQUEUE_STATUS
    assert "scontrol" not in said


@pytest.mark.parametrize("worker", [("short", "0"), ("long", "0")])
def test_a_finished_shard_is_not_requeued(play: Play, worker: tuple[str, ...]) -> None:
    stop = signal.SIGTERM if worker[0] == "long" else None
    status, said = play(worker, "RUNNING", stop)
    assert status == 0
    assert "scontrol" not in said


def tournament(tmp_path: Path) -> Path:
    game = GamePlan(game="whodunit", options=WhodunitOptions(), scripts=())
    TournamentFolder(path=tmp_path).save_plan(TournamentPlan(entries=(("naive",),), games=(game,)))
    return tmp_path


ARGUMENTS = ("--shards=8", "--nodes=2", "--gpus-per-node=4", "--time=02:00:00")


def arena(*words: str) -> str:
    done = CliRunner().invoke(build_app("cluster"), ["cluster", "submit", *words])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_a_dry_run_prints_the_script_and_writes_nothing(tmp_path: Path) -> None:
    out = tournament(tmp_path)
    text = arena(str(out), *ARGUMENTS, "--dry-run")
    assert text == render_job(make_job(out, nodes=2))
    assert json.loads(arena(str(out), *ARGUMENTS, "--dry-run", "--json"))["script"] == text
    assert [one.name for one in out.iterdir()] == ["tournament.json"]


def test_shards_beyond_the_blocks_of_a_tournament_are_told(tmp_path: Path) -> None:
    script = save_case(tmp_path / "harbour")
    out = planned(tmp_path / "out", [script], ("naive", "random"), seeds=4).path
    for shards, told in ((5, "5 shards, but only 4 blocks"), (4, "")):
        words = ["cluster", "submit", str(out), *ARGUMENTS, f"--shards={shards}", "--dry-run"]
        done = CliRunner().invoke(build_app("cluster"), words)
        assert done.stderr.startswith(told)
        assert bool(done.stderr) == bool(told)


def test_without_a_number_there_are_as_many_shards_as_before_or_one_a_node(tmp_path: Path) -> None:
    script = save_case(tmp_path / "harbour")
    out = planned(tmp_path / "out", [script], ("naive", "random"), seeds=4).path
    words = (str(out), *ARGUMENTS[1:], "--dry-run", "--json")
    assert json.loads(arena(*words))["shards"] == 2
    assert json.loads(arena(*words, "--nodes=9"))["shards"] == 4
    WorkerLease(path=out, worker=0, process=this_process(LEASE_SECONDS)).acquire(3)
    assert json.loads(arena(*words, "--nodes=9"))["shards"] == 3


def test_a_submission_prints_the_number_of_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "sbatch", "cat > /dev/null; echo 4711")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert arena(str(tournament(tmp_path)), *ARGUMENTS).startswith(
        "job 4711: 8 tasks, 2 concurrent"
    )


def test_a_folder_without_a_tournament_and_a_bad_setup_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no tournament at"):
        arena(str(tmp_path), *ARGUMENTS)
    out = tournament(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        arena(str(out), *ARGUMENTS, f"--setup={tmp_path}/none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not a text in UTF-8"):
        arena(str(out), *ARGUMENTS, f"--setup={tmp_path}/binary")
