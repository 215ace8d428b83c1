"""Every player in every game: matches end, nothing falls back, calls are what the formulas say."""

import pytest

from arena.core.game import ReferenceGame, SelfContained
from arena.core.purposes import Purpose
from arena.errors import ConfigError
from arena.games.game_registry import all_games
from arena.players.contestants import read_contestant
from arena.players.player_registry import ModelKind, all_players
from arena.run.call_counts import CallCounts, count_calls
from tests.arena.games.cases import case_of, short_options

GAMES = tuple(all_games())
PLAYERS = tuple(name for name, kind in all_players().items() if isinstance(kind, ModelKind))


def counted(game: str, civilians: str, murderer: str) -> CallCounts:
    """Return the calls of a short match."""
    rules = all_games()[game]
    return count_calls(
        rules,
        case_of(rules),
        short_options(rules),
        {"civilians": read_contestant(civilians), "murderer": read_contestant(murderer)},
    )


def suits(game: str, player: str) -> bool:
    """Tell whether a player has something to do in a game."""
    kind = all_players()[player]
    is_reader = isinstance(kind, ModelKind) and not kind.plays_talk
    return not is_reader or isinstance(all_games()[game], ReferenceGame)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_plays_every_game_on_either_side_without_a_fallback(
    game: str, player: str
) -> None:
    if not suits(game, player):
        with pytest.raises(ConfigError, match="has no method for the talk"):
            counted(game, f"m+{player}", f"m+{player}")
        return
    for civilians, murderer in ((f"m+{player}", "random"), ("random", f"m+{player}")):
        found = counted(game, civilians, murderer)
        assert found.outcome in {"civ_win", "murderer_win", "draw"}
        assert found.fallbacks == 0
        assert sum(found.calls.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_direct_makes_one_call_a_request_and_cot_two(game: str) -> None:
    direct, cot = (counted(game, f"m+{player}", f"m+{player}") for player in ("direct", "cot"))
    assert direct.calls == direct.requests
    assert cot.calls == {purpose: 2 * number for purpose, number in cot.requests.items()}
    assert direct.steps == cot.steps == 0


@pytest.mark.parametrize("player", PLAYERS)
def test_formulas_are_stated_for_known_purposes(player: str) -> None:
    kind = all_players()[player]
    assert isinstance(kind, ModelKind)
    cost = kind.cost(kind.options)
    assert set(cost.calls) <= {*map(str, Purpose), "any"}
    assert cost.depth(6) >= cost.depth(4) >= 1
    assert cost.width(6) >= cost.width(4) >= 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", ["naive", "naive-data"])
def test_a_player_that_repeats_its_script_needs_one(game: str, player: str) -> None:
    if isinstance(all_games()[game], SelfContained):
        with pytest.raises(ConfigError, match="has no written case"):
            counted(game, player, player)
    else:
        assert counted(game, player, player).outcome


def test_notes_are_one_more_call_for_each_turn_with_words() -> None:
    plain, notes = (
        counted("whodunit", f"m+direct{way}", f"m+direct{way}") for way in ("", ":notes=yes")
    )
    extra = sum(notes.calls.values()) - sum(plain.calls.values())
    assert extra == notes.steps > 0
    assert notes.calls[Purpose.VOTE] == plain.calls[Purpose.VOTE]


def test_a_seat_without_memory_is_asked_as_often() -> None:
    plain, none = (
        counted("whodunit", f"m+direct{way}", f"m+direct{way}") for way in ("", ":memory=none")
    )
    assert plain.requests == none.requests == none.calls
