"""Testimony of a role in a generated case, statement by statement, in the first person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from arena.memory.lexical import split_sentences
from arena.players.script_text.first_person import speak_as_role
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.generate.world import Frame, Suspect, WorldFact
from scripts_mm.script import Language

Topic = Literal[
    "post", "background", "trait", "relation", "motive", "feeling", "alive", "window", "found",
    "other_trait", "other_motive", "lore",
]  # fmt: skip
_OWN_WORDS = frozenset({"relation", "with"})
"""Forms of facts that are in a private script's section about its owner, not about what it knows.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One possible statement of a role."""

    topic: Topic
    text: str
    """One sentence in the first person."""
    told: str = ""
    """The same in the wording of the private script."""
    other: str = ""
    """Name of another role that it is about."""
    trait: str = ""
    """Id of the trait that it reveals."""
    start: int = 0
    """Minutes since midnight, of a stretch of the evening or a moment."""
    end: int = 0


def statements_of(case: GeneratedCase, language: Language, who: str) -> tuple[Statement, ...]:
    """Return all that suspect `who` can say without incriminating itself, in script order."""
    told = case.rendered[language]
    own, victim, evening, knowledge = told.passages[who]
    frame, names = case.sampled.world.frame, told.cast.names
    one = next(one for one in frame.suspects if one.id == who)
    found = (
        *_of_self(own, frame, names[_next_suspect(frame, who)]),
        Statement(topic="motive", text=victim[1]),
        Statement(topic="feeling", text=victim[2]),
        *_of_evening(evening, frame, one),
        *(
            _of_fact(fact, text, names.get(fact.who, ""))
            for fact, text in zip(find_known_facts(case, who), knowledge[1:-1], strict=True)
        ),
    )
    return tuple(_speak_statement(statement, language) for statement in found)


def _of_self(told: Sequence[str], frame: Frame, other: str) -> Iterator[Statement]:
    post, background, _, *traits, relation = told
    yield Statement(topic="post", text=post)
    yield Statement(topic="background", text=background)
    for trait, text in zip(frame.traits, traits, strict=True):
        yield Statement(topic="trait", text=text, trait=trait.id)
    yield Statement(topic="relation", text=relation, other=other)


def _of_evening(told: Sequence[str], frame: Frame, one: Suspect) -> Iterator[Statement]:
    _, alive, *windows, found = told
    yield Statement(topic="alive", text=alive, start=frame.alive)
    for number, text in enumerate(windows):
        window = frame.windows[number]
        start, end = window.start, window.end
        for company in frame.companies:
            if company.window == number and one.id in company.members and number != one.gap:
                start, end = company.start, company.end
        yield Statement(topic="window", text=text, start=start, end=end)
    yield Statement(topic="found", text=found, start=frame.found)


def _of_fact(fact: WorldFact, text: str, name: str) -> Statement:
    match fact.form:
        case "trait":
            return Statement(topic="other_trait", text=text, other=name, trait=fact.trait)
        case "motive":
            return Statement(topic="other_motive", text=text, other=name)
        case "excuse":
            return Statement(topic="lore", text=text, other=name)
        case _:
            return Statement(topic="lore", text=text)


def find_known_facts(case: GeneratedCase, who: str) -> list[WorldFact]:
    """Return the facts that a role knows of others and of the case: its last statements."""
    facts = case.sampled.world.facts
    return [one for one in facts if f"role:{who}" in one.sources and one.form not in _OWN_WORDS]


def _next_suspect(frame: Frame, who: str) -> str:
    ids = [one.id for one in frame.suspects]
    return ids[(ids.index(who) + 1) % len(ids)]


def _speak_statement(statement: Statement, language: Language) -> Statement:
    told = split_sentences(statement.text)[0]
    return replace(statement, text=speak_as_role(told, language), told=told)
