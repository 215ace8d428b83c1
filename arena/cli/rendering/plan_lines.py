"""Output of `arena tournament plan`: matches, blocks, expected intervals, and GPU hours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from arena.bench.planner.tournament_hours import tournament_hours
from arena.cli.rendering.formatting import format_duration, format_plural
from arena.records.run_config import match_specs
from arena.tournament.description import TournamentDescription
from arena.tournament.folder import TournamentFolder
from arena.tournament.tournament_plan import GamePlan, count_matches

_CORRELATION: Final = 0.2
"""Assumed correlation of the outcomes of one script's matches: high, so that the interval is
conservative.
"""
_MAX_HALF_WIDTH: Final = 0.5
"""Maximum useful half-width of a rate's interval: a wider one contains every rate."""


def plan_object(folder: TournamentFolder) -> dict[str, Any]:
    """Return a plan as the object of `--json`; half-widths are shares, or null."""
    plan = folder.plan
    return {
        "tournament": str(folder.path),
        "suite": None if plan.suite is None else f"{plan.suite.name} {plan.suite.version}",
        "contestants": list(plan.contestants),
        "opponents": list(plan.opponents),
        "games": [_game_object(folder, one) for one in plan.games],
        "scripts": len(plan.scripts),
        "blocks": plan.blocks,
        "matches": count_matches(plan),
    }


def _game_object(folder: TournamentFolder, game: GamePlan) -> dict[str, Any]:
    first = folder.plan.contestants[0]
    works = {folder.load(ref).script.work or ref.id for ref in game.scripts}
    own = sum(
        spec.civilians == first
        for config in folder.runs.values()
        if config.game == game.game
        for spec in match_specs(config)
    )
    return {
        "game": game.game,
        "works": len(works),
        "matches_as_civilians": own,
        "half_width": _half_width(own, len(works), 0.0),
        "half_width_if_matches_of_a_script_end_alike": _half_width(own, len(works), _CORRELATION),
    }


def hours_object(folder: TournamentFolder, gpus: str) -> dict[str, Any]:
    """Return the GPU hours of a tournament and of each model as an object of `--json`."""
    plan = folder.plan
    scripts = {sha256: folder.load(ref).script for sha256, ref in plan.scripts.items()}
    return {"player": "direct", **asdict(tournament_hours(plan, scripts, gpus))}


def plan_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a plan as lines for people."""
    suite = f"suite {found['suite']}: " if found["suite"] else ""
    opponents = found["opponents"]
    fixed = f" and {format_plural(len(opponents), 'fixed opponent')}" if opponents else ""
    yield (
        f"{suite}{format_plural(len(found['contestants']), 'contestant')}{fixed}, "
        f"{format_plural(found['scripts'], 'script')}, "
        f"{', '.join(one['game'] for one in found['games'])}: "
        f"{format_plural(found['matches'], 'match', 'matches')} in "
        f"{format_plural(found['blocks'], 'block')} (on a cluster, shards beyond the number of "
        "blocks are empty)"
    )
    for one in found["games"]:
        played = format_plural(one["matches_as_civilians"], "match", "matches")
        named = f" of {one['game']}" if len(found["games"]) > 1 else ""
        yield f"win rate of a contestant as civilians: {played}{named}, {_interval_line(one)}"
    if (hours := found.get("hours")) is not None:
        yield from _hours_lines(hours)


def suite_object(suite: TournamentDescription) -> dict[str, Any]:
    """Return a suite as an object of `--json`; `matches` is a formula for n contestants."""
    fixed = len(suite.opponents)
    each = sum(len(one.scripts) * one.seeds * one.rotations for one in suite.games)
    many = f"n (n + {2 * fixed})" if fixed else "n^2"
    return {
        "suite": suite.name,
        "version": suite.version,
        "scripts": sum(len(one.scripts) for one in suite.games),
        "matches": f"{each} {many}" if suite.matrix else f"{2 * fixed * each} n",
        "about": suite.about,
    }


def suite_lines(suites: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each suite."""
    for one in suites:
        scripts = format_plural(one["scripts"], "script")
        yield (
            f"{one['suite']} {one['version']}: {scripts}, {one['matches']} matches with n "
            f"contestants. {one['about']}"
        )


def _half_width(matches: int, works: int, correlation: float) -> float | None:
    """Return the expected half-width of a win rate's interval; None: too wide to be useful."""
    # The libraries of these are slow to load.
    from eval.stats.bootstrap import FEWEST_CLUSTERS  # noqa: PLC0415
    from eval.stats.power import half_width_for_matches  # noqa: PLC0415

    if works < FEWEST_CLUSTERS:
        return None
    found = half_width_for_matches(0.25, matches, works, correlation)
    return None if found is None or found > _MAX_HALF_WIDTH else found


def _interval_line(found: Mapping[str, Any]) -> str:
    from eval.stats.bootstrap import FEWEST_CLUSTERS  # noqa: PLC0415 - its libraries are slow

    works = found["works"]
    if works < FEWEST_CLUSTERS:
        return (
            f"too few scripts for an interval: it needs {FEWEST_CLUSTERS} with different "
            f"stories, here {'is' if works == 1 else 'are'} {works}"
        )
    low = found["half_width"]
    if low is None:
        return "too few for an interval"
    high = found["half_width_if_matches_of_a_script_end_alike"]
    careful = f"+- {100 * high:.0f}" if high is not None else "too few for one"
    return (
        f"95 % interval of +- {100 * low:.0f} percentage points; {careful} if matches of a script "
        f"end alike (correlation {_CORRELATION})"
    )


def _hours_lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"on {found['gpus']}, simulated, with the costs of the player direct: players with more "
        "calls, such as +cot, cost more"
    )
    if found["remark"]:
        yield found["remark"]
    unknown = [one["model"] for one in found["models"] if one["gpu_hours"] is None]
    for one in found["models"]:
        matches = format_plural(round(one["matches"]), "match", "matches")
        hours = one["gpu_hours"]
        told = f"not estimated: {one['why']}" if hours is None else f"{hours:,.1f} GPU hours"
        yield f"{one['model']}: its seats amount to {matches}, {told}"
    if len(unknown) < len(found["models"]):
        without = f" without {', '.join(unknown)}" if unknown else ""
        yield (
            f"whole tournament{without}: {found['gpu_hours']:,.1f} "
            f"GPU hours, {format_duration(3600 * found['hours'])} on all of them, one model after "
            "another"
        )
    elif not unknown:
        yield "no contestant has a model, so that no GPU is needed"
