"""Compare the plugin on vLLM with the reference: same tokens, same log-probabilities.

    python -m serving.yi_vl.parity [--quick] [--json] [--dtype float32|bfloat16|both]
        [--keep DIR] [--parallel N]

Makes a tiny random checkpoint in each layout and lets both sides continue twenty prompts with no
picture, one and two. What is near enough is told in `serving.yi_vl.parity.measure`. Exit status: 0
where all is, 1 where something is not (also where leaving out the projector's LayerNorms makes no
difference), 2 where it cannot be tried.
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
from serving.standin.cache import SHIM
from serving.yi_vl.parity.job import LAYOUTS, Job

_NEEDED: Final = ("torch", "transformers", "vllm")
_DTYPES: Final[Mapping[str, Sequence[str]]] = {
    "float32": ("float32",),
    "bfloat16": ("bfloat16",),
    "both": ("float32", "bfloat16"),
}
_FAILED: Final = 1
_TROUBLE: Final = 2
_INTERRUPTED: Final = 130
_LAST_LINES: Final = 15
_CAUSE: Final = re.compile(r"\b[A-Z]\w*Error: ")
_WIDTH: Final = 132


class _Parser(argparse.ArgumentParser):
    """Says in one line what it does not understand."""

    def error(self, message: str) -> NoReturn:
        self.exit(_TROUBLE, f"{message}; --help tells what there is\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit status."""
    asked = _parse(words)
    if absent := [name for name in _NEEDED if importlib.util.find_spec(name) is None]:
        sys.stderr.write(f"no {' and no '.join(absent)} here; install the engine first\n")
        return _TROUBLE
    try:
        with tempfile.TemporaryDirectory(prefix="yi-vl-parity-") as scratch:
            folder = asked.keep or Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            rows = run(_jobs(asked, folder))
    except OSError as error:
        sys.stderr.write(f"parity cannot be tried: {error}\n")
        return _TROUBLE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except EngineError as error:
        sys.stderr.write(f"{error}\n")
        return _FAILED
    if asked.json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
    else:
        _show(rows, asked.parallel)
    return 0 if all(row["passed"] for row in rows) else _FAILED


def run(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Run both sides of each job and compare them; returns the rows of the table as dicts.

    Raises `EngineError` with the last lines of what a side has said where it fails.
    """
    # Importing torch takes seconds, which bad use need not wait for.
    from serving.yi_vl.parity.measure import measure  # noqa: PLC0415

    folder = Path(jobs[0].folder)
    _child("reference_job", jobs, folder / "reference.log")
    _child("engine", jobs, folder / "engine.log")
    return [row.as_dict() for job in jobs for row in measure(job)]


def _parse(words: Sequence[str] | None) -> Any:
    parser = _Parser(
        prog="python -m serving.yi_vl.parity",
        description="Compare Yi-VL on vLLM with a reference in plain transformers.",
    )
    parser.add_argument("--quick", action="store_true", help="six prompts; float32 unless said")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    parser.add_argument("--dtype", choices=tuple(_DTYPES))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave checkpoints and logs here")
    parser.add_argument("--parallel", type=int, default=1, metavar="N", help="processes a model")
    asked = parser.parse_args(words)
    if asked.parallel < 1:
        parser.error(f"argument --parallel: wanted 1 or more, got {asked.parallel}")
    return asked


def _jobs(asked: Any, folder: Path) -> list[Job]:
    dtypes: Any = _DTYPES[asked.dtype or ("float32" if asked.quick else "both")]
    return [
        Job(
            folder=str(folder),
            layout=layout,
            dtype=dtype,
            quick=asked.quick,
            parallel=asked.parallel,
        )
        for layout in LAYOUTS
        for dtype in dtypes
    ]


def _child(program: str, jobs: Sequence[Job], log: Path) -> None:
    """Run one side in a process of its own, which says all it says to `log`."""
    orders = [job.to_json() for job in jobs]
    with log.open("w", encoding="utf-8") as words:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", f"serving.yi_vl.parity.{program}", *orders],
            env=_environment(jobs[0].parallel),
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        said = log.read_text(encoding="utf-8", errors="replace").splitlines()
        # The engine's own process says why it ended, long before ours says that it did.
        first = [line for line in said[:-_LAST_LINES] if _CAUSE.search(line)][:1]
        last = "\n  ".join((*first, *said[-_LAST_LINES:]))
        raise EngineError(f"{program} ended with status {done.returncode}; it last said:\n  {last}")


def _environment(parallel: int) -> dict[str, str]:
    others = os.environ.get("PYTHONPATH")
    path = [str(SHIM), str(SHIM.parent.parent), *([others] if others else [])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path),
        "CUDA_VISIBLE_DEVICES": "",
        "HF_HUB_OFFLINE": "1",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_HOST_IP": "127.0.0.1",
        "VLLM_NO_USAGE_STATS": "1",
        **_processes(parallel),
    }


def _processes(parallel: int) -> dict[str, str]:
    """Return what the engine is told about its processes."""
    if parallel == 1:
        # In one process with its caller it starts in half the time.
        return {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
    # By itself it wants a NUMA node for each process.
    cores = [str(core) for core in sorted(os.sched_getaffinity(0))]
    bound = (cores[rank::parallel] or cores for rank in range(parallel))
    return {"VLLM_CPU_OMP_THREADS_BIND": "|".join(",".join(own) for own in bound)}


def _show(rows: Sequence[Mapping[str, Any]], parallel: int) -> None:
    shared = f", shared by {parallel} processes," if parallel > 1 else ""
    table = Table(
        title=f"Yi-VL: the plugin on vLLM{shared} against plain transformers",
        caption="Δ: of log-probabilities, every token at every step. bfloat16: at most twice the "
        "rounding of the reference itself, and another token only at a near tie",
    )
    for heading in ("layout", "dtype", "compared"):
        table.add_column(heading)
    for heading in ("prompts", "pictures", "same tokens", "max |Δ|", "mean |Δ|"):
        table.add_column(heading, justify="right")
    table.add_column("wanted")
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
