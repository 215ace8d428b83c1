"""Can this script be played under these options: found out before anything is started."""

from arena.core.options import Options
from arena.core.rules import Setup, open_match
from scripts_mm.script import Picture, Script, ScriptError


def check_playable(script: Script, options: Options) -> None:
    """Raise `ScriptError` where no match of `script` can be opened under `options`."""
    lacking = [clue.id for clue in script.clues for p in clue.pictures if not _can_show(p, options)]
    if lacking:
        what = "transcript" if options.pictures == "ocr" else "description"
        raise ScriptError(
            f"option pictures={options.pictures} needs a {what} of every picture, but script "
            f"{script.id!r} has none for clue {lacking[0]!r}"
        )
    open_match(
        Setup(
            script=script,
            script_sha256="",
            options=options,
            seed=0,
            civilian_player="",
            murderer_player="",
        )
    )


def _can_show(picture: Picture, options: Options) -> bool:
    if options.pictures == "ocr":
        return bool(picture.transcript)
    return options.pictures != "caption" or bool(picture.description)
