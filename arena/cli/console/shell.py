"""Shell line with which the user runs this program again."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def shell_command(*words: str) -> str:
    """Return a shell line: the program as found from here, then `words`."""
    return shlex.join([_program(), *words])


def _program() -> str:
    here = Path(sys.argv[0])
    if here.name != "arena" or not here.is_file():
        return "arena"
    found = shutil.which("arena")
    if found is not None and Path(found).samefile(here):
        return "arena"
    relative = os.path.relpath(here)
    return relative if not relative.startswith("..") else str(here)
