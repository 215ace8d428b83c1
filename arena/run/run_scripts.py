"""Scripts of a run: written ones given by name, or the one that the game generates."""

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
    """Return the scripts called `names`, or the script that the game generates.

    Raises `ConfigError` if a script is named for a game that generates its own, and `ScriptError`
    for a script that cannot be found or read.
    """
    if not isinstance(game, SelfContained):
        return tuple(find_script(name, language) for name in names)
    if names:
        raise ConfigError(
            f"game {game.name!r} generates its own script and plays no other; leave out "
            f"{names[0]!r}"
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
    """Return the fact table of a script's folder; None: there is none that can be read.

    Matches do not need it, so a damaged table or an unrelated file of that name does not stop a
    run.
    """
    try:
        return load_facts(loaded.folder) if loaded.path else None
    except ScriptError:
        return None
