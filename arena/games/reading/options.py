"""Options of a reading: the knowledge of seats, their requests, and the vote rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import option
from arena.games.shared.options import VictimOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions(VictimOptions):
    """The options of `reading`."""

    knowledge: Literal["own", "scripts", "key_clues"] = option(
        "own",
        "a seat knows its own script and clues; the scripts of all and all clues; or its own "
        "script and clues, the public clues and every key clue of the truth",
    )
    conclusions: bool = option(False, "each seat also states method, motive and culprit, in secret")


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "short": {"speech_words": 80},
        "paper": {},
        "released": {},
        "personal": {},
        "omniscient": {"knowledge": "scripts"},
        "full-script": {
            "knowledge": "scripts",
            "quorum": "plurality",
            "self_vote": True,
        },
        "clues-given": {
            "knowledge": "key_clues",
            "conclusions": True,
            "quorum": "plurality",
            "tie": "draw",
        },
    }
)
"""Values that differ from the default. `personal` and `omniscient` are the start and the end of
Questum's search, with its vote; `full-script` has the vote of ThinkThrice, `clues-given` that of
WhodunitBench. The player decides whether the prompt has all scripts or retrieved parts; a quiz is a
probe of the platform."""
