"""Trial: one run of many matches with faults in it, until it is whole again."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Final
from urllib.parse import quote

from arena.errors import ArenaError
from tests.campaign.journal import JournalReader
from tests.campaign.ledger import RequestLedger
from tests.campaign.observed import (
    ObservedMatch,
    Slack,
    find_differences,
    find_index_faults,
    find_repeated_calls,
    find_unreadable,
    observe_run,
)
from tests.campaign.plan import Planned, ProxyPlan
from tests.campaign.processes import Child, Ending, wait_for
from tests.campaign.reference import Reference
from tests.campaign.setups import DEADLINE, SETUPS
from tests.campaign.stage import KEY, Stage

WHOLE, UNFINISHED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""The documented exit statuses."""
SITTING_SECONDS: Final = 180.0
_MOST_SITTINGS: Final = 4
_TRACES: Final = ("Traceback (most recent call last)", "a bug in the arena", "Exception ignored")
_SPARE_MIB: Final = 350
"""What a run with faults may hold beyond the undisturbed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialId:
    """Identity of a trial: with it everything that chance decides can be repeated."""

    kind: str
    seed: int
    faults: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.seed}:{self.faults}"


@dataclass(slots=True, kw_only=True)
class Trial:
    """A run folder on its way through faults, and what was found wrong."""

    id: TrialId
    stage: Stage
    setup_name: str
    reference: Reference
    folder: Path
    chance: Random
    deadline: float = DEADLINE
    program: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict[str, str])
    faults: int = 0
    """Faults that took place."""
    problems: list[str] = field(default_factory=list[str])
    lost_allowed: int = 0
    """Answers that the faults of this sitting may have cost."""
    skipped: str = ""
    """Why this host cannot have the fault; empty: it can."""
    slack: Slack = "none"
    """What may differ from the reference."""

    run: Path = field(init=False)
    journal_path: Path = field(init=False)
    journal: JournalReader = field(init=False)
    ledger: RequestLedger = field(init=False)
    finished: dict[str, ObservedMatch] = field(init=False)
    """Matches that are over; nothing may change them any more."""

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.begin("first")

    def begin(self, name: str) -> None:
        """Begin a run in a folder of its own, with a healthy proxy."""
        self.run = self.folder / name / "run"
        self.run.parent.mkdir()
        self.journal_path = self.run.parent / "journal.jsonl"
        self.journal = JournalReader(self.journal_path)
        self.ledger = RequestLedger(usual=self.reference.usual)
        self.finished = {}
        self.spoil({})

    def spoil(self, spoils: Mapping[str, Planned], **plan: object) -> None:
        """Give the proxy these spoilt answers, and other fields of its plan."""
        self.stage.set_plan(
            ProxyPlan(
                journal=str(self.journal_path),
                deadline=self.deadline,
                spoils=spoils,
                **plan,  # pyright: ignore[reportArgumentType]
            )
        )

    def start(self) -> Child:
        """Begin a sitting: continue the run where there is one, or else start it."""
        setup = SETUPS[self.setup_name]
        if (self.run / "run.json").exists():
            words = setup.resume_words(str(self.run))
        else:
            words = setup.match_words(str(self.run), deadline=self.deadline)
        program = self.program or self.stage.program
        return self.stage.start([*program, *words], "arena", **self.environment)

    def wait_for_calls(self, child: Child, number: int) -> bool:
        """Wait until the server has answered so many requests in all; False: the sitting ended."""
        wait_for(
            lambda: child.ending() is not None or self.journal.count_answered() >= number,
            SITTING_SECONDS,
        )
        return child.ending() is None

    def choose_moment(self, share: float = 1.0) -> int:
        """Return a number of answers in the first `share` of what is still to be asked."""
        answered = self.journal.count_answered()
        left = max(1, self.reference.requests + self.ledger.extra - answered)
        return answered + 1 + int(self.chance.random() * share * left)

    def count_fault(self, *, lost: int = 0) -> None:
        """Count a fault that took place, and what the sitting may lose by it."""
        self.faults += 1
        self.lost_allowed += lost

    def end(self, child: Child, *statuses: int) -> Ending:
        """Wait for the end of a sitting, with one of these statuses, and check what it left."""
        ending = child.wait(SITTING_SECONDS)
        if ending is None:
            self.problems.append(f"{child.name} did not end within {SITTING_SECONDS:g} s")
            ending = child.kill()
            self.lost_allowed += self.reference.most_in_flight
        elif ending.status not in statuses:
            self.problems.append(
                f"exit status {ending.status} instead of {statuses}: {_last_line(ending.stderr)}"
            )
        self.check_sitting(child, ending)
        return ending

    def kill(self, child: Child) -> Ending:
        """Kill the orchestrator now, and check what it left."""
        child.signal(SIGKILL)
        self.lost_allowed += self.reference.most_in_flight
        return self.end(child, -SIGKILL, WHOLE, UNFINISHED)

    def finish(self) -> None:
        """Make everything healthy and continue the run until it is whole."""
        self.stage.restore()
        self.spoil({})
        for _ in range(_MOST_SITTINGS):
            if self.end(self.start(), WHOLE, UNFINISHED).status == WHOLE:
                return
        self.problems.append(f"still not whole after {_MOST_SITTINGS} sittings: {self._errors()}")

    def compare(self) -> None:
        """Compare every match, the index and the files with the undisturbed run."""
        matches = self.observe()
        for name, wanted in self.reference.matches.items():
            found = find_differences(wanted, matches.get(name), slack=self.slack)
            self.problems.extend(f"{name}: {difference}" for difference in found)
        self.check_folder(matches)

    def check_others(self, matches: Mapping[str, ObservedMatch], hit: set[str]) -> None:
        """Check that all matches but those that were `hit` are as in the undisturbed run.

        Those that were hit must be readable to their end.
        """
        for name, wanted in self.reference.matches.items():
            if name not in hit:
                found = find_differences(wanted, matches.get(name))
                self.problems.extend(f"{name} was not hit, but {one}" for one in found)
        self.problems.extend(find_unreadable(self.run, hit & matches.keys()))

    def check_folder(self, matches: Mapping[str, ObservedMatch]) -> None:
        """Check what must hold of any run that is whole."""
        outcomes = {name: found.summary["outcome"] for name, found in matches.items() if found.done}
        self.problems.extend(find_index_faults(self.run, outcomes))
        missing = sorted(self.reference.matches.keys() - matches.keys())
        self.problems.extend(f"{name}: it has no record" for name in missing)

    def observe(self) -> dict[str, ObservedMatch]:
        """Return the records of the matches; one that cannot be read is a problem."""
        try:
            return observe_run(self.run)
        except (ArenaError, ValueError) as error:
            self.problems.append(f"the record cannot be read: {error}")
            return {}

    def check_sitting(self, child: Child, ending: Ending) -> None:
        """Check what must hold after every sitting, whatever happened in it."""
        for trace in _TRACES:
            if trace in ending.stderr or trace in ending.stdout:
                self.problems.append(f"{trace!r} on the screen: {_last_line(ending.stderr)}")
        if ending.memory_mib > self.reference.memory_mib + _SPARE_MIB:
            self.problems.append(
                f"{ending.memory_mib} MiB of memory, {self.reference.memory_mib} undisturbed"
            )
        for other in child.leftover():
            self.problems.append(f"process {other.pid} was left over")
            other.kill()
        self._check_lines(ending)
        self._check_records()
        self._check_key(ending)

    def _check_lines(self, ending: Ending) -> None:
        for line in ending.stdout.splitlines():
            try:
                json.loads(line)
            except ValueError:
                if ending.status >= 0:
                    self.problems.append(f"--json printed {line[:80]!r}")

    def _check_records(self) -> None:
        matches = self.observe()
        self.problems.extend(f"call recorded twice: {one}" for one in find_repeated_calls(self.run))
        for name, before in self.finished.items():
            now = matches.get(name)
            if now is None or (now.events, now.probes, now.done) != (
                before.events,
                before.probes,
                before.done,
            ):
                self.problems.append(f"{name}: a finished match was changed or lost")
        self.finished |= {name: one for name, one in matches.items() if one.is_whole}
        time.sleep(0.05)  # the proxy writes its last lines after the client has gone
        wrong = self.ledger.settle(self.journal.entries(), matches, allowed=self.lost_allowed)
        if wrong:
            self.problems.append(wrong)
        self.lost_allowed = 0

    def _check_key(self, ending: Ending) -> None:
        places = {"stdout": ending.stdout.encode(), "stderr": ending.stderr.encode()}
        if self.run.is_dir():
            files = (path for path in self.run.rglob("*") if path.is_file())
            places |= {str(path.relative_to(self.run)): path.read_bytes() for path in files}
        for place, text in places.items():
            if any(form in text for form in key_forms()):
                self.problems.append(f"the key stands in {place}")

    def _errors(self) -> str:
        causes = [
            f"{name}: {found.summary.get('error_cause', 'no done.json')}"
            for name, found in self.observe().items()
            if not found.is_whole
        ]
        return "; ".join(causes[:2])


def key_forms() -> tuple[bytes, ...]:
    """Return the key as it is, and as JSON, HTML and URLs write it."""
    escaped = "".join(f"\\u{ord(one):04x}" for one in KEY)
    forms = (KEY, json.dumps(KEY)[1:-1], escape(KEY), quote(KEY), quote(KEY, safe=""), escaped)
    return tuple(form.encode() for form in forms)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing on standard error"
