"""Slurm array that plays a tournament: one task per shard, each on its own node."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import jinja2

from arena.bench.number_checks import check_count
from arena.cluster.worker_lease import check_shards
from arena.errors import ConfigError
from arena.records.run_config import MOST_SHARDS

REQUEUE_STATUS: Final = os.EX_TEMPFAIL
"""Exit status of a worker that was stopped before its shard was finished: 75."""
WARNING_SECONDS: Final = 120
"""Seconds between TERM and the end of a task. Slurm may send TERM a minute early."""
BATCH_FILE: Final = "job.sbatch"
LOGS_FOLDER: Final = "logs"

_TIME: Final = re.compile(r"(?:(\d{1,3})-)?(\d{1,3}):([0-5]\d):([0-5]\d)")
_MIN_SECONDS: Final = WARNING_SECONDS + 60
"""Minimum time of a task: TERM can come this long before its end."""
_SBATCH_SECONDS: Final = 120.0
_OPTION: Final = "#SBATCH"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmJob:
    """Slurm job of a tournament. Raises `ConfigError` for invalid values."""

    out: Path
    """Folder of the tournament, on a file system that all nodes share."""
    shards: int
    """Tasks of the array."""
    nodes: int
    """Maximum number of concurrent tasks; each has a node."""
    gpus_per_node: int
    """0: the model is served elsewhere, or on CPUs."""
    time: str
    """Maximum time of a task: [DAYS-]HOURS:MINUTES:SECONDS."""
    cpus_per_task: int | None = None
    """None: the site's default, which may be one CPU."""
    partition: str = ""
    account: str = ""
    setup: str = ""
    """Text of a user's file: more `#SBATCH` lines, and commands such as `module load`."""
    command: tuple[str, ...] = ()
    """Command of the worker, which gets `--shard i/n`; empty: this installation's."""

    def __post_init__(self) -> None:
        check_count("the number of shards", self.shards, most=MOST_SHARDS)
        check_count("the number of nodes", self.nodes, most=MOST_SHARDS)
        check_count("the GPUs of a node", self.gpus_per_node, least=0)
        if self.cpus_per_task is not None:
            check_count("the CPUs of a task", self.cpus_per_task)
        _check_time(self.time)
        _check_text("the partition", self.partition)
        _check_text("the account", self.account)
        out = self.out.absolute()
        _check_text("the folder's path", str(out))
        if "\\" in str(out):
            # With it in the name of a log, Slurm would not write a separate log for each task.
            raise ConfigError(f"Slurm can write no logs below a path with '\\': {str(out)!r}")
        _check_setup(self.setup)
        object.__setattr__(self, "out", out)
        words = self.command or (sys.executable, "-m", "arena", "cluster", "worker", str(out))
        object.__setattr__(self, "command", words)

    def options(self) -> Iterator[str]:
        """Yield the options of sbatch, not yet quoted."""
        # In the name of a log %a is the task; a % of the folder itself is written twice.
        logs = str(self.out / LOGS_FOLDER).replace("%", "%%")
        yield f"--job-name={self.out.name}"
        yield f"--array=0-{self.shards - 1}%{self.nodes}"
        yield "--nodes=1"
        yield "--ntasks=1"
        if self.gpus_per_node:
            yield f"--gpus-per-node={self.gpus_per_node}"
        if self.cpus_per_task is not None:
            yield f"--cpus-per-task={self.cpus_per_task}"
        yield f"--time={self.time}"
        if self.partition:
            yield f"--partition={self.partition}"
        if self.account:
            yield f"--account={self.account}"
        yield f"--signal=B:TERM@{WARNING_SECONDS}"
        yield "--requeue"
        yield "--open-mode=append"
        yield f"--output={logs}/%a.log"

    def setup_options(self) -> tuple[str, ...]:
        """Return the user's `#SBATCH` lines, which Slurm reads only above all commands."""
        return tuple(line for line in self.setup.splitlines() if line.startswith(_OPTION))

    def setup_commands(self) -> str:
        """Return the commands of the user's file."""
        lines = (line for line in self.setup.splitlines() if not line.startswith(_OPTION))
        return "\n".join(lines).strip("\n")


def render_job(job: SlurmJob) -> str:
    """Return the text of the batch script."""
    environment = jinja2.Environment(  # noqa: S701 - a shell script, quoted by shlex, no HTML
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["quote"] = shlex.quote
    template = environment.get_template(f"{BATCH_FILE}.jinja")
    return template.render(job=job, more_to_do=REQUEUE_STATUS)


def submit_job(job: SlurmJob) -> str:
    """Submit the job with sbatch, write `job.sbatch` into its folder and return the job's number.

    Raises `ConfigError` if there is no sbatch, if it refuses the job, and if the folder has a
    `job.sbatch` with another text; then nothing is submitted.
    """
    program = shutil.which("sbatch")
    if program is None:
        raise ConfigError(
            "sbatch is not on the PATH: run this on a login node, read the script with --dry-run, "
            f"or start `arena cluster worker {shlex.quote(str(job.out))} --shard i/n` under PBS, "
            "xargs or by hand"
        )
    check_shards(job.out, job.shards)
    text, script = render_job(job), job.out / BATCH_FILE
    if script.exists() and script.read_text(encoding="utf-8", errors="replace") != text:
        raise ConfigError(
            f"{str(script)!r} has another text: submit it with `sbatch`, or delete it to have it "
            "rewritten"
        )
    (job.out / LOGS_FOLDER).mkdir(exist_ok=True)
    try:
        done = subprocess.run(  # noqa: S603 - the site's sbatch, without a shell
            [program, "--parsable"],
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SBATCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(
            f"sbatch gave no answer within {_SBATCH_SECONDS:g} s; check with `squeue --me` "
            "whether the job exists before you submit it again"
        ) from None
    if done.returncode:
        raise ConfigError(f"sbatch refuses the job: {_last_line(done.stderr)}")
    # With several clusters it is written NUMBER;CLUSTER.
    number = _last_line(done.stdout).partition(";")[0]
    try:
        script.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"job {number} is submitted, but {str(script)!r} cannot be written: {error.strerror}"
        ) from error
    return number


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it printed nothing"


def _check_time(text: str) -> None:
    found = _TIME.fullmatch(text)
    if found is None:
        raise ConfigError(f"the time must be [DAYS-]HH:MM:SS, as 02:00:00; got {text[:40]!r}")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if total <= _MIN_SECONDS:
        raise ConfigError(
            f"Slurm can stop a task up to {_MIN_SECONDS} s before its time ends, so its time "
            f"must be longer; got {text!r}"
        )


def _check_text(what: str, text: str) -> None:
    if not text.isprintable():
        raise ConfigError(f"{what} must be printable text of one line, got {text[:80]!r}")


def _check_setup(text: str) -> None:
    wrong = next((one for one in text if one not in "\n\t" and ord(one) < ord(" ")), None)
    if wrong is not None:
        raise ConfigError(f"the set-up file contains {wrong!r}; wanted text with Unix line ends")
