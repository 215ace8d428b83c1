"""The catalog of scripts: list a library, find a script by its id or path."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from scripts_mm.safe_io import list_folder, safe_check
from scripts_mm.script import LANGUAGES, Language, ScriptError
from scripts_mm.script_folder import SCRIPT_FILE, LoadedScript, load_script, read_script_file

LIBRARY = Path(__file__).resolve().parent / "library"
"""The bundled scripts: `<id>/<language>/script.json`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """A script of a library, in all its languages."""

    id: str
    languages: tuple[Language, ...]
    title: str
    """The English title if there is one, else that of the first language."""
    folder: Path
    """Contains one native folder per language (`en`, `zh`), or is the native folder itself."""


def list_bundled() -> tuple[CatalogEntry, ...]:
    """Return the bundled scripts, by id. Raises ScriptError for a broken one."""
    return list_entries(LIBRARY)


def list_entries(library: Path) -> tuple[CatalogEntry, ...]:
    """Return the scripts in `library`, by id. Raises ScriptError for a broken one."""
    return tuple(_read_entry(folder) for folder in _script_folders(library))


def list_readable(library: Path) -> tuple[tuple[CatalogEntry, ...], tuple[str, ...]]:
    """Return the scripts in `library`, by id, and one error line for each broken one.

    Raises ScriptError if `library` is not a readable folder.
    """
    if not safe_check(library.is_dir):
        raise ScriptError(f"{str(library)!r} is not a folder of scripts")
    found: list[CatalogEntry] = []
    broken: list[str] = []
    for folder in _script_folders(library):
        try:
            found.append(_read_entry(folder))
        except ScriptError as error:
            broken.append(str(error))
    return tuple(found), tuple(broken)


def find_script(
    name_or_path: str, language: Language | None = None, extra: Sequence[Path] = ()
) -> LoadedScript:
    """Load a script by its id in the library or in the libraries `extra`, or by a path.

    A path names a script's folder or a folder with one script per language. The default language
    is English if the script has it. Raises ScriptError, which lists the known ids.
    """
    folder = _find_folder(name_or_path, (LIBRARY, *extra))
    loaded = load_script(_language_folder(folder, language))
    if language is not None and loaded.script.language != language:
        raise ScriptError(
            f"script {name_or_path!r} is in {loaded.script.language!r}, not in {language!r}"
        )
    return loaded


def _script_folders(library: Path) -> list[Path]:
    """Return the folders of `library` that are scripts, without hidden ones."""
    folders = sorted(list_folder(library)) if safe_check(library.is_dir) else []
    return [one for one in folders if _is_script(one) and not one.name.startswith(".")]


def _read_entry(folder: Path) -> CatalogEntry:
    here = safe_check((folder / SCRIPT_FILE).exists)
    languages = _languages_in(folder)
    model = read_script_file(folder if here else folder / languages[0])
    return CatalogEntry(
        id=folder.name,
        languages=(model.language,) if here else languages,
        title=model.title,
        folder=folder,
    )


def _languages_in(folder: Path) -> tuple[Language, ...]:
    return tuple(
        language for language in LANGUAGES if safe_check((folder / language / SCRIPT_FILE).exists)
    )


def _find_folder(name: str, libraries: Sequence[Path]) -> Path:
    if not name.strip():
        raise ScriptError(f"wanted a script's id or a path to one, got {name!r}")
    try:
        path = Path(name).expanduser()
        for library in libraries:
            if path.name == name and _is_script(library / name):
                return library / name
        if path.name == SCRIPT_FILE and path.is_file():
            return path.parent
        if path.exists() or path.name != name:
            return path
    except (OSError, RuntimeError, ValueError) as error:
        raise ScriptError(f"{name!r} is neither a script's id nor a valid path") from error
    raise ScriptError(_unknown_message(name, libraries))


def _is_script(folder: Path) -> bool:
    return safe_check((folder / SCRIPT_FILE).exists) or bool(_languages_in(folder))


def _unknown_message(name: str, libraries: Sequence[Path]) -> str:
    known = sorted({folder.name for library in libraries for folder in _script_folders(library)})
    there = f"known ids: {', '.join(known)}" if known else "the library is empty"
    near = get_close_matches(name.casefold(), [one.casefold() for one in known], n=3)
    close = [one for one in known if one.casefold() in near]
    ask = f"; did you mean {' or '.join(map(repr, close))}" if close else ""
    return f"no script {name!r}{ask}; {there}; a path to a script's folder works too"


def _language_folder(folder: Path, language: Language | None) -> Path:
    """Return the native folder: `folder` itself, or its subfolder for the language."""
    if safe_check((folder / SCRIPT_FILE).exists) or not safe_check(folder.is_dir):
        return folder
    languages = _languages_in(folder)
    if not languages:
        raise ScriptError(
            f"{str(folder)!r} is not a script: it contains neither {SCRIPT_FILE} nor a folder "
            f"{' or '.join(LANGUAGES)} with one"
        )
    if language is not None and language not in languages:
        raise ScriptError(
            f"script {folder.name!r} is not in {language!r}; it is in {', '.join(languages)}"
        )
    return folder / (language or languages[0])
