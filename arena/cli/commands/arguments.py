"""Arguments that several commands share."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from arena.bench.number_checks import check_count
from arena.errors import ConfigError
from arena.records.run_config import MAX_MATCHES

RUNS = Path("runs")
"""Default folder of runs."""
_MAX_NAME_LENGTH = 60
"""Maximum characters of a script's id in a folder's name, which can have 255 bytes."""

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per line, nothing else.")]
IsQuiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only one line per match.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
ShowFull = Annotated[bool, typer.Option("--full", help="Show speeches in full.")]
ShowTruth = Annotated[
    bool, typer.Option("--truth", help="Show everything: who is guilty, private clues, votes.")
]
ShowPictures = Annotated[
    bool, typer.Option("--pictures", help="Draw pictures if the terminal has colours.")
]
Host = Annotated[
    str,
    typer.Option(
        help="Address at which pages are served; addresses other than this host need a token."
    ),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option("--name", help="A host name by which others reach the pages; may be repeated."),
]
Port = Annotated[
    int,
    typer.Option(
        min=0,
        max=65535,
        help="Port of a person's page; 0: a free one, which `arena resume` uses again.",
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        "-c",
        help="Exact number of live matches [default: as --admission decides].",
    ),
]
Admission = Annotated[
    str,
    typer.Option(
        help="on: as many live matches as suit the servers' caches; off: all. --concurrency "
        "replaces it."
    ),
]
GameName = Annotated[str, typer.Option("--game", help="The game, see `arena games`.")]
OptionPairs = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", help="NAME=VALUE of an option of the game; may be repeated."),
]


def parse_pairs(written: Sequence[str]) -> dict[str, str]:
    """Return the values of `NAME=VALUE` texts by name, or raise `ConfigError`."""
    found: dict[str, str] = {}
    for text in written:
        key, mark, value = text.partition("=")
        if not mark:
            raise ConfigError(f"an option must be NAME=VALUE, got {text!r}")
        found[key.strip()] = value.strip()
    return found


def parse_choice(what: str, value: str | None, legal: Sequence[str]) -> str | None:
    """Return `value`, or raise `ConfigError` if it is not legal."""
    if value is not None and value not in legal:
        raise ConfigError(f"{what} must be one of {', '.join(legal)}; got {value!r}")
    return value


def parse_concurrency(value: int | None, admission: str) -> int | None:
    """Return the number of live matches, None if admission control decides; or `ConfigError`."""
    parse_choice("admission", admission, ("on", "off"))
    if value is not None:
        return check_count("the concurrency", value)
    return MAX_MATCHES if admission == "off" else None


def refuse_for_persons(given: Mapping[str, bool]) -> None:
    """Raise `ConfigError` for a flag that persons cannot play with, or that shows them too much."""
    if wrong := [name for name, is_given in given.items() if is_given]:
        raise ConfigError(f"a person plays in this match; leave out {' and '.join(wrong)}")


def parse_folder(path: Path) -> Path:
    """Return the path of a folder to write to; `ConfigError` if the name is impossible.

    Records are JSON, which cannot contain a path that is not UTF-8.
    """
    try:
        str(path).encode()
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return path
    except OSError as error:
        reason = error.strerror or str(error)
    except ValueError:
        reason = "wanted a name in UTF-8, without NUL"
    else:
        return path
    raise ConfigError(f"cannot create the folder {str(path)!r}: {reason}")


def parse_run_folder(path: Path) -> Path:
    """Return the path of a run to create; `ConfigError` if it gives the run no name."""
    if path.name in {"", ".."}:
        raise ConfigError(f"a run has the name of its folder, but {str(path)!r} has no name")
    return parse_folder(path)


def default_run_dir(name: str) -> Path:
    """Return a new folder named by the time and `name`."""
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)
    return RUNS / f"{now}-{safe[:_MAX_NAME_LENGTH]}"
