"""Command line of the parity check: same tokens and log-probabilities on both sides.

    python -m serving.yi_vl.parity [--quick] [--json] [--dtype float32|bfloat16|both]
        [--keep DIR] [--parallel N]

Writes a tiny random checkpoint in each layout and lets both sides continue twenty prompts with no
picture, one and two. `serving.yi_vl.parity.comparison` documents the limits. Exit status: 0 if all
comparisons pass, 1 if one fails (also if leaving out the projector's LayerNorms makes no
difference), 2 if the check cannot run.
"""

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.console import Console
from rich.table import Table

from serving.errors import EngineError
from serving.standin.standin_cache import SHIM
from serving.yi_vl.parity.parity_spec import LAYOUTS, ParitySpec

_REQUIRED: Final = ("torch", "transformers", "vllm")
_DTYPES: Final[Mapping[str, Sequence[str]]] = {
    "float32": ("float32",),
    "bfloat16": ("bfloat16",),
    "both": ("float32", "bfloat16"),
}
_FAILED: Final = 1
_USAGE_ERROR: Final = 2
_INTERRUPTED: Final = 130
_LAST_LINES: Final = 15
"""Lines of a log that an error shows."""
_CAUSE: Final = re.compile(r"\b[A-Z]\w*Error: ")
_WIDTH: Final = 132
"""Columns of the table where the output is not a terminal."""


class _Parser(argparse.ArgumentParser):
    """Parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(_USAGE_ERROR, f"{message}; see --help\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run the parity check of the command line; return the exit status."""
    args = _parse(words)
    if absent := [name for name in _REQUIRED if importlib.util.find_spec(name) is None]:
        sys.stderr.write(f"{' and '.join(absent)} not installed; install the engine first\n")
        return _USAGE_ERROR
    try:
        with tempfile.TemporaryDirectory(prefix="yi-vl-parity-") as scratch:
            folder = args.keep or Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            rows = run_checks(_build_specs(args, folder))
    except OSError as error:
        sys.stderr.write(f"the parity check cannot run: {error}\n")
        return _USAGE_ERROR
    except KeyboardInterrupt:
        return _INTERRUPTED
    except EngineError as error:
        sys.stderr.write(f"{error}\n")
        return _FAILED
    if args.json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
    else:
        _print_table(rows, args.parallel)
    return 0 if all(row["passed"] for row in rows) else _FAILED


def run_checks(specs: Sequence[ParitySpec]) -> list[dict[str, Any]]:
    """Run both sides of each spec and compare them; return the table's rows as dicts.

    Raises `EngineError` with the last lines of a side's log if it fails.
    """
    # Importing torch takes seconds; a usage error must not wait for it.
    from serving.yi_vl.parity.comparison import compare_results  # noqa: PLC0415

    folder = Path(specs[0].folder)
    _run_child("reference_run", specs, folder / "reference.log")
    _run_child("engine_run", specs, folder / "engine.log")
    return [row.as_dict() for spec in specs for row in compare_results(spec)]


def _parse(words: Sequence[str] | None) -> Any:
    parser = _Parser(
        prog="python -m serving.yi_vl.parity",
        description="Compare Yi-VL on vLLM with a reference in plain transformers.",
    )
    parser.add_argument("--quick", action="store_true", help="six prompts; float32 by default")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    parser.add_argument("--dtype", choices=tuple(_DTYPES))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep checkpoints and logs here")
    parser.add_argument("--parallel", type=int, default=1, metavar="N", help="processes per model")
    args = parser.parse_args(words)
    if args.parallel < 1:
        parser.error(f"argument --parallel: expected 1 or more, got {args.parallel}")
    return args


def _build_specs(args: Any, folder: Path) -> list[ParitySpec]:
    dtypes: Any = _DTYPES[args.dtype or ("float32" if args.quick else "both")]
    return [
        ParitySpec(
            folder=str(folder),
            layout=layout,
            dtype=dtype,
            quick=args.quick,
            parallel=args.parallel,
        )
        for layout in LAYOUTS
        for dtype in dtypes
    ]


def _run_child(module: str, specs: Sequence[ParitySpec], log: Path) -> None:
    """Run one side in a child process; its output goes to `log`."""
    texts = [spec.to_json() for spec in specs]
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", f"serving.yi_vl.parity.{module}", *texts],
            env=_environment(specs[0].parallel),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        # The engine's own process logs the cause long before its parent reports the end.
        cause = [line for line in lines[:-_LAST_LINES] if _CAUSE.search(line)][:1]
        shown = "\n  ".join((*cause, *lines[-_LAST_LINES:]))
        raise EngineError(f"{module} ended with status {done.returncode}; its log ends:\n  {shown}")


def _environment(parallel: int) -> dict[str, str]:
    others = os.environ.get("PYTHONPATH")
    path = [str(SHIM), str(SHIM.parent.parent), *([others] if others else [])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path),
        "CUDA_VISIBLE_DEVICES": "",
        "HF_HUB_OFFLINE": "1",
        "TORCHDYNAMO_DISABLE": "1",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_HOST_IP": "127.0.0.1",
        "VLLM_NO_USAGE_STATS": "1",
        **_process_variables(parallel),
    }


def _process_variables(parallel: int) -> dict[str, str]:
    """Return the variables that place the engine's processes."""
    if parallel == 1:
        # Without a process of its own the engine starts in half the time.
        return {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
    # By default vLLM requires a NUMA node for each process.
    cores = [str(core) for core in sorted(os.sched_getaffinity(0))]
    bound = (cores[rank::parallel] or cores for rank in range(parallel))
    return {"VLLM_CPU_OMP_THREADS_BIND": "|".join(",".join(own) for own in bound)}


def _print_table(rows: Sequence[Mapping[str, Any]], parallel: int) -> None:
    shared = f", shared by {parallel} processes," if parallel > 1 else ""
    table = Table(
        title=f"Yi-VL: the plugin on vLLM{shared} against plain transformers",
        caption="Δ: of log-probabilities, every token at every step. bfloat16: at most twice the "
        "rounding error of the reference, and another token only at a near tie",
    )
    for heading in ("layout", "dtype", "compared"):
        table.add_column(heading)
    for heading in ("prompts", "pictures", "same tokens", "max |Δ|", "mean |Δ|"):
        table.add_column(heading, justify="right")
    table.add_column("limit")
    table.add_column("")
    for number, row in enumerate(rows):
        first = number == 0 or row["what"] == rows[0]["what"]
        if first and number:
            table.add_section()
        table.add_row(
            *((row["layout"], row["dtype"]) if first else ("", "")),
            row["what"],
            *(str(row[name]) for name in ("prompts", "pictures")),
            f"{row['same']}/{row['prompts']}",
            *("" if row[name] is None else f"{row[name]:.2e}" for name in ("largest", "mean")),
            row["bound"],
            "ok" if row["passed"] else "FAILS",
        )
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    console.print(table)
