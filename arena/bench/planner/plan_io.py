"""Input and output of `arena plan`: arguments to a plan, and a forecast to JSON and remarks."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from arena.bench.number_checks import check_count
from arena.bench.planner.capacity_plan import CapacityForecast, PlanRequest
from arena.core.game import SelfContained
from arena.core.options import GameOptions
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.players.model_limits import Overflow
from arena.run.preflight import check_playable
from arena.run.run_scripts import load_scripts
from scripts_mm.catalog import list_entries
from scripts_mm.script import LANGUAGES, Language
from scripts_mm.script_folder import SCRIPT_FILE, LoadedScript
from serving.engine_sim.cost_model.analytic_profile import plan_engines
from serving.engine_sim.cost_model.gpu_kinds import parse_gpu_set
from serving.host.hardware import Hardware, detect
from serving.hub.hub_profile import find_any_profile


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanArgs:
    """Arguments of the command line."""

    model: str
    gpus: str
    scripts: tuple[str, ...]
    """Ids, paths of scripts, or folders of scripts."""
    options: GameOptions
    game: str = DEFAULT
    """Game to which the options belong."""
    language: Language | None = None
    matches: int = 100
    swap: bool = False
    reply: int = 200
    concurrency: int | None = None


def make_plan_request(wanted: PlanArgs, hardware: Hardware | None = None) -> PlanRequest:
    """Return the plan request; `hardware`: None detects this host.

    Raises `ConfigError`, `ScriptError` or `ServingError` for what the user must change, such as a
    model that does not fit.
    """
    check_count("the number of matches", wanted.matches)
    check_count("the length of a text in tokens", wanted.reply)
    if wanted.concurrency is not None:
        check_count("the concurrency", wanted.concurrency)
    model = find_any_profile(wanted.model)
    where = plan_engines(model, parse_gpu_set(wanted.gpus, hardware or detect()))
    loaded = _load_scripts(wanted)
    scripts = {(one.script.id, one.script.language): one.script for one in loaded}
    if len(scripts) < len(loaded):
        raise ConfigError("a script is named twice, in the same language; name each once")
    game = find_game(wanted.game)
    for script in scripts.values():
        check_playable(game, script, wanted.options)
    return PlanRequest(
        model=model,
        where=where,
        game=game,
        options=wanted.options,
        scripts=tuple(scripts.values()),
        matches=wanted.matches,
        swap=wanted.swap,
        reply=wanted.reply,
        concurrency=wanted.concurrency,
    )


def as_object(asked: PlanRequest, told: CapacityForecast) -> dict[str, object]:
    """Return a plan as one object for `--json`; rates and shares have about four digits."""
    where = asked.where
    return {
        "model": asked.model.name,
        "gpu": where.gpus.kind.name,
        "gpus": where.gpus.count,
        "idle_gpus": where.idle,
        "tensor_parallel": where.tensor_parallel,
        "replicas": where.replicas,
        "kv_tokens": where.engine.kv_tokens,
        "scripts": [script.id for script in asked.scripts],
        "game": asked.game.name,
        "options": asdict(asked.options),
        "reply_tokens": asked.reply,
        **json.loads(json.dumps(asdict(told)), parse_float=_round),
        "basis": where.engine.basis,
        "remarks": list(remarks(asked, told)),
    }


def remarks(asked: PlanRequest, told: CapacityForecast) -> Iterator[str]:
    """Yield remarks that readers of the figures must know, the most important one first."""
    where = asked.where
    yield (
        f"{where.engine.basis}: times are estimated from the GPU's published figures with "
        "assumed efficiencies; trust comparisons more than rates, and measure with `arena bench "
        "throughput`"
    )
    yield (
        f"{asked.model.name} plays all seats; texts of {asked.reply} tokens on average and prose "
        "of 4 bytes a token are assumed, not counted"
    )
    yield from _overflow_remarks(asked, told)
    yield from _reorder_remarks(told)
    if where.gpus.remark:
        yield where.gpus.remark
    yield from _sample_remarks(asked, told)
    if told.busy_replicas < where.replicas:
        yield (
            f"there are too few matches for all engines: "
            f"{where.replicas - told.busy_replicas} of {where.replicas} play none"
        )
    if where.idle:
        yield f"{where.idle} of {where.gpus.count} GPUs are left over"


def _overflow_remarks(asked: PlanRequest, told: CapacityForecast) -> Iterator[str]:
    """Yield how players handle a small context, and seats that cannot answer in it."""
    if told.cut_turns_per_match:
        most = asked.model.context_budget or asked.where.engine.context_tokens
        yield (
            f"{told.cut_turns_per_match:.0f} of {told.turns_per_match:.0f} prompts of a match do "
            f"not fit {min(most, asked.where.engine.context_tokens):,} tokens and are "
            f"{_OVERFLOW_PHRASES[asked.model.overflow or 'drop_oldest']}"
        )
    if told.readings_per_match:
        yield (
            f"pictures are read separately, {told.readings_per_match:.0f} readings per match, "
            "and replaced by notes"
        )
    if told.unfinished_matches:
        yield (
            f"{told.unfinished_matches:,} of {told.sample_matches:,} simulated matches end as a "
            "forfeit: choose options that make prompts shorter, or another model"
        )


def _reorder_remarks(told: CapacityForecast) -> Iterator[str]:
    for one in told.reordered:
        yield (
            f"with `-o {one.option}={one.value}`, which changes the rules, prompts of a script's "
            f"matches share longer prefixes: {one.speedup:.2f} times as many matches/h "
            "(simulated)"
        )


def _sample_remarks(asked: PlanRequest, told: CapacityForecast) -> Iterator[str]:
    if not told.extrapolated:
        return
    others = ""
    if told.sample_replicas < asked.where.replicas:
        others = f", on one of {asked.where.replicas} engines"
    yield (
        f"{told.sample_matches:,} of the matches were simulated{others}; the others are assumed "
        "to be like those in steady state"
    )


_OVERFLOW_PHRASES: Mapping[Overflow, str] = {
    "summarise": "summarised (one more call each)",
    "retrieve": "filled with retrieved lines",
    "drop_oldest": "left without the oldest talk",
}


def _round(number: str) -> float:
    """Return a number with four digits."""
    return float(f"{float(number):.4g}")


def _load_scripts(wanted: PlanArgs) -> tuple[LoadedScript, ...]:
    """Return the named scripts; for a folder of scripts, all of them."""
    game = find_game(wanted.game)
    if not wanted.scripts and not isinstance(game, SelfContained):
        raise ConfigError(
            f"Missing argument 'SCRIPTS...': game {wanted.game!r} is played with written scripts"
        )
    names = [name for word in wanted.scripts for name in _expand_folder(word)]
    return load_scripts(game, names, wanted.language)


def _expand_folder(word: str) -> Sequence[str]:
    """Return the scripts in a folder that is not a script itself, else the word unchanged."""
    try:
        path = Path(word).expanduser()
        own = any((path / part / SCRIPT_FILE).exists() for part in ("", *LANGUAGES))
        folder = path.is_dir() and not own
    except (OSError, RuntimeError, ValueError):
        return (word,)
    return [str(entry.folder) for entry in list_entries(path)] or (word,) if folder else (word,)
