"""Worlds to tell and pictures to draw."""

from collections.abc import Iterator
from functools import cache
from random import Random

from scripts_mm.drawing.primitives.fonts import Fonts, find_any_fonts
from scripts_mm.generate.pictures import PictureSpec, build_picture
from scripts_mm.generate.sampler import sample_world
from scripts_mm.generate.text import Cast, RoleText, render_role
from scripts_mm.generate.text.cast import sample_cast
from scripts_mm.generate.world import Frame, GeneratorOptions, World, WorldFact
from scripts_mm.script import Language


@cache
def world(seed: int) -> World:
    """Return the world of a seed; seeds differ in size."""
    options = GeneratorOptions(roles=4 + seed % 5, hops=3 + seed % 3, pictures=3 + seed % 9)
    return sample_world(seed, options).world


@cache
def cast_of(seed: int, language: Language) -> Cast:
    """Return the names of a world."""
    return sample_cast(world(seed).frame, language, Random(f"{seed}/{language}"))


def known(made: World, who: str) -> tuple[WorldFact, ...]:
    """Return what `who` knows of the others."""
    return tuple(fact for fact in made.facts if f"role:{who}" in fact.sources)


def role(seed: int, language: Language, who: str, draw: int = 0) -> RoleText:
    """Return the private texts of `who`."""
    made, names = world(seed), cast_of(seed, language)
    rng = Random(f"{seed}/{who}/{draw}")
    return render_role(made.frame, names, who, language, rng, known=known(made, who))


def pictures(
    seed: int, language: Language
) -> Iterator[tuple[str, tuple[WorldFact, ...], PictureSpec]]:
    """Yield the medium, the facts and the picture of every pictured clue."""
    made, names = world(seed), cast_of(seed, language)
    facts = {fact.id: fact for fact in made.facts}
    for clue in made.frame.clues:
        if clue.medium != "text":
            told = tuple(facts[name] for name in clue.facts)
            rng = Random(f"{seed}/{clue.id}")
            yield clue.medium, told, build_picture(clue, told, made.frame, names, language, rng)


def frame_of(seed: int) -> Frame:
    """Return the frame of a world."""
    return world(seed).frame


@cache
def faces(language: Language) -> Fonts:
    """Return whatever typefaces there are."""
    return find_any_fonts(language)
