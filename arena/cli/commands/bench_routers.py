"""`arena bench routers`: admission control compared with a router before the same servers."""

import sys
from typing import Annotated

import typer

from arena.bench.comparison_report import as_objects
from arena.bench.number_checks import check_count
from arena.bench.router_comparison import ROUTER_ARMS, compare_routers, make_router_run
from arena.cli.commands.arguments import AsJson
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.rendering.bench_table import bench_table
from arena.view.sanitize import sanitize_line

_MAX_REPLICAS = 16
_MAX_MATCHES = 1000
_MAX_REPEATS = 100


def add_command(bench: typer.Typer) -> None:
    """Register the command of this file."""
    bench.command("routers")(routers_command)


def routers_command(
    router: Annotated[
        str, typer.Option(help="The router: a program with the flags of vllm-router.")
    ] = "vllm-router",
    replicas: Annotated[int, typer.Option(help="Simulated servers.")] = 1,
    matches: Annotated[int, typer.Option("--matches", "-n", help="Matches for each server.")] = 24,
    repeat: Annotated[int, typer.Option(help="Repetitions of every arm.")] = 3,
    arms: Annotated[
        list[str] | None,
        typer.Option(help="Only these arms, as ours,router_sticky; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play all matches concurrently through a router, and with admission control without one.

    On simulated servers with a small KV cache, in real time.
    """
    check_count("--replicas", replicas, most=_MAX_REPLICAS)
    check_count("--matches", matches, most=_MAX_MATCHES)
    check_count("--repeat", repeat, most=_MAX_REPEATS)
    shown, run = open_consoles(), make_router_run(replicas, matches)
    with shown.err.status("starting") as status:
        compared = compare_routers(
            run,
            [name.strip() for word in arms or () for name in word.split(",")],
            router,
            repeat=repeat,
            say=lambda line: status.update(sanitize_line(line)),
        )
    chosen = {name: one.arm for name, one in ROUTER_ARMS.items()}
    if as_json:
        out = JsonOut(sys.stdout)
        for one in as_objects(compared, chosen):
            out.write(one)
        return
    shown.out.print(bench_table(compared, shown.out.width, chosen))
