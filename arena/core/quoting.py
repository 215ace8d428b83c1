"""Quoting of untrusted text in prompts: other players' speech, scripts, rejected replies."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

_TAG = re.compile(r"<(\|?/?[A-Za-z_][\w .:-]{0,40}\|?)>")
_PAIRED = {"Ps": "(", "Pe": ")", "Pi": "’", "Pf": "’"}
"""Replacement of the brackets and quotation marks of each Unicode category."""
_QUOTES = '"`´＂＇‚„″‴‵‶‷′⁗ʺ˝˵˶ˮ״׳〃❛❜❝❞❟❠〝〞〟﹁﹂﹃﹄「」『』｢｣⹂🙶🙷🙸'
"""Quotation marks that Unicode classes as brackets or symbols, and their lookalikes."""
_IGNORABLE = (
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0),
    *(*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
)
"""Invisible characters that Unicode classes as letters, marks or symbols."""
_PLAIN = re.compile(r"[ !#-Z^_a-z|~\u00c0-\u024f\u4e00-\u9fef，。、；：！？…—]*")
"""Text of common characters that need no replacement; apostrophes are handled separately."""
_LATIN = r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
# The pattern begins with the character itself, so that the search skips to it.
_OUTER_APOSTROPHE = re.compile(rf"'(?:(?<![{_LATIN}]')|(?![{_LATIN}]))")


def defuse(text: str) -> str:
    """Return `text` without special tokens or role markers of a chat template or tokenizer."""
    return _TAG.sub(r"‹\1›", text).replace("###", "＃＃＃")


@lru_cache(maxsize=4096)
def quote(text: str) -> str:
    """Return `text` on one line, safe between quotation marks in a prompt.

    Other players' words are untrusted: a line break, a quotation mark, a bracket, an invisible
    character or a chat template's marker could make them look like the host's words or an
    instruction. Round brackets and ’ replace all other brackets and quotation marks; invisible
    characters go first, since a marker could be split by one.
    """
    line = " ".join(text.split())
    if not _PLAIN.fullmatch(line):
        visible = line if line.isprintable() else "".join(filter(str.isprintable, line))
        line = " ".join(visible.translate(_replacements()).split())
    line = _OUTER_APOSTROPHE.sub("’", line)
    return _TAG.sub(r"(\1)", line).replace("###", "＃＃＃")


@cache
def _replacements() -> Mapping[int, str | None]:
    """Return the replacement of each bracket, quotation mark and ignorable character."""
    # All of Unicode's brackets and paired quotation marks are in the first plane.
    categories = ((code, unicodedata.category(chr(code))) for code in range(0x10000))
    paired = {code: _PAIRED[category] for code, category in categories if category in _PAIRED}
    return paired | dict.fromkeys(map(ord, _QUOTES), "’") | dict.fromkeys(_IGNORABLE)
