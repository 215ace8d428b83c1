"""Costs of each player on one server: real runs, one per player, read from their records."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bench.workload import is_finished
from arena.records.match_summary import MatchSummary
from arena.records.run_config import RunConfig, make_pairs
from arena.run.launch import script_ref, start_run
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCost:
    """Costs of one player's matches against itself."""

    player: str
    """Contestant of both sides."""
    game: str
    finished: int
    """Matches with a winner or a draw."""
    matches: int
    turns: int
    """Requests that a model answered."""
    calls: int
    """Model calls for these requests."""
    fallbacks: int
    """Turns and steps without a valid answer."""
    prompt_tokens: int
    cached_tokens: int | None
    """None: the server does not report them."""
    output_tokens: int
    new_tokens: int
    """Tokens that the server had to compute: uncached prompt tokens, and replies."""
    seconds: float
    """Wall time of all matches together."""

    @property
    def hit_rate(self) -> float | None:
        """Return the cached share of the prompt tokens."""
        if self.cached_tokens is None or not self.prompt_tokens:
            return None
        return self.cached_tokens / self.prompt_tokens


def measure_player(
    contestant: str, config: RunConfig, scripts: Sequence[LoadedScript], folder: Path
) -> PlayerCost:
    """Play a run of `contestant` against itself into `folder`, and return its costs."""
    started = time.monotonic()
    run = replace(
        config,
        pairs=make_pairs(contestant, contestant),
        scripts=tuple(map(script_ref, scripts)),
    )
    played = asyncio.run(start_run(run, scripts, folder, concurrency=None, observer=BaseObserver()))
    seconds = time.monotonic() - started
    summaries = [one for one in played.results if isinstance(one, MatchSummary)]
    cached = [one.cached_tokens for one in summaries if one.cached_tokens is not None]
    prompt = sum(one.prompt_tokens for one in summaries)
    output = sum(one.output_tokens for one in summaries)
    return PlayerCost(
        player=contestant,
        game=config.game,
        finished=sum(map(is_finished, played.results)),
        matches=len(played.results),
        turns=sum(one.turns for one in summaries),
        calls=sum(len(match.calls()) for match in played.run.matches()),
        fallbacks=sum(one.fallbacks for one in summaries),
        prompt_tokens=prompt,
        cached_tokens=sum(cached) if cached else None,
        output_tokens=output,
        new_tokens=prompt - sum(cached) + output,
        seconds=seconds,
    )
