"""Steps of a long check: each has a time limit and its own result file, written continuously.

A file exists from the beginning of its step and grows with the results, so that if the machine is
taken away in the middle, all measurements until then remain.
"""

import asyncio
import json
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from arena.errors import ArenaError, ConfigError
from arena.records.record_files import atomic_write
from serving.errors import ServingError, first_error
from serving.host.hardware import Hardware

FORMAT_VERSION: Final = 1
"""Format of the files; incremented when a key changes its meaning."""
SUMMARY: Final = "summary.json"
StepState = Literal["running", "done", "cut", "skipped", "failed"]
"""`running`: interrupted or in progress; `cut`: stopped by its time limit, its results are partial;
`skipped`: not applicable on this host; `why` says more.
"""
_RESULTS: Final = frozenset({"done", "cut", "skipped"})
LogLine = Callable[[str], None]
Document = Mapping[str, Any]


class _StepFile(BaseModel):
    """Required fields of a step's file; it has others too."""

    model_config = ConfigDict(extra="allow", strict=True)

    format: Literal[1]
    step: str
    rehearsal: bool
    state: StepState
    why: str
    headline: str
    results: dict[str, Any]


class StepSkipped(Exception):  # noqa: N818 - it is not an error
    """A step is not applicable here; the text says why."""


@dataclass(slots=True, kw_only=True)
class StepContext:
    """Context of a step: its settings and its results."""

    hardware: Hardware
    rehearsal: bool
    say: LogLine
    deadline: float
    """Time of `time.monotonic` at which the step is cut."""
    path: Path
    document: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def seconds_left(self) -> float:
        """Return the seconds until the step is cut."""
        return max(0.0, self.deadline - time.monotonic())

    def add_results(self, **results: object) -> None:
        """Add results, and write them."""
        self.document["results"].update(results)
        self._write()

    def set_headline(self, headline: str) -> None:
        """Set the summary line of the step."""
        self.document["headline"] = headline
        self._write()

    def set_state(self, state: StepState, why: str = "") -> None:
        """Set the state, and write everything."""
        self.document |= {"state": state, "why": why}
        self._write()

    def _write(self) -> None:
        began = self.document["began"]
        self.document["seconds"] = round(time.time() - began, 1)
        write_document(self.path, self.document)


class CheckStep(NamedTuple):
    """One step of a check."""

    name: str
    about: str
    run: Callable[[StepContext], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSettings:
    """Settings of all steps, and the common contents of their files."""

    folder: Path
    limit: float
    """Seconds after which a step is cut; the end of its engine adds to this."""
    hardware: Hardware
    rehearsal: bool
    command: str
    versions: Document
    say: LogLine
    notice: str = ""
    """A line to say before the first step."""


async def run_steps(
    steps: Sequence[CheckStep], check: CheckSettings, chosen: Sequence[str] = ()
) -> list[Document]:
    """Run the steps without a result, or those named `chosen`; return the documents of all steps.

    A step that fails does not stop the others. Raises `ConfigError` for an unknown step and for a
    folder with results of another kind of run, `RecordError` if nothing can be written.
    """
    known = {step.name: step for step in steps}
    for name in chosen:
        if name not in known:
            raise ConfigError(f"no step {name!r}; there are: {', '.join(known)}")
    _check_folder(steps, check)
    if check.notice:
        check.say(check.notice)
    for step in steps:
        found = read_document(check.folder, step.name)
        if step.name in chosen or (not chosen and found.get("state") not in _RESULTS):
            await _run(step, check)
            _write_summary(steps, check)
        elif found and not chosen:
            check.say(f"{step.name}: {found['state']} before")
    return _write_summary(steps, check)


def read_document(folder: Path, name: str) -> dict[str, Any]:
    """Return the document of a step; empty if there is no readable one of this format."""
    try:
        text = (folder / f"{name}.json").read_text(encoding="utf-8")
        found = _StepFile.model_validate_json(text)
    except (OSError, ValueError):
        return {}
    return found.model_dump() if found.step == name else {}


def write_document(path: Path, document: Document) -> None:
    """Replace the file at `path`, or raise `RecordError`."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    atomic_write(path, f"{text}\n")


async def _run(step: CheckStep, check: CheckSettings) -> None:
    check.say(f"{step.name}: {step.about}")
    work = StepContext(
        hardware=check.hardware,
        rehearsal=check.rehearsal,
        say=lambda line: check.say(f"{step.name}: {line}"),
        deadline=time.monotonic() + check.limit,
        path=check.folder / f"{step.name}.json",
        document={
            "format": FORMAT_VERSION,
            "step": step.name,
            "about": step.about,
            "rehearsal": check.rehearsal,
            "state": "running",
            "why": "",
            "headline": "",
            "command": check.command,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "began": time.time(),
            "limit_seconds": check.limit,
            **check.versions,
            "results": {},
        },
    )
    work.set_state("running", "interrupted, or in progress")
    limit = asyncio.timeout(check.limit)
    try:
        async with limit:
            await step.run(work)
    except Exception as raised:  # noqa: BLE001 - a step that fails must not stop the others
        error = first_error(raised)
        if isinstance(error, StepSkipped):
            work.set_state("skipped", str(error))
        elif limit.expired():
            work.set_state(
                "cut", f"did not finish within {check.limit:.0f} s; its results until then count"
            )
        else:
            if not isinstance(error, ArenaError | ServingError):
                work.add_results(traceback="".join(traceback.format_exception(error)))
            work.set_state("failed", str(error) or type(error).__name__)
    else:
        work.set_state("done")
    check.say(f"{step.name}: {work.document['state']} {work.document['why']}".rstrip())


def _check_folder(steps: Sequence[CheckStep], check: CheckSettings) -> None:
    try:
        check.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"{str(check.folder)!r} should be a folder for results, but: {error.strerror}"
        ) from error
    for step in steps:
        found = read_document(check.folder, step.name)
        if found and bool(found.get("rehearsal")) != check.rehearsal:
            kinds = ("a rehearsal", "a check on a GPU")
            has, is_now = kinds if found.get("rehearsal") else kinds[::-1]
            raise ConfigError(
                f"{str(check.folder)!r} has results of {has}, and this is {is_now}; "
                "name another folder with --out"
            )


def _write_summary(steps: Sequence[CheckStep], check: CheckSettings) -> list[Document]:
    found: list[Document] = [
        one for step in steps if (one := read_document(check.folder, step.name))
    ]
    done = {one["step"] for one in found}
    document = {
        "format": FORMAT_VERSION,
        "rehearsal": check.rehearsal,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "missing": [step.name for step in steps if step.name not in done],
        "steps": found,
    }
    write_document(check.folder / SUMMARY, document)
    return found
