"""Scripts, options and matches drawn by chance, with a marker in every text that is a secret."""

import re
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

from arena.core.actions import Action, Reply, Skip, UnparsedReply
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, spec_fields, variants
from arena.core.transitions import MatchSetup
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import (
    Clue,
    FactualQuestion,
    KeyClue,
    Part,
    Picture,
    Question,
    Role,
    Script,
    Truth,
)
from tests.table import hostile

NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Edda", "Finn")
NUMBERS: dict[str, tuple[int | None, ...]] = {
    "rounds": (1, 1, 2),
    "revotes": (1, 2),
    "speech_words": (80,),
    "attempts": (1, 2, 3),
    "max_chars": (300, 4000),
    "max_faults": (None, None, None, 0, 3),
}


def mark(*names: object) -> str:
    """Return a marker that no other text holds."""
    return f"⟦{':'.join(map(str, names))}⟧"


def marks_in(text: str) -> set[str]:
    """Return the markers in a text."""
    return set(re.findall(r"⟦[^⟦⟧]*⟧", text))


@cache
def option_values(name: str) -> tuple[Any, ...]:
    """Return the values of an option that are tried."""
    hint = get_type_hints(WhodunitOptions)[name]
    if get_origin(hint) is Literal:
        return get_args(hint)
    return (False, True) if hint is bool else NUMBERS[name]


def draw_options(chance: Random) -> WhodunitOptions:
    """Return options that do not contradict each other."""
    while True:
        values: dict[str, Any] = {
            one.name: chance.choice(option_values(one.name)) for one in _FIELDS
        }
        values["strict_one"] = False
        try:
            return WhodunitOptions(**values)
        except ValueError:
            continue


_FIELDS = fields(WhodunitOptions)


def draw_script(chance: Random) -> Script:
    """Return a script of two to six roles; every text in it is a marker of its place."""
    names = NAMES[: chance.randint(2, len(NAMES))]
    guilty = tuple(chance.sample(names, k=chance.choice([1] * 3 + [len(names) - 1])))
    count = chance.randint(0, 4)
    return Script(
        id=mark("script id"),
        title=mark("script title"),
        language=chance.choice(("en", "zh")),
        roles=tuple(_role(name) for name in names),
        truth=Truth(
            culprits=guilty,
            text=mark("truth"),
            method=mark("method"),
            motive=mark("motive"),
            key_clues=(KeyClue(id=mark("key clue"), text=mark("key clue text")),),
        ),
        opening="Otto is dead.",
        clues=tuple(
            _clue(number, chance.choice((*names, None, None, None))) for number in range(count)
        ),
        questions=(
            Question(
                id=mark("question id"),
                kind="mmr",
                stem=mark("stem"),
                options=(mark("option 1"), mark("option 2")),
                keys=(1,),
                rationale=mark("rationale"),
            ),
        ),
        factual=(
            FactualQuestion(
                id=mark("factual id"),
                role=names[0],
                about="story",
                question=mark("factual"),
                answer=mark("factual answer"),
                source=mark("factual source"),
            ),
        ),
        victims=("Otto",),
        civilian_mission=mark("mission of", "civilians"),
        murderer_mission=mark("mission of", "murderer"),
        innocents_truthful=chance.random() < 0.5,
        work=mark("work"),
        source=mark("source"),
    )


def _role(name: str) -> Role:
    return Role(
        name=name,
        script=mark("script", name),
        mission=mark("mission", name),
        introduction=mark("introduction", name),
        reply=mark("reply", name),
        aliases=(mark("alias", name),),
        parts=(Part(name="story", text=mark("part", name), stage=2),),
    )


def _clue(number: int, owner: str | None) -> Clue:
    return Clue(
        id=mark("clue id", number),
        title=mark("clue title", number),
        text=mark("clue text", number),
        pictures=(
            Picture(
                sha256=f"{number:064x}",
                file=mark("file", number),
                mime="image/png",
                width=64,
                height=48,
                kind="text",
                transcript=mark("transcript", number),
                description=mark("description", number),
            ),
        ),
        owner=owner,
        place=mark("place", number),
        trigger=mark("trigger", number),
    )


def draw_setup(seed: int) -> MatchSetup:
    """Return the setup of one match."""
    chance = Random(seed)
    return MatchSetup(
        script=draw_script(chance),
        options=draw_options(chance),
        seed=seed,
        silent=chance.choice(((), (), ("murderer",), ("civilians",))),
    )


def talkative(request: DecisionRequest, chance: Random) -> Action | None:
    """Return any answer, legal or not, with a marker of its own in each of its texts."""
    action = hostile(request, chance)
    match action:
        case Reply(values=values):
            return Reply(values=_marked(request, values), variant=action.variant)
        case Skip(partial=partial):
            return Skip(partial=_marked(request, partial))
        case UnparsedReply(missing=missing, partial=partial):
            text = said_mark(request, "unread")
            return UnparsedReply(missing=missing, text=text, partial=_marked(request, partial))
        case None:
            return None


def said_mark(request: DecisionRequest, field: str) -> str:
    """Return the marker of one text of one attempt."""
    return mark("said", request.seat, request.id, field, request.attempts_left)


def _marked(
    request: DecisionRequest, values: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    chosen = {
        field.name
        for variant in variants(request.spec)
        for field in spec_fields(variant.spec)
        if isinstance(field.spec, Choice)
    }
    return tuple(
        (name, text if name in chosen or not text else f"{said_mark(request, name)}{text}")
        for name, text in values
    )
