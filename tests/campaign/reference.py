"""Reference: the undisturbed run of a setup, which every run with faults must equal."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.campaign.journal import JournalReader, count_digests
from tests.campaign.ledger import count_recorded
from tests.campaign.observed import ObservedMatch, observe_run
from tests.campaign.plan import ProxyPlan
from tests.campaign.processes import CampaignError
from tests.campaign.setups import DEADLINE, SETUPS
from tests.campaign.stage import Stage

_PROBES_AT_ONCE: Final = 8
"""What a match asks at once in its silent probes (`arena.run.match.probes`)."""
_SECONDS: Final = 300.0
_BLOCK: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The undisturbed run of a setup."""

    matches: Mapping[str, ObservedMatch]
    digests: tuple[str, ...]
    """Each request once, in the order in which they were first asked."""
    requests: int
    usual: Counter[str]
    """Requests that it asked and did not record."""
    most_in_flight: int
    """Live matches times what one of them asks at once."""
    memory_mib: int
    """The most that the orchestrator held."""
    size_kib: int
    """Of the run's folder on a disk with blocks of 4 KiB."""

    def matches_with(self, digests: set[str]) -> set[str]:
        """Return the matches that make one of these requests."""
        return {name for name, one in self.matches.items() if digests & one.digests.keys()}


def play_reference(stage: Stage, setup_name: str, folder: Path) -> Reference:
    """Play a setup without any fault."""
    setup = SETUPS[setup_name]
    folder.mkdir(parents=True)
    journal, run = folder / "journal.jsonl", folder / "run"
    stage.set_plan(ProxyPlan(journal=str(journal)))
    words = setup.match_words(str(run), deadline=DEADLINE)
    child = stage.start([*stage.program, *words], "reference")
    ending = child.wait_ended(_SECONDS)
    if ending.status != 0:
        raise CampaignError(f"the undisturbed run of {setup_name!r} fails: {ending.stderr[-800:]}")
    matches = observe_run(run)
    entries = JournalReader(journal).entries()
    asked = count_digests(entries)
    live = min(setup.concurrency or len(matches), len(matches))
    seats = max(len(match.seats) for match in matches.values())
    at_once = max(seats, _PROBES_AT_ONCE if any(m.probes for m in matches.values()) else 0)
    return Reference(
        matches=matches,
        digests=tuple(dict.fromkeys(entry.asked.digest for entry in entries)),
        requests=len(entries),
        usual=asked - count_recorded(matches),
        most_in_flight=live * at_once,
        memory_mib=ending.memory_mib,
        size_kib=sum(_count_blocks(path) for path in run.rglob("*")) * _BLOCK // 1024,
    )


def _count_blocks(path: Path) -> int:
    return 1 if path.is_dir() else -(-path.stat().st_size // _BLOCK)
