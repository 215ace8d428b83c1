"""`arena games`: what can be played, and with which options."""

import json
from collections.abc import Callable

from arena.core.options import option_choices, option_help
from arena.games.game_registry import all_games
from tests.arena.cli.conftest import Told

Program = Callable[..., Told]


def test_every_game_is_one_object_with_its_options_and_presets(program: Program) -> None:
    told = program("games", "--json")
    assert (told.status, told.err) == (0, "")
    rows = {row["game"]: row for row in map(json.loads, told.out.splitlines())}
    assert set(rows) == set(all_games())
    for name, game in all_games().items():
        row = rows[name]
        assert set(row) == {"game", "about", "options", "presets"}
        assert {key: one["values"] for key, one in row["options"].items()} == option_choices(
            game.options
        )
        assert {key: one["about"] for key, one in row["options"].items()} == option_help(
            game.options
        )
        assert row["presets"] == {key: dict(values) for key, values in game.presets.items()}
        assert row["options"]["attempts"]["default"] == 3


def test_a_person_reads_the_default_of_each_option_first(program: Program) -> None:
    told = program("games", "--no-color")
    assert told.status == 0, told.err
    lines = " ".join(told.out.split())
    assert "game whodunit: " in lines
    assert "votes | script | shuffled" in lines
    assert "preset default: as above" in lines
    assert "preset short: rounds=1, speech_words=80" in lines
