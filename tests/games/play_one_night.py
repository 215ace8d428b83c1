"""Play the installed third-party game: a program that a test runs where it is installed."""

import json
import sys
from dataclasses import replace
from random import Random

from arena.core.observation import observe
from arena.core.options import option_choices, option_help
from arena.core.playout import start_state
from arena.games.registry import all_games, find_game
from tests.table import case, hostile, legal, play, setup


def main() -> None:
    """Print one JSON object: the games there are, and how matches of one-night went."""
    game = find_game("one-night")
    outcomes: list[str] = []
    prompts: list[str] = []
    for seed in range(20):
        language = "zh" if seed % 2 else "en"
        chance = Random(seed)
        script = replace(case(), language=language)
        options = game.options(**dict(game.presets["default"]))  # pyright: ignore[reportArgumentType]
        answer = legal if seed < 10 else hostile
        state = play(
            start_state(game, setup(options, script=script, seed=seed)),
            lambda request, answer=answer, chance=chance: answer(request, chance),
        )
        assert state.ended is not None
        outcomes.append(state.ended.outcome)
        for seat in state.started.seats:
            texts = game.texts(observe(state, seat))
            prompts += [texts.rules(), texts.role()]
    described = {**option_help(game.options), **option_choices(game.options)}
    json.dump(
        {
            "games": list(all_games()),
            "loaded_from": sys.modules[type(game).__module__].__file__,
            "outcomes": outcomes,
            "shortest_prompt": min(map(len, prompts)),
            "options": sorted(described),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
