"""A real Slurm on this host: munged, slurmctld and one slurmd a node, in a folder of their own.

Debian's slurmd is built so that several can run on one host. Each is a node with a name, a port and
a spool folder of its own, so that a node can fail. Nothing needs systemd, cgroups or the network.
"""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

import psutil

from serving.process.ports import LOOPBACK, free_port

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
PACKAGES = "munge slurmctld slurmd slurm-client"
"""Debian's packages with these programs."""
CPUS = 4
"""Of each node; Slurm believes what its configuration says."""
GPUS = 2
KILL_WAIT_SECONDS = 6
"""Between TERM and KILL, where Slurm ends a task."""
GRACE_SECONDS = 40
"""Before that, in the partition `patient`."""
_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
_WAIT_SECONDS = 60.0
_POLL_SECONDS = 0.25

# Jobs keep running where another starts, unless it comes from `urgent`; a job that is started again
# may begin as soon as its credential has expired; Slurm remembers each for longer than any test.
_CONFIG = """\
ClusterName=arena
SlurmctldHost={host}({loopback})
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdSpoolDir={folder}/%n
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
JobRequeue=1
MinJobAge=86400
KillWait={kill_wait}
SlurmdTimeout=8
ReturnToService=2
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=DEFAULT CPUs={cpus} RealMemory=1000 Gres=gpu:{gpus}
"""
# Devices that every host has: Slurm grants them, and without cgroups it hides none.
_GPUS = """\
Name=gpu File=/dev/null
Name=gpu File=/dev/zero
"""
_PARTITIONS = """\
PartitionName=work Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1
PartitionName=patient Nodes=ALL MaxTime=INFINITE PriorityTier=1 GraceTime={grace}
PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10
"""


