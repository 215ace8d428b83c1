"""Campaign: trials in a seeded order until enough faults took place."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from random import Random

from arena.errors import ArenaError
from tests.campaign.kinds import KINDS
from tests.campaign.processes import CampaignError
from tests.campaign.reference import Reference, play_reference
from tests.campaign.stage import Stage
from tests.campaign.trial import Trial, TrialId

_SEEDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResult:
    """What came of a trial."""

    id: TrialId
    setup: str
    faults: int
    """That took place."""
    problems: tuple[str, ...]
    skipped: str
    extra_requests: int
    """Requests beyond those that the record holds."""
    seconds: float

    @property
    def failures(self) -> int:
        """Faults that did harm: at most as many as there were."""
        return min(max(self.faults, 1), len(self.problems))


@dataclass(slots=True, kw_only=True)
class Campaign:
    """A campaign on one stage; it plays the undisturbed run of a setup when a trial needs it."""

    stage: Stage
    keep: Path | None = None
    """Takes the folders of trials with problems; None: they are removed."""
    references: dict[str, Reference] = field(default_factory=dict[str, Reference])
    number: int = 0

    def run_trial(self, trial_id: TrialId) -> TrialResult:
        """Play one trial of a known kind in a setup that its seed chooses."""
        kind = KINDS[trial_id.kind]
        setup = Random(f"setup of {trial_id}").choice(kind.setups)
        return self.play(trial_id, kind.run, setup)

    def play(self, trial_id: TrialId, run: Callable[[Trial], None], setup: str) -> TrialResult:
        """Play one trial, and make the stage healthy again."""
        began = time.monotonic()
        self.number += 1
        trial = Trial(
            id=trial_id,
            stage=self.stage,
            setup_name=setup,
            reference=self.reference(setup),
            folder=self.stage.folder / f"trial-{self.number}",
            chance=Random(str(trial_id)),
        )
        try:
            run(trial)
        except (CampaignError, ArenaError, OSError, ValueError) as error:
            trial.problems.append(f"the trial broke off: {type(error).__name__}: {error}")
        self.stage.restore()
        self._put_away(trial)
        return TrialResult(
            id=trial_id,
            setup=setup,
            faults=trial.faults,
            problems=tuple(dict.fromkeys(trial.problems)),
            skipped=trial.skipped,
            extra_requests=trial.ledger.extra,
            seconds=time.monotonic() - began,
        )

    def reference(self, setup: str) -> Reference:
        """Return the undisturbed run of a setup."""
        if setup not in self.references:
            folder = self.stage.folder / f"reference-{setup}"
            self.references[setup] = play_reference(self.stage, setup, folder)
        return self.references[setup]

    def _put_away(self, trial: Trial) -> None:
        if trial.problems and self.keep is not None:
            kept = self.keep / str(trial.id).replace(":", "-")
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(trial.folder, kept, symlinks=True)
        shutil.rmtree(trial.folder, ignore_errors=True)


def run_until(
    campaign: Campaign,
    trials: Iterator[TrialId],
    faults: int,
    report: Callable[[TrialResult], None],
) -> list[TrialResult]:
    """Play trials until so many faults took place."""
    results: list[TrialResult] = []
    for trial in trials:
        results.append(campaign.run_trial(trial))
        report(results[-1])
        if sum(result.faults for result in results) >= faults:
            break
    return results


def plan_trials(seed: int, kinds: Sequence[str]) -> Iterator[TrialId]:
    """Yield trials without end: first every kind once, then each as often as it says."""
    chance = Random(seed)
    names = [*kinds]
    while True:
        chance.shuffle(names)
        for name in names:
            yield TrialId(kind=name, seed=chance.randrange(_SEEDS), faults=KINDS[name].faults)
        names = [name for name in kinds for _ in range(KINDS[name].trials)]


def find_kinds(patterns: str) -> list[str]:
    """Return the kinds that match any of the patterns, which commas separate; empty: all."""
    if not patterns:
        return list(KINDS)
    found = [name for name in KINDS if any(fnmatch(name, one) for one in patterns.split(","))]
    if not found:
        raise CampaignError(
            f"no kind of fault is called {patterns!r}; there are {', '.join(KINDS)}"
        )
    return found
