"""Can the pictures be seen by the model families, and by players who see no pictures."""

from scripts_mm.findings import Notebook
from scripts_mm.script import Picture, Script, ScriptError
from scripts_mm.tokens import FAMILIES, RULES, SERVED_MAX_PIXELS, Family, resized, tokens

_MANY = 16_384
"""Tokens of all pictures together from which half of a 32k context is gone."""
_TINY = 56
"""Pixels of a side below which nothing can be read."""


def check_pictures(script: Script, notes: Notebook) -> None:
    """Note pictures that a family cannot take or sees much smaller, and missing descriptions."""
    for picture in script.pictures:
        _note_size(picture, notes)
    _note_missing(script, notes)
    for family in FAMILIES:
        total = sum(_tokens(picture, family) for picture in script.pictures)
        if total > _MANY:
            detail = f"{len(script.pictures)} pictures take {total} tokens of {family}"
            notes.info("pictures-heavy", "pictures", detail)


def _note_size(picture: Picture, notes: Notebook) -> None:
    size = f"{picture.width}x{picture.height}"
    if min(picture.width, picture.height) < _TINY:
        notes.warn("picture-small", picture.file, f"{size} pixels show little")
    shrunk: list[str] = []
    for family in FAMILIES:
        rule = RULES[family]
        if rule.fixed is not None:
            continue
        try:
            full = tokens(picture.width, picture.height, family)
            width, height = resized(
                picture.width, picture.height, family, max_pixels=SERVED_MAX_PIXELS
            )
        except ScriptError as error:
            notes.error("picture-too-long", picture.file, str(error))
            return
        if full * rule.factor**2 > SERVED_MAX_PIXELS:
            shrunk.append(f"{family} {full} tokens, seen at {width}x{height}")
    if shrunk:
        detail = f"{size} is more than servers take: {'; '.join(shrunk)}"
        notes.info("picture-over-budget", picture.file, detail)


def _note_missing(script: Script, notes: Notebook) -> None:
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


def _tokens(picture: Picture, family: Family) -> int:
    try:
        return tokens(picture.width, picture.height, family, max_pixels=SERVED_MAX_PIXELS)
    except ScriptError:
        return 0
