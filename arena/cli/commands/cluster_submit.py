"""`arena cluster submit`: a tournament as a Slurm array."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import AsJson, parse_folder
from arena.cli.console.json_out import JsonOut
from arena.cluster.shards import count_blocks, describe_surplus
from arena.cluster.slurm import SlurmJob, render_job, submit_job
from arena.cluster.worker_lease import read_shard_count
from arena.errors import ConfigError
from arena.tournament.folder import open_tournament
from arena.view.sanitize import sanitize_line


def submit_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    out: Annotated[Path, typer.Argument(help="The tournament's folder, which all nodes share.")],
    nodes: Annotated[int, typer.Option(help="Nodes in use simultaneously: one per task.")],
    gpus_per_node: Annotated[int, typer.Option(help="GPUs of each node; 0: none.")],
    time: Annotated[str, typer.Option(help="Maximum time of a task: [DAYS-]HH:MM:SS.")],
    shards: Annotated[
        int | None,
        typer.Option(
            help="Parts of the tournament: tasks of the array [default: as before; at first one "
            "per node, and at most the number of blocks]."
        ),
    ] = None,
    cpus_per_task: Annotated[
        int | None, typer.Option(help="CPU cores of a task [default: the site's].")
    ] = None,
    partition: Annotated[str, typer.Option(help="[default: the site's]")] = "",
    account: Annotated[str, typer.Option(help="[default: yours]")] = "",
    setup: Annotated[
        Path | None,
        typer.Option(help="A file with more #SBATCH lines, and commands such as `module load`."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the batch script; write and submit nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Submit a Slurm array: one task per shard, requeued until its matches are played."""
    blocks = count_blocks(open_tournament(parse_folder(out)).runs)
    if shards is None:
        shards = read_shard_count(out) or max(1, min(nodes, blocks))
    job = SlurmJob(
        out=out,
        shards=shards,
        nodes=nodes,
        gpus_per_node=gpus_per_node,
        time=time,
        cpus_per_task=cpus_per_task,
        partition=partition,
        account=account,
        setup="" if setup is None else _read_setup(setup),
    )
    if surplus := describe_surplus(shards, blocks):
        typer.echo(surplus, err=True)
    if dry_run:
        text = render_job(job)
        if as_json:
            JsonOut(sys.stdout).write({"job": None, "shards": shards, "script": text})
        else:
            typer.echo(text, nl=False)
        return
    number = submit_job(job)
    if as_json:
        JsonOut(sys.stdout).write({"job": number, "shards": shards, "script": None})
        return
    typer.echo(
        sanitize_line(f"job {number}: {shards} tasks, {nodes} concurrent; logs in {job.out}/logs")
    )


def _read_setup(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"the set-up file {str(path)!r} is not a text in UTF-8") from None
    except OSError as error:
        raise ConfigError(
            f"the set-up file {str(path)!r} cannot be read: {error.strerror}"
        ) from None
