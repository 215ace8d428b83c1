"""Store the judgements of a run: in a folder next to it, so that judging never changes a record."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.errors import RecordError
from arena.records.record_files import atomic_write, check_dir, read_jsonl
from eval.judges.verdicts import CODEC, JudgeVerdict
from eval.metrics.judgements import Judgement
from eval.played_match import PlayedMatch
from scripts_mm.safe_io import error_reason

JUDGEMENTS: Final = "judgements.jsonl"
_ENDING: Final = ".judgements"


def judgements_folder(run: Path) -> Path:
    """Return the folder of a run's judgements: next to it, with its name and a suffix."""
    whole = run.resolve()
    return whole.with_name(f"{whole.name}{_ENDING}")


def make_folder(folder: Path, run: Path) -> Path:
    """Create the folder of judgements; raises `RecordError` if it is in the run or that fails."""
    if folder.resolve().is_relative_to(run.resolve()):
        raise RecordError(f"{str(folder)!r} is in the run; judgements never change a record")
    try:
        check_dir(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"cannot create {str(folder)!r}: {error_reason(error)}") from error
    return folder


def read_verdicts(folder: Path) -> tuple[JudgeVerdict, ...]:
    """Return all judgements of a folder, including repeats; empty without a file."""
    return read_jsonl(folder / JUDGEMENTS, CODEC.decode)


def write_verdicts(folder: Path, verdicts: Iterable[JudgeVerdict]) -> None:
    """Write judgements; they replace those of the same judge, task and repeat."""
    kept = {_key(one): one for one in read_verdicts(folder)}
    kept |= {_key(one): one for one in verdicts}
    text = "".join(f"{CODEC.encode(one)}\n" for one in kept.values())
    atomic_write(folder / JUDGEMENTS, text)


def read_judgements(folder: Path) -> Mapping[str, Sequence[Judgement]]:
    """Return the scored judgements by match, without repeats."""
    found: dict[str, list[Judgement]] = defaultdict(list)
    for one in read_verdicts(folder):
        if not one.repeat:
            found[one.match].append(one.as_judgement())
    return found


def judgement_reader(run: Path) -> Callable[[PlayedMatch], Sequence[Judgement]]:
    """Return a function from a match of `run` to its judgements."""
    found = read_judgements(judgements_folder(run))
    return lambda match: found.get(match.id, ())


def _key(one: JudgeVerdict) -> tuple[str, ...]:
    return (one.judge, one.match, one.metric, one.seat, one.about, str(one.repeat))
