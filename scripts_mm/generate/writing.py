"""Writing generated cases: a folder a case, all or nothing."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.facts.files import FACTS, facts_json
from scripts_mm.files import save_script
from scripts_mm.generate.case import (
    Case,
    draw_pictures,
    file_of,
    pictured_script,
    spoken_script,
    table_of,
)
from scripts_mm.reading import reason_of
from scripts_mm.script import Language, ScriptError
from scripts_mm.writing import refuse_target


def write_case(
    case: Case,
    out: Path,
    fonts: Mapping[Language, Fonts] | None,
    *,
    small: bool = False,
    force: bool = False,
) -> Path:
    """Write `case` to a folder of its name in `out` and return it: a folder a language, facts.json.

    With `fonts` its pictures are drawn, `small` or whole; without, words tell what they would show.
    Raises ScriptError; then nothing changed.
    """
    folder = out / case.id
    refuse_target(folder, FACTS, force)
    unfinished = out / f".{case.id}.{uuid4().hex}.part"
    try:
        unfinished.mkdir(parents=True)
        for language, told in case.told.items():
            if fonts is None:
                save_script(spoken_script(told), {}, unfinished / language)
                continue
            drawn = draw_pictures(case, language, fonts[language], small=small)
            files = {file_of(clue): data for clue, data in drawn.items()}
            save_script(pictured_script(told, drawn), files, unfinished / language)
        table = table_of(case, pictures=fonts is not None)
        (unfinished / FACTS).write_text(facts_json(table), encoding="utf-8")
        _put_in_place(unfinished, folder)
    except OSError as error:
        raise ScriptError(f"cannot write {str(folder)!r}: {reason_of(error)}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _put_in_place(unfinished: Path, folder: Path) -> None:
    """Rename the new folder to its place; an old one steps aside until that is done."""
    old = folder.with_name(f".{folder.name}.{uuid4().hex}.old")
    if folder.exists():
        folder.rename(old)
    try:
        unfinished.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
