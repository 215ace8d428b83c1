"""`arena cluster`: a tournament on many hosts."""

import typer

from arena.cli.commands.cluster_shards import merge_command, status_command, worker_command
from arena.cli.commands.cluster_submit import submit_command


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    group = typer.Typer(no_args_is_help=True, help="A tournament on many hosts.")
    group.command("submit")(submit_command)
    group.command("worker")(worker_command)
    group.command("status")(status_command)
    group.command("merge")(merge_command)
    app.add_typer(group, name="cluster")
