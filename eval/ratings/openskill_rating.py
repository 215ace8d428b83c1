"""OpenSkill ratings (Weng and Lin's Plackett-Luce), one per contestant and side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from eval.ratings.online import ORDERS, OnlineRating, average_orders
from eval.ratings.rated_games import RatedGame, StrengthKey
from eval.stats.bootstrap import SEED

models: Final[Any] = import_module("openskill.models")
_BELOW: Final = 3.0
"""A rating is reported as mu - 3 sigma."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """Belief about a strength: its mean and standard deviation."""

    mu: float = 25.0
    sigma: float = 25 / 3


def update_skills(
    first: Skill,
    second: Skill,
    *,
    draw: bool = False,
    beta: float = 25 / 6,
    kappa: float = 1e-4,
    tau: float = 0.0,
) -> tuple[Skill, Skill]:
    """Return both skills after the first beat the second, or after a draw."""
    model: Any = models.PlackettLuce(beta=beta, kappa=kappa, tau=tau)
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in (first, second)]
    ((winner,), (loser,)) = model.rate(teams, ranks=[1, 1 if draw else 2])
    return Skill(mu=winner.mu, sigma=winner.sigma), Skill(mu=loser.mu, sigma=loser.sigma)


def replay_skills(games: Sequence[RatedGame]) -> Mapping[StrengthKey, Skill]:
    """Return the skills after `games` in order."""
    skills: dict[StrengthKey, Skill] = {}
    for game in games:
        civilians: StrengthKey = (game.civilians, "civilians")
        murderer: StrengthKey = (game.murderer, "murderer")
        pair = (civilians, murderer) if game.outcome != "murderer_win" else (murderer, civilians)
        skills[pair[0]], skills[pair[1]] = update_skills(
            skills.get(pair[0], Skill()), skills.get(pair[1], Skill()), draw=game.outcome == "draw"
        )
    return skills


def rate_openskill(
    games: Sequence[RatedGame], *, orders: int = ORDERS, seed: int = SEED
) -> Mapping[StrengthKey, OnlineRating]:
    """Return the mean of mu - 3 sigma over shuffled orders, with its spread."""

    def replay(ordered: Sequence[RatedGame]) -> Mapping[StrengthKey, float]:
        skills = replay_skills(ordered)
        return {one: skill.mu - _BELOW * skill.sigma for one, skill in skills.items()}

    return average_orders(games, replay, orders=orders, seed=seed)
