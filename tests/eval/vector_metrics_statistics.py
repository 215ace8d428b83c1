"""Intervals, tests, agreement and ratings."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from eval.ratings.bradley_terry import rate_contestants
from eval.ratings.elo import expect_score, update_elo
from eval.ratings.openskill_rating import Skill, update_skills
from eval.ratings.rated_games import SPECIFIED
from eval.stats import agreement
from eval.stats.confidence_intervals import clustered_ratio, wilson
from eval.stats.multiple_testing import holm
from eval.stats.paired import mcnemar_exact
from eval.stats.power import matches_for_half_width
from tests.eval.ratings.tables import games_of_cells


def _wilson(given: Any) -> list[float]:
    interval = wilson(given["k"], given["n"], given["level"])
    return [interval.low, interval.high]


def _agree(given: Any) -> dict[str, float | None]:
    functions = {
        "accuracy": agreement.accuracy,
        "precision": agreement.precision,
        "recall": agreement.recall,
        "f1": agreement.f1,
        "kappa": agreement.cohen_kappa,
    }
    return {name: of(given["human"], given["judge"]) for name, of in functions.items()}


def _rate_sides(given: Any) -> dict[str, Any]:
    games = games_of_cells(given["cells"])
    fitted = rate_contestants(games, replace(SPECIFIED, prior="none"), resamples=0)
    (part,) = fitted.components
    strengths: dict[str, dict[str, float | None]] = {"civilians": {}, "murderer": {}, "both": {}}
    for rating in part.ratings:
        strengths[rating.side][rating.contestant] = rating.strength.value
    return {
        "alpha": part.alpha.value,
        "civ": strengths["civilians"],
        "murderer": strengths["murderer"],
    }


def _openskill(given: Any) -> dict[str, list[float]]:
    first, second = (Skill(mu=mu, sigma=sigma) for mu, sigma in (given["winner"], given["loser"]))
    settings = {name: given[name] for name in ("beta", "kappa", "tau")}
    winner, loser = update_skills(first, second, **settings)
    return {"winner": [winner.mu, winner.sigma], "loser": [loser.mu, loser.sigma]}


def _clustered_error(given: Any) -> dict[str, float | None]:
    clusters = given["clusters"].values()
    found = clustered_ratio([sum(one) for one in clusters], [len(one) for one in clusters])
    return {"mean": found.mean, "se": found.error}


METRICS: Mapping[str, Callable[[Any], Any]] = {
    "wilson": _wilson,
    "mcnemar_exact": lambda given: mcnemar_exact(given["only_first"], given["only_second"]),
    "kendall_tau_b": lambda given: agreement.kendall_tau_b(given["x"], given["y"]),
    "spearman": lambda given: agreement.spearman(given["x"], given["y"]),
    "pearson": lambda given: agreement.pearson(given["x"], given["y"]),
    "binary_agreement": _agree,
    "cohen_kappa": lambda given: agreement.cohen_kappa(given["human"], given["judge"]),
    "bradley_terry_sides": _rate_sides,
    "elo_expected": lambda given: expect_score(given["a"], given["b"]),
    "elo_update": lambda given: update_elo(given["a"], given["b"], given["score"], k=given["k"]),
    "openskill_pl_1v1": _openskill,
    "holm": lambda given: holm(given["p"]),
    "cluster_robust_se": _clustered_error,
    "matches_for_half_width": lambda given: matches_for_half_width(
        given["p"] * (1 - given["p"]), given["half_width"], given["level"]
    ),
}
