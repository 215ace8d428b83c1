"""GPU hours of a tournament by model, from the planner's simulation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from arena.bench.planner.capacity_plan import PlanRequest, forecast_capacity
from arena.errors import ConfigError
from arena.games.game_registry import find_game
from arena.players.contestants import read_contestant
from arena.records.run_config import RunConfig
from arena.tournament.tournament_plan import TournamentPlan, runs_of
from scripts_mm.script import Script
from serving.engine_sim.cost_model.analytic_profile import plan_engines
from serving.engine_sim.cost_model.gpu_kinds import GpuSet, parse_gpu_set
from serving.errors import ServingError
from serving.host.hardware import detect
from serving.hub.hub_profile import find_any_profile


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHours:
    """Costs of one model in a whole tournament."""

    model: str
    matches: float
    """Matches that it plays, each weighted by its share of the seats."""
    gpu_hours: float | None
    """GPU hours with the player `direct`; None: see `why`."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentHours:
    """Costs of a whole tournament on some GPUs, one model after another."""

    gpus: str
    """Their number and kind."""
    remark: str
    """Remark on how they were chosen."""
    gpu_hours: float
    """Sum over all models that can be estimated."""
    hours: float
    """Hours on all of the GPUs."""
    models: tuple[ModelHours, ...]


def check_gpus(gpus: str) -> None:
    """Raise `ServingError` if `gpus` names no GPUs."""
    parse_gpu_set(gpus, detect())


def tournament_hours(
    plan: TournamentPlan, scripts: Mapping[str, Script], gpus: str
) -> TournamentHours:
    """Return the hours of a tournament on `gpus` such as `8xh200`; `scripts` by content hash.

    Raises `ServingError` if `gpus` names no GPUs.
    """
    found = parse_gpu_set(gpus, detect())
    models = tuple(_model_hours(plan, scripts, found))
    total = sum(one.gpu_hours or 0.0 for one in models)
    return TournamentHours(
        gpus=f"{found.count} x {found.kind.name}",
        remark=found.remark,
        gpu_hours=total,
        hours=total / found.count,
        models=models,
    )


def _model_hours(
    plan: TournamentPlan, scripts: Mapping[str, Script], gpus: GpuSet
) -> Iterator[ModelHours]:
    """Yield the GPU hours of each model.

    A match costs a model its share of a match in which it plays all seats.
    """
    names = (*plan.contestants, *plan.opponents)
    models = dict.fromkeys(who.model for who in map(read_contestant, names) if who.model)
    for model in models:
        shares = {name: _share(model, config, scripts) for name, config in runs_of(plan).items()}
        total = sum(shares.values())
        try:
            profile = find_any_profile(model)
        except ServingError:
            why = "no hardware profile of this name"
            yield ModelHours(model=model, matches=total, gpu_hours=None, why=why)
            continue
        try:
            where = plan_engines(profile, gpus)
            hours = 0.0
            for name, config in runs_of(plan).items():
                if not shares[name]:
                    continue
                asked = PlanRequest(
                    model=profile,
                    where=where,
                    game=find_game(config.game),
                    options=config.options,
                    scripts=[scripts[ref.sha256] for ref in config.scripts],
                    matches=max(1, ceil(shares[name] / len(config.scripts))),
                )
                expected = forecast_capacity(asked)
                hours += expected.hours * shares[name] / expected.matches
        except (ConfigError, ServingError) as error:
            yield ModelHours(model=model, matches=total, gpu_hours=None, why=str(error))
        else:
            yield ModelHours(model=model, matches=total, gpu_hours=hours * gpus.count)


def _share(model: str, config: RunConfig, scripts: Mapping[str, Script]) -> float:
    """Return the matches of a run that `model` plays, each weighted by its share of the seats."""
    game, share = find_game(config.game), 0.0
    for ref in config.scripts:
        parts = game.start(scripts[ref.sha256], config.options, config.seed)
        murderers = sum(part.faction == "murderer" for part in parts) / len(parts)
        for pair in config.pairs:
            share += (1 - murderers) * (read_contestant(pair.civilians).model == model)
            share += murderers * (read_contestant(pair.murderer).model == model)
    return share * config.matches * config.rotations
