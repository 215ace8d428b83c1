"""`python -m tests.mutation --sample 400 --seed 1`: how many faults in the rules the tests notice.

Changes the source in memory only, and runs the tests of its room on each change.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType

from eval.stats.confidence_intervals import wilson
from tests.mutation.forks import Verdict
from tests.mutation.mutations import Mutant, find_mutants
from tests.mutation.room import try_room

ROOMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "arena/core": ("tests/arena/core",),
        "arena/games": ("tests/arena/games", "tests/arena/run/test_playthroughs.py"),
        "arena/schedule": ("tests/arena/schedule",),
        "arena/records": ("tests/arena/records",),
    }
)
"""The source that is changed, and the tests that are to notice."""


def main() -> int:
    """Try a sample of each room and print the table."""
    words = _parser().parse_args()
    rooms = words.room or list(ROOMS)
    results: dict[str, list[tuple[Mutant, Verdict]]] = {}
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = name
        for room in rooms:
            mutants = draw_sample(room, words.sample // len(ROOMS), words.seed)
            verdicts = try_room(ROOMS[room], mutants, words.processes, Path(name))
            results[room] = [(one, verdicts[n]) for n, one in enumerate(mutants)]
            sys.stderr.write(f"{room}: {len(mutants)} mutants\n")
    _print(results, words.seed)
    return 0


def draw_sample(room: str, count: int, seed: int) -> tuple[Mutant, ...]:
    """Return `count` mutants of a room, drawn without repetition, in the order of the source."""
    found = [one for path in sorted(Path(room).rglob("*.py")) for one in find_mutants(path)]
    drawn = Random(f"{seed}:{room}").sample(found, min(count, len(found)))
    return tuple(sorted(drawn, key=lambda one: (one.path, one.index)))


def _print(results: Mapping[str, Sequence[tuple[Mutant, Verdict]]], seed: int) -> None:
    """Print the table and the survivors as Markdown."""
    write = sys.stdout.write
    write(f"Seed {seed}.\n\n| source | mutants | killed | timed out | survived | score |\n")
    write("|---|---|---|---|---|---|\n")
    for room, found in results.items():
        write(_row(room, [verdict for _, verdict in found]))
    write(_row("all", [verdict for found in results.values() for _, verdict in found]))
    write("\n")
    for mutant, verdict in (pair for found in results.values() for pair in found):
        if verdict == "survived":
            change = f"`{mutant.before}` -> `{mutant.after or 'nothing'}`"
            write(f"- {mutant.path}:{mutant.line}: {change}\n")


def _row(name: str, verdicts: Sequence[Verdict]) -> str:
    killed, late = verdicts.count("killed"), verdicts.count("timed out")
    noticed, total = killed + late, len(verdicts)
    interval = wilson(noticed, total)
    score = f"{noticed / max(total, 1):.3f} ({interval.low:.3f} to {interval.high:.3f})"
    return f"| {name} | {total} | {killed} | {late} | {total - noticed} | {score} |\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    add = parser.add_argument
    add("--sample", type=int, default=240, help="mutants, shared equally by the rooms")
    add("--seed", type=int, default=1)
    add("--processes", type=int, default=2, help="mutants at the same time")
    add("--room", action="append", choices=list(ROOMS), help="only this one; may be repeated")
    return parser


if __name__ == "__main__":
    sys.exit(main())
