"""How untrusted words enter a prompt: other players' speech, script texts, replies at fault."""

import re
import unicodedata
from functools import lru_cache

_TAG = re.compile(r"<(\|?/?[A-Za-z_][\w .:-]{0,40}\|?)>")
_QUOTES = dict.fromkeys(map(ord, '“”„‟"＂❝❞〝〞〟「」『』«»'), "’")
_BRACKETS = str.maketrans({"[": "(", "]": ")", "【": "(", "】": ")", "［": "(", "］": ")"})
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def defuse(text: str) -> str:
    """Return `text` without what a chat template or tokenizer would take as a marker of its own."""
    return _TAG.sub(r"‹\1›", text).replace("###", "＃＃＃")


@lru_cache(maxsize=4096)
def quote(text: str) -> str:
    """Return `text` on one line, as it may appear between quotation marks in a prompt.

    Other players' words are untrusted. A line break, a quotation mark, a bracket, an invisible
    character or a chat template's marker could make them look like the host's words or an
    instruction, so none of these is left. A marker split by an invisible character is one, too.
    """
    visible = text if text.isprintable() else _remove_invisible(text)
    return " ".join(defuse(visible).translate(_QUOTES).translate(_BRACKETS).split())


def _remove_invisible(text: str) -> str:
    spaced = "".join(" " if c.isspace() else c for c in text)
    return "".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE)
