"""The command `arena scripts new`: a small finished script, to be replaced piece by piece."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from scripts_mm.atomic_folder import write_folder
from scripts_mm.command_io import LanguageName, exit_on_error, parse_language
from scripts_mm.facts.facts_file import FACTS_FILE
from scripts_mm.names import id_error
from scripts_mm.script import LANGUAGES, Language, ScriptError
from scripts_mm.script_folder import SCRIPT_FILE

EXAMPLE = Path(__file__).resolve().parent / "examples" / "honey-shed"
"""The example: two languages, two pictures with their data, and a fact table that proves it."""
_HERE = Path(__file__).resolve().parent
_COMMON_FILES: Mapping[str, Path] = {
    "CHECKLIST.md": EXAMPLE / "CHECKLIST.md",
    "drawing.toml": EXAMPLE / "drawing.toml",
    FACTS_FILE: EXAMPLE / FACTS_FILE,
    "schemas/script.schema.json": _HERE / "script.schema.json",
    "schemas/facts.schema.json": _HERE / "facts" / "facts.schema.json",
}
"""Files of a new folder that do not depend on the language."""


def start_script(
    folder: Annotated[Path, typer.Argument(help="New folder; its name is the script's id.")],
    language: LanguageName = None,
) -> None:
    """Start a script: a small finished example in FOLDER, with its schemas and a checklist.

    Without --language in English and Chinese.
    """
    with exit_on_error():
        wanted = parse_language(language)
        name = _check_id(folder)
        languages = LANGUAGES if wanted is None else (wanted,)
        if folder.is_dir() and any(folder.iterdir()):
            raise ScriptError(f"{str(folder)!r} is not empty; name a new or an empty folder")
        write_folder(folder, dict(_files(name, languages)), marker=FACTS_FILE)
    shown = str(folder)
    typer.echo(f"{shown!r} has a finished script of four roles; replace it piece by piece:")
    typer.echo(f"  arena scripts lint {shown}     problems, and questions that give answers away")
    typer.echo(f"  arena scripts prove {shown}    that the clues leave exactly the culprit")
    typer.echo(f"  arena match --script {shown}   play it")
    typer.echo(f"  {folder / 'CHECKLIST.md'}: what to look at before you publish it")


def _check_id(folder: Path) -> str:
    name = folder.absolute().name
    wanted = id_error(name)
    if wanted is not None:
        raise ScriptError(f"the folder's name is the script's id: wanted {wanted}; got {name!r}")
    return name


def _files(name: str, languages: tuple[Language, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of every file of a new script with the id `name`."""
    for path, source in _COMMON_FILES.items():
        yield path, source.read_bytes()
    for language in languages:
        script = json.loads((EXAMPLE / language / SCRIPT_FILE).read_text(encoding="utf-8"))
        text = json.dumps(script | {"id": name}, ensure_ascii=False, indent=1)
        yield f"{language}/{SCRIPT_FILE}", f"{text}\n".encode()
        for picture in sorted((EXAMPLE / language / "pictures").iterdir()):
            yield f"{language}/pictures/{picture.name}", picture.read_bytes()
