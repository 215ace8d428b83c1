"""Atomic writing of generated cases: one folder per case."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

from scripts_mm.atomic_folder import check_target
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.facts.facts_file import FACTS_FILE, facts_json
from scripts_mm.generate.case import (
    GeneratedCase,
    case_fact_table,
    draw_pictures,
    picture_file,
    script_with_pictures,
    script_without_pictures,
)
from scripts_mm.safe_io import error_reason
from scripts_mm.script import Language, ScriptError
from scripts_mm.script_folder import save_script


def write_case(
    case: GeneratedCase,
    out: Path,
    fonts: Mapping[Language, Fonts] | None,
    *,
    small: bool = False,
    force: bool = False,
) -> Path:
    """Write `case` to `out/<id>` and return that folder: one folder per language and facts.json.

    With `fonts` its pictures are drawn, `small` or full; without, words replace them. Raises
    ScriptError; then nothing has changed.
    """
    folder = out / case.id
    check_target(folder, FACTS_FILE, force)
    unfinished = out / f".{case.id}.{uuid4().hex}.part"
    try:
        unfinished.mkdir(parents=True)
        for language, told in case.rendered.items():
            if fonts is None:
                save_script(script_without_pictures(told), {}, unfinished / language)
                continue
            drawn = draw_pictures(case, language, fonts[language], small=small)
            files = {picture_file(clue): data for clue, data in drawn.items()}
            save_script(script_with_pictures(told, drawn), files, unfinished / language)
        table = case_fact_table(case, pictures=fonts is not None)
        (unfinished / FACTS_FILE).write_text(facts_json(table), encoding="utf-8")
        _put_in_place(unfinished, folder)
    except OSError as error:
        raise ScriptError(f"cannot write {str(folder)!r}: {error_reason(error)}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _put_in_place(unfinished: Path, folder: Path) -> None:
    """Rename the new folder to its target; on failure restore the old one."""
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
