"""Redaction of a server's key: removed from responses in every encoding."""

import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from typing import Final
from urllib.parse import quote

MIN_SECRET_CHARS: Final = 8
"""Minimum characters of a secret key. A shorter one, such as `EMPTY` or `none`, is a word that a
reply can contain: it is removed only from error messages.
"""

_MIN_CUT_CHARS: Final = 16
"""Minimum characters of a key that is removed without its end too, as a server may cut it."""
_MAX_CUT: Final = 4
"""Maximum characters that such a key may lack at its end."""
_STRUCK: Final = "***"
_NAMES: Final = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_ESCAPED: Final = "\"'/"
"""Characters that can follow backslashes, as in JSON within JSON."""
_SPELLING_BYTES: Final = 16
"""Bytes of one character in the longest encoding."""


class KeyRedactor:
    """Redactor of one key. A key has only printable ASCII characters, as a header requires."""

    def __init__(self, key: str | None) -> None:
        pattern = _pattern(key) if key else r"(?!)"
        is_secret = key is not None and len(key) >= MIN_SECRET_CHARS
        self._text: Final = re.compile(pattern)
        self._body: Final = re.compile((pattern if is_secret else r"(?!)").encode())
        self._encoded: Final = _encodings(key) if is_secret and key is not None else ()
        self.most_bytes: Final = _SPELLING_BYTES * len(key) if is_secret and key is not None else 0
        """Maximum bytes of the key in a body."""

    def redact_text(self, text: str) -> str:
        """Return `text` without the key, of any length."""
        text = self._text.sub(_STRUCK, text)
        for form in self._encoded:
            text = text.replace(form.decode(), _STRUCK)
        return text

    def redact_body(self, content: bytes) -> bytes:
        """Return `content` without the key, if the key is a secret; a JSON body stays JSON."""
        if not self.most_bytes:
            return content
        content = self._body.sub(_STRUCK.encode(), content)
        for form in self._encoded:
            if form in content:
                content = content.replace(form, _STRUCK.encode())
        return content


def _pattern(key: str) -> str:
    """Return a pattern of `key` in any encoding; a long one can lack up to four characters.

    A part does not end in a quote or a backslash: this can be the end of the surrounding JSON.
    """
    forms = list(map(_spellings, key))
    least = len(key) - _MAX_CUT if len(key) >= _MIN_CUT_CHARS else len(key)
    ends = (
        end
        for end in range(len(key), least - 1, -1)
        if end == len(key) or key[end - 1] not in '"\\'
    )
    tails = "|".join("".join(forms[least:end]) for end in ends)
    return f"{''.join(forms[:least])}(?:{tails})"


def _spellings(character: str) -> str:
    """Return a pattern of `character` in JSON, HTML, URLs and plain text.

    Each alternative begins with a literal character, so that a search skips to the first of them.
    """
    code = f"{ord(character):02x}"
    number = "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in code)
    found = [
        re.escape(character),
        rf"\\\\{{0,3}}(?:u00|x){number}",
        f"%(?:25)?{number}",
        rf"&#(?:0{{0,4}}{ord(character)}|[xX]0{{0,4}}{number});",
    ]
    if character in _ESCAPED:
        found.append(rf"\\\\{{0,3}}{character}")
    if character == "\\":
        found.insert(0, r"\\\\{1,7}")
    if character in _NAMES:
        found.insert(0, rf"(?:&|\\\\{{0,3}}u0026){_NAMES[character]};")
    return f"(?:{'|'.join(found)})"


def _encodings(key: str) -> tuple[bytes, ...]:
    """Return the key in UTF-16 and hex, and the base64 part common to all texts that contain it."""
    digits = key.encode().hex()
    found = {key.encode("utf-16-le"), key.encode("utf-16-be"), digits.encode()}
    found.add(digits.upper().encode())
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            # Each character holds six bits; those at the ends mix the key with its neighbours.
            start, end = -(-before * 8 // 6), (before + len(key)) * 8 // 6
            text = encode(bytes(before) + key.encode())[start:end].decode()
            found |= {form.encode() for form in (text, quote(text, safe=""), _escape(text))}
    return tuple(sorted(found, key=len, reverse=True))


def _escape(text: str) -> str:
    return html.escape(json.dumps(text)[1:-1]).replace("/", "\\/")
