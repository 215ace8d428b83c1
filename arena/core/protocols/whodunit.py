"""The WhodunitBench protocol (PROTOCOLS 2): phases as data, presets as option values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from arena.core.actions import Phase, Verb
from arena.core.options import Options

NAME = "whodunit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of the plan: who is asked for what, and whether in one wave."""

    phase: Phase
    round: int = 1
    verbs: tuple[Verb, ...] = ()
    """Asked of each seat in turn; empty: the host reveals the common clues."""
    wave: bool = False
    """Open together: no seat sees another's answer to this stage."""
    who: Literal["all", "electorate", "asked"] = "all"


@cache
def plan(options: Options) -> tuple[Stage, ...]:
    """Return the stages of a match under `options`, in order."""
    reveal = (Stage(phase="clues"),) if options.clues in {"all", "civilians"} else ()
    return (
        Stage(
            phase="introduction",
            verbs=("introduce",),
            wave=options.introductions == "together",
        ),
        *reveal,
        *(stage for number in range(1, options.rounds + 1) for stage in _round(options, number)),
        Stage(phase="reasoning", verbs=("conclude",), wave=options.reasoning != "heard"),
        Stage(phase="voting", verbs=("vote",), wave=options.vote == "secret", who="electorate"),
    )


def _round(options: Options, number: int) -> tuple[Stage, ...]:
    verbs: tuple[Verb, ...] = (
        ("share_and_ask",) if options.duties == "one_ask" else ("speak", "ask")
    )
    if options.answers == "immediate":
        return (Stage(phase="discussion", round=number, verbs=verbs),)
    return (
        *(Stage(phase="discussion", round=number, verbs=(verb,), wave=True) for verb in verbs),
        Stage(phase="discussion", round=number, verbs=("answer",), wave=True, who="asked"),
    )


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "paper": {"vote": "open", "quorum": "majority"},
        "released": {"electorate": "civilians", "self_vote": True},
        "wide": {"introductions": "together", "answers": "batched", "reasoning": "together"},
    }
)
"""Values that differ from the default; `released` also wants the player `naive-data`."""
