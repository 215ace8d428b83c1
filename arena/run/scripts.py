"""The scripts of a run: written ones that are named, or the one that a game makes itself."""

from collections.abc import Sequence

from arena.core.game import Game, SelfContained
from arena.errors import ConfigError
from scripts_mm.catalog import find_script
from scripts_mm.files import LoadedScript, made_script
from scripts_mm.script import Language


def load_scripts(
    game: Game, names: Sequence[str], language: Language | None
) -> tuple[LoadedScript, ...]:
    """Return the scripts called `names`; of a game that makes its own script, that one.

    Raises `ConfigError` where a script is named for such a game, and `ScriptError` for a script
    that cannot be found or read.
    """
    if not isinstance(game, SelfContained):
        return tuple(find_script(name, language) for name in names)
    if names:
        raise ConfigError(
            f"game {game.name!r} makes its own script and plays no other; leave out {names[0]!r}"
        )
    return (made_script(game.make_script(language or "en")),)
