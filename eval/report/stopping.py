"""Early stopping of a pairing: a plan written before the first match, and its verdict."""

from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError, RecordError
from arena.records.record_schema import JsonCodec
from eval.report.run_comparison import compare_runs
from eval.stats.bootstrap import ConfidenceInterval
from eval.stats.sequential import StoppingDecision, StoppingPlan, decide


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingPlan:
    """The metric of a comparison of two runs, and its looks."""

    looks: tuple[int, ...]
    """Numbers of pairs, ascending."""
    metric: str = "win_rate"
    faction: str = ""
    """Empty for a match-level metric."""
    width: float | None = None
    """In the unit of the metric: a narrower interval ends the pairing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingVerdict:
    """The verdict from the played pairs."""

    pairs: int
    look: int | None
    """From 1; None: no planned look at this number of pairs."""
    next_look: int | None
    level: float
    """The level of every look's interval, so that all looks together err in 5 % of pairings."""
    difference: float | None
    interval: ConfidenceInterval | None
    verdict: StoppingDecision


def read_plan(path: Path) -> PairingPlan:
    """Read a plan from a JSON file with the fields of `PairingPlan`; raises `ConfigError`."""
    name = f"the plan {str(path)!r}"
    try:
        found = JsonCodec[PairingPlan](PairingPlan, name).load(path.read_text("utf-8"))
        StoppingPlan(looks=found.looks, width=found.width)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"{name} cannot be read: {reason}") from error
    except RecordError as error:
        raise ConfigError(str(error)) from error
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from error
    return found


def judge_pairing(first: Path, second: Path, plan: PairingPlan) -> PairingVerdict:
    """Return whether the pairing of two runs ends; raises like `compare_runs`.

    Also raises `ConfigError` if the runs have no value of the plan's metric and faction.
    """
    stopping = StoppingPlan(looks=plan.looks, width=plan.width)
    level = stopping.level_of_look
    found = compare_runs(first, second, [plan.metric], level=level)
    of_faction = [one for one in found.differences if one.faction == plan.faction]
    if not of_faction:
        factions = ", ".join(sorted({repr(one.faction) for one in found.differences})) or "none"
        raise ConfigError(
            f"{plan.metric} has no value for the plan's faction {plan.faction!r}; there are: "
            f"{factions}"
        )
    pairs, paired = of_faction[0].paired.pairs, of_faction[0].paired
    return PairingVerdict(
        pairs=pairs,
        look=plan.looks.index(pairs) + 1 if pairs in plan.looks else None,
        next_look=next((one for one in plan.looks if one > pairs), None),
        level=level,
        difference=paired.difference,
        interval=paired.interval,
        verdict=decide(stopping, pairs, paired.interval),
    )


def verdict_object(plan: PairingPlan, found: PairingVerdict) -> dict[str, object]:
    """Return a verdict as a JSON object, in the unit of the metric."""
    return {
        "metric": plan.metric,
        "faction": plan.faction,
        "pairs": found.pairs,
        "look": found.look,
        "looks": len(plan.looks),
        "next_look": found.next_look,
        "level": found.level,
        "difference": found.difference,
        "low": found.interval.low if found.interval else None,
        "high": found.interval.high if found.interval else None,
        "verdict": found.verdict,
    }


def verdict_sentence(plan: PairingPlan, found: PairingVerdict) -> str:
    """Return a verdict as a sentence."""
    where = f"{found.pairs} pairs, " + (
        f"look {found.look} of {len(plan.looks)}" if found.look else "no look"
    )
    bounds = found.interval
    interval = f" [{bounds.low:.3f}, {bounds.high:.3f}]" if bounds else " (no interval)"
    value = "unknown" if found.difference is None else f"{found.difference:.3f}{interval}"
    after = f"; the next look is at {found.next_look} pairs" if found.next_look else ""
    goes_on = found.verdict == "go on"
    return (
        f"{where}: {plan.metric}, first less second {value} at {100 * found.level:.2f} %: "
        f"{found.verdict}{after if goes_on else ''}"
    )
