"""Baseline players without a model, and a scripted player for tests."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from arena.core.actions import Action, Reply
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.specs import ABSTAIN, Choice, Variant, spec_fields, variants
from arena.players.player import Answer
from scripts_mm.script import Language

NEUTRAL: Mapping[Language, str] = {
    "en": "I have nothing special to say.",
    "zh": "我没有什么特别要说的。",
}
_LETTERS = frozenset("ABCDEFGH")


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomPlayer:
    """Chooses a legal option uniformly at random; says a fixed neutral sentence.

    It abstains only if there is no other option, so its votes give the chance level.
    """

    guilty: bool = False
    """Never choose the seat itself."""

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return a legal answer, drawn from `chance`."""
        never: tuple[str, ...] = (observation.seat,) if self.guilty else ()
        way = chance.choice(variants(request.spec))
        words = NEUTRAL[observation.language]
        return Answer(action=fill_variant(way, words, lambda one: draw_option(one, chance, never)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPlayer:
    """Chooses the first option, to measure the effects of order and position."""

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the first legal answer."""
        del chance
        way = next(iter(variants(request.spec)))
        words = NEUTRAL[observation.language]
        return Answer(action=fill_variant(way, words, lambda one: one.options[0]))


class ScriptedPlayer:
    """Plays given actions for each (seat, kind of request), in order; for tests."""

    def __init__(self, lines: Mapping[tuple[str, str], Iterator[Action | BaseException]]) -> None:
        self._lines = lines

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the seat's next line for this kind of request; raise it if it is an exception."""
        del observation, chance
        line = next(self._lines[request.seat, request.kind])
        if isinstance(line, BaseException):
            raise line
        return Answer(action=line)


def draw_option(choice: Choice, chance: Random, never: Container[str] = ()) -> str:
    """Draw an option that is neither an abstention nor in `never`, unless there is no other.

    Options such as A, B and AB are sets of letters. If no option has all letters, the question
    requires the largest number of them, and drawing smaller sets would lower the chance level.
    """
    open_options = [one for one in choice.options if one != ABSTAIN and one not in never]
    if all(set(one) <= _LETTERS for one in open_options):
        sizes = {len(one) for one in open_options}
        letters = set("".join(open_options))
        if sizes and len(letters) > max(sizes) > 1:
            open_options = [one for one in open_options if len(one) == max(sizes)]
    return chance.choice(open_options or list(choice.options))


def fill_variant(variant: Variant, text: str, pick: Callable[[Choice], str]) -> Reply:
    """Return a reply with `text` in every text and an option from `pick` in every choice."""
    return Reply(
        values=tuple(
            (field.name, pick(field.spec) if isinstance(field.spec, Choice) else text)
            for field in spec_fields(variant.spec)
        ),
        variant=variant.name,
    )
