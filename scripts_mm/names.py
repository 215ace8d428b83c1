"""What a name may hold, and when two names are too like each other to stand in one script.

Names reach prompts, terminals and file names, so they are checked once, where a script comes in.
"""

import re
import unicodedata

MAX_NAME = 200
"""Characters of a name, id or title."""
MAX_ID = 100
"""Characters of a script's id, which is also a folder's name."""
MAX_FILE_NAME = 200
"""Bytes of a picture's file name in UTF-8; common file systems take 255."""

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories that a reader cannot see: controls, format marks, lone surrogates, breaks."""
_MARK = re.compile(r"###|<\|?/?[A-Za-z_][\w .:-]{0,40}\|?>")
"""What chat templates and tokenizers take for a turn's beginning, a picture or an end."""
_ALIKE = str.maketrans({"#": "＃", "<": "‹", ">": "›"})


def folded(name: str) -> str:
    """Return `name` as it is compared inside one script: NFKC, without case or outer space."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def normal_form(text: str) -> str:
    """Return `text` as names of published data are matched: NFKC, letters and figures only."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


def text_form(text: str) -> str:
    """Return `text` as options and questions are compared: NFKC, without case or white space."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def name_fault(name: str) -> str | None:
    """Tell what is wrong with a name, an id of a clue or question or a title; None: nothing."""
    if not name.strip():
        return "a name that is not empty"
    if name != name.strip():
        return "a name without outer space"
    if len(name) > MAX_NAME:
        return f"a name of at most {MAX_NAME} characters"
    hidden = next((char for char in name if unicodedata.category(char) in _HIDDEN), None)
    if hidden:
        return f"a name without hidden characters (U+{ord(hidden):04X})"
    mark = _MARK.search(name)
    return f"a name without {mark[0]!r}, which models read as a mark of their own" if mark else None


def without_marks(name: str) -> str:
    """Return `name` with letters of another shape where models would read a mark of their own."""
    return _MARK.sub(lambda mark: mark[0].translate(_ALIKE), name)


def text_fault(text: str) -> str | None:
    """Tell what is wrong with running text; None: nothing. Line breaks and tabs are allowed."""
    for char in text:
        if char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs"):
            return f"text without control characters (U+{ord(char):04X})"
    return None


def id_fault(name: str) -> str | None:
    """Tell why `name` may not be a script's id, which names a folder; None: it may."""
    if not name or len(name) > MAX_ID:
        return f"an id of 1 to {MAX_ID} characters"
    if not name[0].isalnum() or name.endswith("."):
        return "an id that begins with a letter or figure and does not end with a full stop"
    if not all(char.isalnum() or char in "._-" for char in name):
        return "an id of letters, figures, '.', '_' and '-'"
    return None


def file_fault(name: str) -> str | None:
    """Tell why `name` may not be a picture's file name; None: it is a plain name of one file."""
    if "/" in name or "\\" in name:
        return "a plain file name inside pictures/, without folders"
    if len(name.encode("utf-8", "replace")) > MAX_FILE_NAME:
        return f"a file name of at most {MAX_FILE_NAME} bytes"
    return "a file name that does not begin with '.'" if name.startswith(".") else name_fault(name)
