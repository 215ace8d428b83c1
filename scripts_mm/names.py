"""Rules for names: allowed characters, reserved words, and forms for comparison.

Names reach prompts, terminals and file names, so they are checked once, when a script is read.
"""

import re
import unicodedata

MAX_NAME = 200
"""Characters of a name, id or title."""
MAX_ID = 100
"""Characters of a script's id, which is also a folder's name."""
MAX_FILE_NAME = 200
"""Bytes of a picture's file name in UTF-8; common file systems allow 255."""

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Invisible Unicode categories: controls, format marks, lone surrogates, separators."""
_CONTROL = re.compile(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]")
"""Category Cc except tab and line feed, or Cs; a script has pages of text to search."""
_MARK = re.compile(r"###|<\|?/?[A-Za-z_][\w .:-]{0,40}\|?>")
"""Looks like a special token of a chat template or tokenizer."""
_ALIKE = str.maketrans({"#": "＃", "<": "‹", ">": "›"})
_PAIRED = ("Ps", "Pe", "Pi", "Pf")
"""Unicode categories of brackets and of opening and closing quotation marks."""
_QUOTES = frozenset("\"'`´„‚「」『』〝〞〟")
_SEPARATORS = frozenset("<>/:,;、､→")
"""Characters that separate names in lists, speaker and speech, voter and choice."""
_APOSTROPHES = frozenset("'’‘＇")
_SENTENCE_ENDS = frozenset(".。!?")
_LONGEST_ABBREVIATION = 3
_LINE = re.compile(r"->|\b(?:asks|votes for)\b|投票给|投给", re.IGNORECASE)
"""Words that join two names in a line of the game's log."""
_RESERVED = frozenset(
    {
        *("abstain", "nobody", "noone", "host", "thehost", "everybody", "all", "skip", "over"),
        *("you", "i", "none", "unknown", "你", "您", "我", "无", "未知", "没有人"),
        *("主持人", "主持", "法官", "弃权", "无人", "所有人"),
    }
)
"""Options, addressees, pronouns and control words of the game, in `normal_form`."""


def fold_name(name: str) -> str:
    """Return `name` for comparison inside one script: NFKC, case-folded and stripped."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def normal_form(text: str) -> str:
    """Return `text` for matching names of published data: NFKC, letters and digits only."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


def text_form(text: str) -> str:
    """Return `text` for comparing options and questions: NFKC, case-folded, no white space."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def name_error(name: str) -> str | None:
    """Return the requirement that a name, id or title violates; None: it is valid."""
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
    return f"a name without {mark[0]!r}, which models read as a special token" if mark else None


def role_name_error(name: str) -> str | None:
    """Return the requirement that a role's name or alias violates; None: it is valid.

    Seats answer with names, so a name must not look like a list, a quotation, a speaker's label
    or a reserved word of the game.
    """
    if (error := name_error(name)) is not None:
        return error
    if is_reserved(name):
        return "a role's name that is not a word of the game (abstain, nobody, host, 主持人, ...)"
    if (line := _LINE.search(name)) is not None:
        return f"a role's name without {line[0]!r}, which reads as a line of the game"
    found = next((char for at, char in enumerate(name) if _is_separator(name, at)), None)
    what = "a role's name without quotation marks, brackets, sentence ends and separators"
    return None if found is None else f"{what} ({found}, U+{ord(found):04X})"


def is_reserved(name: str) -> bool:
    """Return whether `name` is an option, addressee or control word of the game."""
    return normal_form(name) in _RESERVED


def strip_separators(name: str) -> str:
    """Return `name` without quotation marks and with a space for each other separator."""
    plain = _LINE.sub(" ", name)
    kept = (
        _separator_replacement(plain, at) if _is_separator(plain, at) else plain[at]
        for at in range(len(plain))
    )
    shorter = " ".join("".join(kept).split())
    # The rest can form a new separator: “vo"tes" for”.
    return name if shorter == name else strip_separators(shorter)


def _is_separator(name: str, at: int) -> bool:
    """Return whether the character at `at` is a quotation mark, bracket or separator.

    An apostrophe inside a word and the full stop of an abbreviation are not.
    """
    char = name[at]
    if char in _APOSTROPHES:
        return not (_is_cased(name[at - 1 : at]) and _is_cased(name[at + 1 : at + 2]))
    if char == "." and _ends_abbreviation(name, at):
        return False
    return _is_quote(char) or any(
        one in _SEPARATORS or one in _SENTENCE_ENDS or unicodedata.category(one) in _PAIRED
        for one in unicodedata.normalize("NFKC", char)
    )


def _ends_abbreviation(name: str, at: int) -> bool:
    """Return whether one to three letters that have a case precede `at`, as in “Mrs”."""
    last = re.split(r"[\s.-]", name[:at])[-1]
    return 1 <= len(last) <= _LONGEST_ABBREVIATION and all(map(_is_cased, last))


def _separator_replacement(name: str, at: int) -> str:
    return "" if _is_quote(name[at]) else " "


def _is_quote(char: str) -> bool:
    return (
        char in _APOSTROPHES
        or unicodedata.normalize("NFKC", char) in _QUOTES
        or (char in _QUOTES or unicodedata.category(char) in ("Pi", "Pf"))
    )


def _is_cased(char: str) -> bool:
    """Return whether `char` has upper and lower case: between such letters an apostrophe joins."""
    return char.lower() != char.upper()


def strip_marks(name: str) -> str:
    """Return `name` with look-alike characters in place of special tokens."""
    return _MARK.sub(lambda mark: mark[0].translate(_ALIKE), name)


def text_error(text: str) -> str | None:
    """Return the requirement that running text violates; line breaks and tabs are allowed."""
    found = _CONTROL.search(text)
    return f"text without control characters (U+{ord(found[0]):04X})" if found else None


def id_error(name: str) -> str | None:
    """Return the requirement that a script's id, a folder's name, violates; None: it is valid."""
    if not name or len(name) > MAX_ID:
        return f"an id of 1 to {MAX_ID} characters"
    if not name[0].isalnum() or name.endswith("."):
        return "an id that begins with a letter or digit and does not end with a full stop"
    if not all(char.isalnum() or char in "._-" for char in name):
        return "an id of letters, digits, '.', '_' and '-'"
    return None


def file_error(name: str) -> str | None:
    """Return the requirement that a picture's file name violates; None: it is valid."""
    if "/" in name or "\\" in name:
        return "a plain file name inside pictures/, without folders"
    if len(name.encode("utf-8", "replace")) > MAX_FILE_NAME:
        return f"a file name of at most {MAX_FILE_NAME} bytes"
    return "a file name that does not begin with '.'" if name.startswith(".") else name_error(name)
