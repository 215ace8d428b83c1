"""What games and players compute while a match is played: votes, and scores of methods."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from arena.core.voting import VoteResult, VoteRule, tally_votes, vote_result
from arena.games.shared.victims import match_result
from arena.players.questum.score import entropy, information_gain, mean_gain, score
from arena.players.thinkthrice.scoring import HOST, SEAT, VerificationResult
from eval.metrics.papers.wellplay import count_solved


def count_votes(given: dict[str, Any]) -> dict[str, Any]:
    rule = VoteRule(**given["rule"])
    tally = tally_votes(given["ballots"], rule, given["electorate"], Random(0))
    outcome = vote_result(tally, rule, given["killers"])
    return {"named": tally.leaders, "outcome": outcome}


def match_outcome(given: dict[str, Any]) -> dict[str, Any]:
    names: dict[int | None, VoteResult | None] = {1: "civ_win", 0: "murderer_win", None: None}
    results: list[VoteResult | None] = [names[one] for one in given["solved"]]
    solved, counted = count_solved(results)
    return {
        "outcome": match_result(results, given["match_rule"]),
        "score": solved / counted,
    }


def ten_elections(given: dict[str, Any]) -> dict[str, Any]:
    """Return the share of elections that find the killer, and its share of all ballots."""
    seats, killer, rule = given["seats"], given["killer"], VoteRule(tie="none")
    elections = range(len(given["ballots"][seats[0]]))
    won = 0
    for number in elections:
        ballots = {seat: given["ballots"][seat][number] for seat in seats}
        tally = tally_votes(ballots, rule, seats, Random(0))
        won += vote_result(tally, rule, [killer]) == "civ_win"
    cast = [choice for ballots in given["ballots"].values() for choice in ballots]
    return {
        "win_rate": won / len(elections),
        "identification": cast.count(killer) / len(cast),
    }


def thinkthrice_score(given: dict[str, int]) -> float:
    return VerificationResult(
        facts=given["facts"],
        correct=given["correct"],
        timed=given["correct_with_time"],
        length=given["length"],
    ).score


def thinkthrice_passes(given: dict[str, Any]) -> bool:
    least = {"host": HOST, "player": SEAT}[given["asker"]]
    counts = {name: given[name] for name in ("facts", "correct", "length")}
    return VerificationResult(timed=0, **counts).passes(least)


METRICS: Mapping[str, Callable[[Any], Any]] = {
    "count_votes": count_votes,
    "match_outcome": match_outcome,
    "ten_elections": ten_elections,
    "questum_entropy": lambda given: entropy(given["suspects"]),
    "questum_information_gain": lambda given: information_gain(given["before"], given["after"]),
    "questum_weighted_ig": lambda given: mean_gain(
        [(number, gain) for number, gain in given["rounds"]], given["now"]
    ),
    "questum_score": lambda given: score(
        given["weighted_ig"], given["information_value"].lower(), given["beta"]
    ),
    "thinkthrice_score": thinkthrice_score,
    "thinkthrice_passes": thinkthrice_passes,
}
