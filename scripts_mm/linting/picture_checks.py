"""Checks of pictures: size for the model families, and texts for models without vision."""

import re
from collections import defaultdict

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import Clue, Picture, Script, ScriptError
from scripts_mm.script_texts import CJK
from scripts_mm.vision_tokens import (
    SERVED_MAX_PIXELS,
    VISION_FAMILIES,
    VISION_TOKEN_RULES,
    VisionFamily,
    count_vision_tokens,
    input_size,
)

_MANY = 16_384
"""Tokens of all pictures: half of a 32k context."""
_TINY = 56
"""Minimum pixels of a side for readable content."""
_FIGURE = re.compile(r"\d{2,}")
_WORD = re.compile(r"[^\W\d_]{5,}")
_SHARED = 3
"""Consecutive Chinese characters that count as a reference to another text."""


def check_pictures(script: Script, notes: FindingLog) -> None:
    """Note pictures that a family rejects or shrinks much, and missing descriptions."""
    for picture in script.pictures:
        _note_size(picture, notes)
    _note_missing(script, notes)
    for family in VISION_FAMILIES:
        total = sum(_count_tokens(picture, family) for picture in script.pictures)
        if total > _MANY:
            detail = f"{len(script.pictures)} pictures take {total} tokens of {family}"
            notes.info("pictures-heavy", "pictures", detail)


def check_duplicate_pictures(script: Script, notes: FindingLog) -> None:
    """Note a picture that is shown twice, or with two transcripts."""
    clues: defaultdict[str, list[str]] = defaultdict(list)
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for clue in script.clues:
        for picture in clue.pictures:
            clues[picture.sha256].append(clue.id)
            texts[picture.sha256].add(text_form(picture.transcript))
    for picture in {one.sha256: one for one in script.pictures}.values():
        if len(texts[picture.sha256]) > 1:
            notes.warn("picture-two-texts", picture.file, "one picture has several transcripts")
        if len(clues[picture.sha256]) > 1:
            detail = f"shown {len(clues[picture.sha256])} times: {', '.join(clues[picture.sha256])}"
            notes.info("picture-twice", picture.file, detail)


def check_unreferenced_pictures(script: Script, notes: FindingLog) -> None:
    """Note pictures with unreferenced text, if the script has annotations."""
    said = [text_form(text) for text in _referring_texts(script)]
    if not said:
        return
    for clue in script.clues:
        for picture in clue.pictures:
            if picture.transcript and not _is_referenced(clue, picture, said, script):
                detail = "no question, key clue or truth refers to its text"
                notes.info("text-not-taken-up", picture.file, detail)


def _referring_texts(script: Script) -> list[str]:
    asked = ["\n".join((one.stem, *one.options)) for one in script.questions]
    keys = [key.text for key in script.truth.key_clues]
    return [text for text in (*asked, *keys, script.truth.text, script.truth.method) if text]


def _is_referenced(clue: Clue, picture: Picture, said: list[str], script: Script) -> bool:
    """Return whether a number, long word or Chinese phrase of the picture's text is used."""
    if any(clue.id in one.clues for one in (*script.questions, *script.truth.key_clues)):
        return True
    form = picture.transcript.casefold()
    marks = {*_FIGURE.findall(form), *(w for w in _WORD.findall(form) if not CJK.search(w))}
    plain = text_form(form)
    marks |= {
        plain[at : at + _SHARED]
        for at in range(len(plain) - _SHARED + 1)
        if len(CJK.findall(plain[at : at + _SHARED])) == _SHARED
    }
    return any(mark in text for mark in marks for text in said)


def _note_size(picture: Picture, notes: FindingLog) -> None:
    size = f"{picture.width}x{picture.height}"
    if min(picture.width, picture.height) < _TINY:
        notes.warn("picture-small", picture.file, f"{size} pixels are too few for details")
    shrunk: list[str] = []
    for family in VISION_FAMILIES:
        rule = VISION_TOKEN_RULES[family]
        if rule.fixed is not None:
            continue
        try:
            full = count_vision_tokens(picture.width, picture.height, family)
            width, height = input_size(
                picture.width, picture.height, family, max_pixels=SERVED_MAX_PIXELS
            )
        except ScriptError as error:
            notes.error("picture-too-long", picture.file, str(error))
            return
        if full * rule.factor**2 > SERVED_MAX_PIXELS:
            shrunk.append(f"{family} {full} tokens, seen at {width}x{height}")
    if shrunk:
        detail = f"{size} is above the servers' limit: {'; '.join(shrunk)}"
        notes.info("picture-over-budget", picture.file, detail)


def _note_missing(script: Script, notes: FindingLog) -> None:
    lacking = {
        "no-transcript": [one.file for one in script.pictures if _lacks_transcript(one)],
        "no-description": [one.file for one in script.pictures if not one.description],
        "no-kind": [one.file for one in script.pictures if one.kind is None],
    }
    wants = {
        "no-transcript": "without pictures their text cannot be shown",
        "no-description": "without pictures they cannot be described",
        "no-kind": "neither text nor media",
    }
    for code, files in lacking.items():
        if files:
            notes.info(
                code, "pictures", f"{len(files)} pictures ({', '.join(files)}): {wants[code]}"
            )


def _lacks_transcript(picture: Picture) -> bool:
    return not picture.transcript and picture.kind != "media"


def _count_tokens(picture: Picture, family: VisionFamily) -> int:
    try:
        return count_vision_tokens(
            picture.width, picture.height, family, max_pixels=SERVED_MAX_PIXELS
        )
    except ScriptError:
        return 0
