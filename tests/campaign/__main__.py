"""`python -m tests.campaign --faults 1000 --seed 1`: the fault campaign and its table."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from tests.campaign.campaign import (
    Campaign,
    TrialResult,
    find_kinds,
    plan_trials,
    run_until,
)
from tests.campaign.kinds import KINDS
from tests.campaign.processes import CampaignError
from tests.campaign.report import print_report, write_json
from tests.campaign.stage import Stage
from tests.campaign.trial import TrialId

_WIDTH = 120
_SHOWN = 3


def main() -> int:
    """Run the campaign and return the exit status: 1 where a fault did harm."""
    words = _parser().parse_args()
    console = Console(width=_WIDTH)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    results: list[TrialResult] = []

    def report(result: TrialResult) -> None:
        results.append(result)
        verdict = f"{len(result.problems)} problems" if result.problems else "ok"
        total = sum(one.faults for one in results)
        line = f"{total:5} {result.id} ({result.setup}): {verdict}, {result.seconds:.1f} s\n"
        sys.stderr.write("".join([line, *(f"      {one}\n" for one in result.problems[:_SHOWN])]))

    try:
        kinds = find_kinds(words.kinds)
        trials = [_read_trial(words.repeat)] if words.repeat else plan_trials(words.seed, kinds)
        with (
            tempfile.TemporaryDirectory(prefix="campaign-", dir=words.folder) as folder,
            Stage(Path(folder)) as stage,
        ):
            campaign = Campaign(stage=stage, keep=words.keep)
            run_until(campaign, iter(trials), words.faults, report)
    except CampaignError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
    print_report(console, results)
    if words.json is not None:
        write_json(words.json, results)
    return int(any(result.problems for result in results))


def _read_trial(text: str) -> TrialId:
    kind, _, rest = text.partition(":")
    seed, _, faults = rest.partition(":")
    if kind not in KINDS or not seed.isdecimal() or not faults.isdecimal():
        raise CampaignError(f"--repeat wants KIND:SEED:FAULTS, got {text!r}")
    return TrialId(kind=kind, seed=int(seed), faults=int(faults))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    add = parser.add_argument
    add("--faults", type=int, default=1000, help="how many, at least")
    add("--seed", type=int, default=1)
    add("--kinds", default="", help="patterns of kinds, separated by commas; all without it")
    add("--repeat", default="", help="one trial: KIND:SEED:FAULTS, as a report names it")
    add("--json", type=Path, help="a file for all results")
    add("--keep", type=Path, help="a folder for the records of trials with problems")
    add("--folder", type=Path, help="where temporary files go; the system's place without it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
