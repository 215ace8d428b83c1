"""Win rates, chance levels and averages over opponents."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from arena.core.voting import VoteRule
from eval.metrics.blind_votes import (
    blind_accusation,
    blind_rank,
    blind_village,
    blind_vote,
    chance_corrected,
)
from eval.metrics.win_rates import OutcomeCounts, average_of_printed
from eval.rounding import exact_mean


def chance_level(given: dict[str, Any]) -> dict[str, Any]:
    """Return the published level: it takes a tie between killers alone for a draw."""
    seats = [str(number) for number in range(given["seats"])]
    killers = seats[: given["killers"]]
    voters = [one for one in seats if given["electorate"] == "all" or one not in killers]
    alone = {"no": seats, "yes": [], "yes_except_murderer": killers}[given["self"]]
    papers = [[one for one in seats if one != voter or voter not in alone] for voter in voters]
    level = blind_vote(papers, killers, [VoteRule(quorum=given["quorum"], tie=given["tie"])])
    assert level is not None
    win, draw = level.win - level.killers_tied, level.draw + level.killers_tied
    decided = win / (1 - draw) if draw != 1 else None
    return {
        "win": win,
        "draw": draw,
        "win_excluding_draws": decided,
        "win_decimal": float(win),
        "win_excluding_draws_decimal": None if decided is None else float(decided),
    }


def accuse_then_vote(given: dict[str, Any]) -> dict[str, Any]:
    seats = [str(number) for number in range(given["seats"])]
    others = {seat: [one for one in seats if one != seat] for seat in seats}
    level, accused = blind_accusation(
        list(others.values()),
        lambda named: [[one for one in named if one != seat] for seat in seats],
        seats[:1],
        [VoteRule(tie="none")],
    )
    assert level is not None
    return {"culprit_accused": accused, "win": level.win, "win_decimal": float(level.win)}


def chance_mrr(given: dict[str, Any]) -> dict[str, Any]:
    level = blind_rank(given["candidates"])
    return {"mrr": level, "decimal": float(level)}


def chance_mrr_mean(given: dict[str, Any]) -> dict[str, Any]:
    level = exact_mean(map(blind_rank, given["candidates"]))
    assert level is not None
    return {"mrr": level, "decimal": float(level)}


def chance_werewolf5(given: dict[str, Any]) -> dict[str, Any]:
    assert not given
    return {"win": blind_village(2), "decimal": float(blind_village(2))}


def win_rate(given: dict[str, int]) -> dict[str, Any]:
    counts = OutcomeCounts(**given)
    names = ("excluding_draws", "including_draws", "half_draws")
    rates = {name: getattr(counts, name) for name in names}
    return rates | asdict(counts) | {"decided": counts.decisive, "played": counts.with_result}


def corrected_wins(given: dict[str, list[dict[str, float]]]) -> float | None:
    pairs = [(one["win"], one["chance"]) for one in given["matches"]]
    above, room = chance_corrected(pairs)
    return above / room if room else None


METRICS: Mapping[str, Callable[[Any], Any]] = {
    "chance_level": chance_level,
    "chance_accuse_then_vote": accuse_then_vote,
    "chance_mrr": chance_mrr,
    "chance_mrr_mean": chance_mrr_mean,
    "chance_werewolf5": chance_werewolf5,
    "chance_corrected_win": corrected_wins,
    "win_rate": win_rate,
    "arena_average": lambda given: average_of_printed(given["cells"], given["places"]),
}
