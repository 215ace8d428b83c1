"""Checks of a result file: against its suite, and against the submitted records. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, cast

from arena.games.game_registry import find_game
from arena.games.option_parsing import read_options
from arena.records.run_config import Pair
from arena.tournament.description import TournamentDescription
from arena.tournament.result import ResultMatch, TournamentResult
from arena.tournament.tournament_plan import SuiteRef, TournamentPlan

_ROUNDING: Final = 1e-6
"""Relative tolerance between processors, whose libraries add in different orders."""
_LISTED: Final = 3
"""Missing matches are listed only if the plan has at most this many times the matches of a result.
"""
_DIGEST: Final = re.compile("[0-9a-f]{64}")


def find_faults(
    result: TournamentResult, suite: TournamentDescription, pinned: SuiteRef
) -> Iterator[str]:
    """Yield the faults of a result: another suite, or missing, duplicate or foreign matches."""
    if result.suite != pinned:
        yield (
            f"the result is of suite {_suite_text(result.suite)}, but this is "
            f"{_suite_text(pinned)}: results of different versions cannot be compared"
        )
        return
    names = [one.name for one in result.contestants if one.name not in suite.opponents]
    if not names:
        yield "the result has no contestant besides the suite's fixed opponents"
    yield from _find_wrong_names(result, suite)
    yield from _find_gaps(result, suite)
    planned = _count_matches(suite, len(names))
    if planned <= _LISTED * len(result.matches):
        yield from _find_wrong_matches(result, suite, names)
    else:
        # A submitted file can name very many contestants: their matches are not listed.
        yield f"wanted {planned} matches of the suite, got {len(result.matches)}"
    if errors := sum(one.outcome == "error" for one in result.matches):
        yield f"{errors} matches ended as an error; play them again"


def _find_wrong_matches(
    result: TournamentResult, suite: TournamentDescription, names: Sequence[str]
) -> Iterator[str]:
    """Yield how many matches are missing, foreign or duplicate."""
    pairs = {Pair(civilians=a, murderer=b) for a, b in product(names, names) if suite.matrix}
    for one, other in product(names, suite.opponents):
        pairs |= {Pair(civilians=one, murderer=other), Pair(civilians=other, murderer=one)}
    wanted = {
        (game.game, script.sha256, seed, rotation, pair.civilians, pair.murderer)
        for game in suite.games
        for script in game.scripts
        for seed in range(game.seed, game.seed + game.seeds)
        for rotation in range(game.rotations)
        for pair in pairs
    }
    found = Counter(map(_key, result.matches))
    absent, foreign = wanted - set(found), set(found) - wanted
    twice = [key for key, count in found.items() if count > 1]
    for what, keys in (("missing", absent), ("not of the suite", foreign), ("duplicate", twice)):
        if keys:
            yield f"{len(keys)} matches are {what}, such as {_match_text(min(keys))}"


def _count_matches(suite: TournamentDescription, contestants: int) -> int:
    """Return the number of matches of a complete result of a suite."""
    pairs = contestants * (contestants if suite.matrix else 0)
    pairs += 2 * contestants * len(suite.opponents)
    return pairs * sum(len(one.scripts) * one.seeds * one.rotations for one in suite.games)


def _find_gaps(result: TournamentResult, suite: TournamentDescription) -> Iterator[str]:
    """Yield what this result lacks of a complete result."""
    if not all(_DIGEST.fullmatch(one.events) for one in result.matches):
        yield "a match has no hash of its events"
    scores = {str(one.get("metric")) for one in result.scores}
    if not scores or scores - set(suite.scores):
        yield f"the scores are not those of the suite: {', '.join(suite.scores)}"
    for name in ("versions", "wordings"):
        if not getattr(result, name):
            yield f"the {name} of the result are missing"


def _find_wrong_names(result: TournamentResult, suite: TournamentDescription) -> Iterator[str]:
    played = {name for one in result.matches for name in (one.civilians, one.murderer)}
    if sorted(one.name for one in result.contestants) != sorted(played):
        yield "the contestants are not those of the matches, each once"
    ids = {script.sha256: script.id for game in suite.games for script in game.scripts}
    names = {(one.sha256, one.script, one.work) for one in result.matches if one.sha256 in ids}
    if len(names) > len({sha256 for sha256, _, _ in names}):
        yield "a script has two names or two works"
    if any("/" not in ids[sha256] and ids[sha256] not in {"", one} for sha256, one, _ in names):
        yield "a script has another name than in the suite"


def find_deviations(plan: TournamentPlan, suite: TournamentDescription) -> Iterator[str]:
    """Yield the differences between the plan of a tournament and its suite."""
    found, wanted = _plan_facts(plan), _suite_facts(suite)
    for name in sorted(found.keys() | wanted.keys()):
        if found.get(name) != wanted.get(name):
            yield f"{name} of the tournament differs from the suite's"


def _common_facts(one: TournamentPlan | TournamentDescription) -> dict[str, object]:
    return {
        "matrix": one.matrix,
        "anchors": one.anchors,
        "deadline": one.deadline,
        "transport": one.transport,
        "quiz": one.quiz,
        "silent ballots": one.ballots,
    }


def _plan_facts(plan: TournamentPlan) -> dict[str, object]:
    return {
        "opponents": list(plan.opponents),
        **_common_facts(plan),
        **{
            f"game {one.game!r}": (
                *(one.options, one.seed, one.seeds, one.rotations),
                sorted(ref.sha256 for ref in one.scripts),
            )
            for one in plan.games
        },
    }


def _suite_facts(suite: TournamentDescription) -> dict[str, object]:
    return {
        "opponents": suite.opponents,
        **_common_facts(suite),
        **{
            f"game {one.game!r}": (
                read_options(find_game(one.game), one.preset, one.options),
                *(one.seed, one.seeds, one.rotations),
                sorted(script.sha256 for script in one.scripts),
            )
            for one in suite.games
        },
    }


def find_forgeries(result: TournamentResult, again: TournamentResult) -> Iterator[str]:
    """Yield the differences between a result and `again`, which was made from its records."""
    for name in ("suite", "contestants", "versions", "wordings"):
        if getattr(result, name) != getattr(again, name):
            yield f"the {name} of the result do not follow from the records"
    there = {_key(one): one for one in again.matches}
    for one in result.matches:
        if there.get(_key(one)) != one:
            known = _key(one) in there
            fault = "is not as its record says" if known else "has no record"
            yield f"{_match_text(_key(one))} {fault}"


def is_same_value(one: object, other: object) -> bool:
    """Tell whether two figures or lists of figures are equal, numbers up to rounding."""
    match one, other:
        case dict(), dict():
            left, right = cast("dict[str, object]", one), cast("dict[str, object]", other)
            return left.keys() == right.keys() and all(
                is_same_value(left[k], right[k]) for k in left
            )
        case list() | tuple(), list() | tuple():
            both = cast("Sequence[object]", one), cast("Sequence[object]", other)
            return len(both[0]) == len(both[1]) and all(map(is_same_value, *both))
        case (bool() | int(), _):
            return one == other and type(one) is type(other)
        case float(), float():
            return math.isclose(one, other, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
        case _:
            return one == other


def _key(one: ResultMatch) -> tuple[str, str, int, int, str, str]:
    return (one.game, one.sha256, one.seed, one.rotation, one.civilians, one.murderer)


def _suite_text(suite: SuiteRef) -> str:
    return f"{suite.name!r} version {suite.version} ({suite.sha256[:12]})"


def _match_text(key: tuple[str, str, int, int, str, str]) -> str:
    game, script, seed, rotation, civilians, murderer = key
    turned = f" rotation {rotation}" if rotation else ""
    return f"{game} {script[:8]} seed {seed}{turned}, {civilians} against {murderer}"
