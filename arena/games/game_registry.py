"""Registry of games: those of the project and those of installed packages."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from arena.core.game import Game
from arena.errors import ConfigError
from arena.games.mirage.game import MIRAGE
from arena.games.questum.game import QUESTUM
from arena.games.reading.game import READING
from arena.games.thinkthrice.game import THINKTHRICE
from arena.games.werewolf5.game import WEREWOLF5
from arena.games.whodunit.game import WHODUNIT

GROUP = "murder_arena.games"
"""The entry-point group in which a package registers a `Game` value."""
DEFAULT = WHODUNIT.name
_OWN: tuple[Game, ...] = (WHODUNIT, THINKTHRICE, MIRAGE, WEREWOLF5, QUESTUM, READING)


@cache
def all_games() -> Mapping[str, Game]:
    """Return every game by name; raise `ConfigError` for a faulty package."""
    games: dict[str, Game] = {game.name: game for game in _OWN}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        game = _load(point)
        if game.name in games:
            raise ConfigError(
                f"entry point {point.value!r} registers a second game named {game.name!r}; "
                "rename it or uninstall its package"
            )
        games[game.name] = game
    return MappingProxyType(games)


def find_game(name: str) -> Game:
    """Return the game `name`, or raise `ConfigError`."""
    games = all_games()
    if name not in games:
        raise ConfigError(f"no game {name!r}; there are: {', '.join(games)}")
    return games[name]


def _load(point: EntryPoint) -> Game:
    try:
        game: Game = point.load()
    except Exception as error:
        raise ConfigError(
            f"entry point {point.value!r} of group {GROUP!r} cannot be loaded: {error!r}; "
            "fix or uninstall its package"
        ) from error
    if point.name != getattr(game, "name", None):
        raise ConfigError(
            f"entry point {point.name!r} of group {GROUP!r} must be a game of that name, got "
            f"{type(game).__name__} {getattr(game, 'name', '')!r}"
        )
    return game
