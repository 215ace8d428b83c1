"""The commands `arena models`, `arena doctor` and `arena serve`."""

import asyncio
import os
import shlex
import signal
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

from serving.commands.command_output import AsJson, print_line, print_object, report_errors
from serving.commands.consent_options import engine_consent_options
from serving.commands.fetch_consent import prepare_models
from serving.errors import ServingError
from serving.host.doctor import HostFinding, diagnose
from serving.host.hardware import Hardware, detect
from serving.host.host_facts import collect_host_facts
from serving.host.memory_plan import FitResult, check_fit, plan_one
from serving.model_files.profile import Profile, load_profiles
from serving.model_files.weights import Weights, find_weights, models_folder
from serving.offline.offline_check import check_offline
from serving.process.model_server import serve_model
from serving.resolution.name_resolution import resolve_here

_PIPED_WIDTH = 160
_STATE_STYLE = {"ok": "green", "warn": "yellow", "fail": "bold red"}
_WEIGHTS_LABELS = {
    "folder": "here",
    "cache": "here",
    "bundled": "bundled",
    "hub": "hub",
    "none": "no",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    from_width: int = 0
    whole: bool = True
    justify: JustifyMethod = "left"


_COLUMNS = {
    "profile": _Column(),
    "hub id": _Column(from_width=110, whole=False),
    "GiB": _Column(from_width=60, justify="right"),
    "KV/token": _Column(from_width=110, justify="right"),
    "licence": _Column(from_width=140, whole=False),
    "weights": _Column(from_width=60),
    "fits here": _Column(whole=False),
}
"""The columns of `arena models`, each with the terminal width from which it is shown."""


def add_commands(app: typer.Typer) -> None:
    """Register this module's commands with the arena's command line."""
    app.command("models")(models_command)
    app.command("doctor")(doctor_command)
    app.command("serve")(serve_command)


def models_command(as_json: AsJson = False) -> None:
    """List the model profiles, whether they fit this host, and why.

    Any other vision-language model of the hub that vLLM serves has the name hf:ORG/NAME.
    """
    with report_errors():
        hardware = detect()
        folder = models_folder(os.environ)
        rows = [
            (profile, check_fit(profile, hardware), find_weights(profile, folder))
            for profile in load_profiles().values()
        ]
    if as_json:
        for profile, fitting, weights in rows:
            print_object(_model_object(profile, fitting, weights))
        return
    console = _console()
    console.print(_describe_host_line(hardware), highlight=False)
    console.print(_models_table(rows, console.width))
    console.print(
        "GiB: of weights; KV/token: bytes of keys and values in the cache. Both are computed from "
        "published configurations. fits: capacity in seats late in a long match.",
        style="dim",
        highlight=False,
    )


def doctor_command(
    runs: Annotated[Path, typer.Option(help="The folder for runs.")] = Path("runs"),
    offline: Annotated[
        bool, typer.Option("--offline", help="Play a match with the network cut off instead.")
    ] = False,
    engine: Annotated[
        bool, typer.Option("--engine", help="With --offline: also a match of the stand-in on vLLM.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check GPU, driver, engine, weights, ports, disk and memory, and suggest fixes."""
    with report_errors():
        if engine and not offline:
            raise ServingError("--engine needs --offline; give both or neither")
        findings = check_offline(engine=engine) if offline else diagnose(collect_host_facts(runs))
    if as_json:
        for finding in findings:
            print_object(asdict(finding))
    else:
        _console().print(_findings_table(findings))
    if any(finding.state == "fail" for finding in findings):
        raise typer.Exit(1)


@engine_consent_options
def serve_command(
    profile: Annotated[
        str, typer.Argument(help="A profile or alias (see `arena models`), or hf:ORG/NAME.")
    ],
    port: Annotated[int, typer.Option(help="0: a free port.", min=0, max=65535)] = 0,
    share: Annotated[float, typer.Option(help="Part of the memory.", min=0.05, max=1.0)] = 1.0,
    dummy_weights: Annotated[bool, typer.Option("--dummy-weights", help="Random weights.")] = False,
) -> None:
    """Serve one model on loopback until Ctrl-C."""
    with report_errors():
        if not dummy_weights:
            prepare_models([profile], Path.cwd(), may_ask=True)
        hardware = detect()
        chosen, weights = _choose(profile, hardware, share, dummy_weights)
        try:
            asyncio.run(_serve(chosen, hardware, weights, share, port))
        except (KeyboardInterrupt, asyncio.CancelledError):
            print_line("stopped")


async def _serve(
    profile: Profile, hardware: Hardware, weights: Weights, share: float, port: int
) -> None:
    planned = plan_one(profile, hardware, share)
    _stop_at_signals()
    async with serve_model(
        profile,
        hardware=hardware,
        weights=weights,
        share=planned,
        port=port or None,
        share_with_others=True,
        say=print_line,
    ) as server:
        served = server.served
        print_line(f"{served.model} is served at {served.url}; Ctrl-C ends it")
        if served.key_file:
            print_line(_describe_key_use(served.url, served.key_file))
        await server.wait()


def _stop_at_signals() -> None:
    """Let termination signals stop the server cleanly, as Ctrl-C does."""
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # ignored under nohup
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)


def _describe_key_use(url: str, key_file: Path) -> str:
    # The key goes through a pipe: other users can read a program's arguments.
    file = shlex.quote(str(key_file))
    return (
        f"its key is in {file}, where `arena match` finds it; for other programs: "
        f"printf 'Authorization: Bearer %s' \"$(cat {file})\" | curl -H @- {url}/models"
    )


def _choose(name: str, hardware: Hardware, share: float, dummy: bool) -> tuple[Profile, Weights]:
    resolved = resolve_here(name, hardware, share=share, dummy=dummy)
    if resolved.profile is None or resolved.weights is None:
        raise ServingError(f"there is nothing to start: {resolved.why}")
    print_line(resolved.why)
    return resolved.profile, resolved.weights


def _models_table(rows: list[tuple[Profile, FitResult, Weights]], width: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name, wanted in _COLUMNS.items():
        if width >= wanted.from_width:
            table.add_column(name, justify=wanted.justify, no_wrap=wanted.whole, overflow="fold")
    for profile, fitting, weights in rows:
        said = {
            "profile": profile.name,
            "hub id": profile.hub_id or "-",
            "GiB": f"{profile.weights_gib.value:.1f}",
            "KV/token": f"{profile.kv_bytes_per_token.value:,.0f}",
            "licence": profile.licence,
            "weights": _weights_label(profile, weights),
            "fits here": _format_fit(fitting),
        }
        table.add_row(*(said[name] for name in said if width >= _COLUMNS[name].from_width))
    return table


def _format_fit(fitting: FitResult) -> str:
    mark = "[green]yes[/]" if fitting.ok else "[red]no[/]"
    return f"{mark}: {escape(fitting.why)}"


def _weights_label(profile: Profile, weights: Weights) -> str:
    if profile.stand_in:
        return "built here"
    return "broken" if weights.broken and not weights.local else _WEIGHTS_LABELS[weights.origin]


def _findings_table(findings: tuple[HostFinding, ...]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for finding in findings:
        state = f"[{_STATE_STYLE[finding.state]}]{finding.state}[/]"
        table.add_row(state, finding.what, escape(finding.detail))
        if finding.do:
            table.add_row("", "", f"[dim]do:[/] {escape(finding.do)}")
    return table


def _describe_host_line(hardware: Hardware) -> str:
    engine = hardware.engine or "none"
    gpus = ", ".join(f"{gpu.name} ({gpu.total_gib:.0f} GiB)" for gpu in hardware.gpus)
    memory = f"{hardware.free_memory_gib:.0f} of {hardware.memory_gib:.0f} GiB of memory free"
    return (
        f"this host: {gpus or f'no GPU ({hardware.no_gpu})'}; {hardware.cores} cores; {memory}; "
        f"engine: {f'vLLM {hardware.engine_version}, {engine}' if hardware.engine else engine}"
    )


def _model_object(profile: Profile, fitting: FitResult, weights: Weights) -> dict[str, Any]:
    return {
        "profile": profile.name,
        "aliases": list(profile.aliases),
        "family": profile.family,
        "hub_id": profile.hub_id,
        "licence": profile.licence,
        "parameters_b": profile.parameters_b,
        "weights_gib": asdict(profile.weights_gib),
        "kv_bytes_per_token": asdict(profile.kv_bytes_per_token),
        "context_tokens": profile.context_tokens,
        "serve_tokens": profile.serve_tokens,
        "stand_in": profile.stand_in,
        "bundled": profile.bundled,
        "plugin": profile.plugin,
        "fits": fitting.ok,
        "fit": asdict(fitting),
        "weights": asdict(weights),
    }


def _console() -> Console:
    # Piped output is not cut to a terminal width, which is unknown.
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if narrow else _PIPED_WIDTH)
