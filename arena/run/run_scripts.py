"""The scripts of a run: written ones that are named, or the one that a game makes itself."""

from collections.abc import Sequence

from arena.core.game import Game, SelfContained
from arena.errors import ConfigError
from arena.records.run_record import RunRecord
from scripts_mm.catalog import find_script
from scripts_mm.facts.fact_table import FactTable
from scripts_mm.facts.facts_file import facts_json, load_facts
from scripts_mm.script import Language, ScriptError
from scripts_mm.script_folder import LoadedScript, wrap_script


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
    return (wrap_script(game.make_script(language or "en")),)


def copy_script(run: RunRecord, loaded: LoadedScript) -> None:
    """Copy a script, its pictures and its fact table into the run."""
    run.save_script(loaded.sha256, loaded.script)
    if (table := find_facts(loaded)) is not None:
        run.save_facts(loaded.sha256, facts_json(table))
    for picture in loaded.script.pictures:
        run.save_picture(picture.sha256, loaded.read_picture(picture))


def find_facts(loaded: LoadedScript) -> FactTable | None:
    """Return the fact table beside a script; None: there is none that can be read.

    No match needs one, so a damaged table, or a stranger's file of that name, stops no run.
    """
    try:
        return load_facts(loaded.folder) if loaded.path else None
    except ScriptError:
        return None
