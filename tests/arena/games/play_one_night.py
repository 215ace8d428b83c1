"""Play the installed third-party game: a program that a test runs where it is installed."""

import asyncio
import json
import sys
from dataclasses import replace
from random import Random

from arena.core.actions import Action
from arena.core.observation import Observation, observe
from arena.core.options import option_choices, option_help
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.games.game_registry import all_games, find_game
from arena.players.baselines import RandomPlayer
from arena.players.prompts import header, instruction, lines
from arena.players.replies.decoding import reply_constraint, reply_token_limit
from tests.table import (
    act,
    case,
    hostile,
    setup,
)


def main() -> None:
    """Print one JSON object: the games there are, and how matches of one-night went."""
    game = find_game("one-night")
    outcomes: list[str] = []
    prompts: list[str] = []
    for seed in range(20):
        chance = Random(seed)
        script = replace(case(), language="zh" if seed % 2 else "en")
        options = game.options(**dict(game.presets["default"]))  # pyright: ignore[reportArgumentType]
        state = start_state(game, setup(options, script=script, seed=seed))
        while waiting := pending(state):
            request = waiting[0]
            seen = observe(state, request.seat)
            prompts.append(render(seen, request))
            answer = (
                hostile(request, chance) if seed >= 10 else play_randomly(seen, request, chance)
            )
            state = act(state, request, answer)
        assert state.ended is not None
        outcomes.append(state.ended.outcome)
        prompts += [render_log(state, seat) for seat in state.started.seats]
    described = {**option_help(game.options), **option_choices(game.options)}
    json.dump(
        {
            "games": list(all_games()),
            "loaded_from": sys.modules[type(game).__module__].__file__,
            "outcomes": outcomes,
            "unfilled": [text for text in prompts if "{seat}" in text or "{options}" in text],
            "shortest_prompt": min(map(len, prompts)),
            "options": sorted(described),
        },
        sys.stdout,
    )


def play_randomly(seen: Observation, request: DecisionRequest, chance: Random) -> Action:
    """Return the answer of the project's random player."""
    return asyncio.run(RandomPlayer().act(seen, request, chance)).action


def render(seen: Observation, request: DecisionRequest) -> str:
    """Return the whole prompt of a model player, and check that a reply can be decoded."""
    reply_constraint(request.spec, seen.language, reply_tokens=400)
    assert reply_token_limit(request.spec, seen.language, reply_tokens=400) <= 400
    log = lines(seen, 0, len(seen.events))
    told = [message.text for message in (*header(seen), *log)]
    return "\n".join((*told, instruction(seen, request)))


def render_log(state: MatchState, seat: SeatId) -> str:
    """Return all that a seat was told by the end."""
    seen = observe(state, seat)
    return "\n".join(message.text for message in lines(seen, 0, len(seen.events)))


if __name__ == "__main__":
    main()