def missing_programs() -> str:
    """Return why Slurm cannot run here; empty where it can."""
    absent = [name for name in PROGRAMS if shutil.which(name, path=_PATH) is None]
    return f"no {', '.join(absent)}; Debian: apt-get install {PACKAGES}" if absent else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmHost:
    """A running Slurm."""

    folder: Path
    nodes: tuple[str, ...]
    environ: Mapping[str, str]
    """With SLURM_CONF: for every command of Slurm, and what starts one."""
    _daemons: dict[str, subprocess.Popen[bytes]] = field(
        default_factory=dict[str, subprocess.Popen[bytes]]
    )

    def run(self, *words: str) -> str:
        """Run a command of Slurm; return what it prints."""
        done = subprocess.run(
            words, env=self.environ, capture_output=True, text=True, check=False, timeout=60
        )
        assert not done.returncode, f"{words}: {done.stderr}{self.logs()}"
        return done.stdout.strip()

    def submit(self, *words: str) -> str:
        """Submit what sbatch can be told in `words`; return the job's number."""
        return self.run("sbatch", "--parsable", *words)

    def tasks(self, job: str) -> dict[str, str]:
        """Return the state of each task of an array that Slurm still remembers, by its index."""
        command = ("squeue", "--noheader", "--array", "--states=all", "--format=%K %T", "-j", job)
        return dict(line.split() for line in self.run(*command).splitlines())

    def show(self, job: str) -> dict[str, str]:
        """Return all that Slurm says about one job or one task, written JOB_TASK."""
        words = self.run("scontrol", "--oneliner", "show", "job", job).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait_for(
        self, what: str, is_true: Callable[[], bool], seconds: float = _WAIT_SECONDS
    ) -> None:
        """Wait until `is_true`, or fail with Slurm's logs."""
        ends = monotonic() + seconds
        while not is_true():
            assert monotonic() < ends, f"not within {seconds:g} s: {what}\n{self.logs()}"
            sleep(_POLL_SECONDS)

    def wait_for_tasks(self, job: str, states: Mapping[str, str]) -> None:
        """Wait until all tasks of an array have these states."""
        self.wait_for(f"tasks of {job}: {states}", lambda: self.tasks(job) == states)

    def cancel_all(self) -> None:
        """Cancel all jobs, and start nodes that were killed; wait until all are idle."""
        self.run("scancel", f"--user={_user()}")
        for node in set(self.nodes) - set(self._daemons):
            self.start_node(node)
        self.wait_until_idle()

    def kill_node(self, node: str) -> None:
        """Kill a node's daemon and all it runs, as a loss of power would."""
        log = str(self.folder / f"{node}.log")
        # The daemon and each step's own process have this log open; jobs descend from the latter.
        roots = [one for one in psutil.process_iter() if log in _open_files(one)]
        found = [one for root in roots for one in (root, *root.children(recursive=True))]
        _kill(found)
        self._daemons.pop(node).wait()

    def start_node(self, node: str) -> None:
        """Start a node's daemon."""
        self._start(node, "slurmd", "-D", "-N", node)

    def wait_until_idle(self) -> None:
        """Wait until every node could run a job."""
        command = ("sinfo", "--noheader", "--Node", "--partition=work", "--format=%N %T")
        expected = dict.fromkeys(self.nodes, "idle")
        self.wait_for(
            "all nodes are idle",
            lambda: dict(line.split() for line in self.run(*command).splitlines()) == expected,
        )

    def logs(self) -> str:
        """Return what Slurm says of nodes and jobs, and the ends of all logs."""
        ends = (
            f"== {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])
            for path in sorted(self.folder.glob("*.log"))
        )
        states = [
            subprocess.run(words, env=self.environ, capture_output=True, text=True, check=False)
            for words in (("sinfo", "--long", "--Node"), ("squeue", "--array", "--states=all"))
        ]
        return "\n".join([*(one.stdout for one in states), *ends])

    def _start(self, name: str, *words: str) -> None:
        program = shutil.which(words[0], path=_PATH)
        assert program is not None
        with (self.folder / f"{name}.out").open("ab") as out:
            self._daemons[name] = subprocess.Popen(
                [program, *words[1:]],
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def _start_all(self) -> None:
        folder = self.folder
        self._start(
            "munged",
            "munged",
            "--foreground",
            "--num-threads=2",
            f"--socket={folder}/munge.sock",
            f"--key-file={folder}/munge.key",
            f"--pid-file={folder}/munged.pid",
            f"--log-file={folder}/munged.log",
            f"--seed-file={folder}/munge.seed",
        )
        self.wait_for("munged listens", (folder / "munge.sock").is_socket)
        self._start("slurmctld", "slurmctld", "-D")
        for node in self.nodes:
            self.start_node(node)
        self.wait_for("slurmctld answers", self._answers)
        self.wait_until_idle()

    def _answers(self) -> bool:
        command = ("scontrol", "ping")
        done = subprocess.run(command, env=self.environ, capture_output=True, check=False)
        return not done.returncode

    def _stop_all(self) -> None:
        """Kill all: nothing of this Slurm is wanted after its test."""
        roots = [
            one
            for one in psutil.process_iter()
            if any(Path(name).parent == self.folder for name in _open_files(one))
        ]
        _kill([one for root in roots for one in (root, *root.children(recursive=True))])
        for process in self._daemons.values():
            process.kill()
            process.wait()


@contextmanager
def open_slurm(nodes: int = 3) -> Generator[SlurmHost]:
    """Yield a Slurm with `nodes` nodes that are idle; stop it and all of its jobs at the end."""
    with tempfile.TemporaryDirectory(prefix="slurm-") as name:
        folder = Path(name)
        # munged refuses a folder that others may enter only by its key, and wants its socket seen.
        folder.chmod(0o755)
        host = SlurmHost(
            folder=folder,
            nodes=tuple(f"node{index}" for index in range(nodes)),
            environ={**os.environ, "PATH": _PATH, "SLURM_CONF": f"{folder}/slurm.conf"},
        )
        key = folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        (folder / "state").mkdir()
        for node in host.nodes:
            (folder / node).mkdir()
        (folder / "slurm.conf").write_text(_config(folder, host.nodes))
        (folder / "gres.conf").write_text(_GPUS)
        try:
            host._start_all()  # pyright: ignore[reportPrivateUsage]
            yield host
        finally:
            host._stop_all()  # pyright: ignore[reportPrivateUsage]


def _config(folder: Path, nodes: Sequence[str]) -> str:
    hostname = socket.gethostname().partition(".")[0]
    head = _CONFIG.format(
        host=hostname,
        loopback=LOOPBACK,
        port=free_port(),
        user=_user(),
        folder=folder,
        kill_wait=KILL_WAIT_SECONDS,
        cpus=CPUS,
        gpus=GPUS,
    )
    lines = [
        f"NodeName={node} NodeAddr={LOOPBACK} NodeHostname={hostname} Port={free_port()}\n"
        for node in nodes
    ]
    return head + "".join(lines) + _PARTITIONS.format(grace=GRACE_SECONDS)


def _user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


def _open_files(process: psutil.Process) -> set[str]:
    try:
        return {one.path for one in process.open_files()}
    except psutil.Error:
        return set()


def _kill(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(processes, timeout=10)
