"""A generated case: proof, fact table, script in each language, pictures on demand."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import encode_png
from scripts_mm.facts.fact_table import FactTable, TextsByLanguage
from scripts_mm.generate.fact_table_export import export_fact_table
from scripts_mm.generate.pictures.small_pictures import draw_small
from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.questions.draft import OptionLengths
from scripts_mm.generate.questions.question_set import sample_questions
from scripts_mm.generate.questions.reasoning_questions import find_culprit
from scripts_mm.generate.render import RenderedCase, case_id, render_case
from scripts_mm.generate.sampler import SampledWorld, make_random, sample_world
from scripts_mm.generate.text import Cast, render_fact, render_lie, render_option
from scripts_mm.generate.text.cast import sample_cast
from scripts_mm.generate.world import (
    Frame,
    GeneratorOptions,
    OptionRef,
    World,
    WorldFact,
    WorldLie,
)
from scripts_mm.safe_pictures import make_picture
from scripts_mm.script import LANGUAGES, Clue, Language, Picture, Script

_OF_PICTURES = ("tiu", "miu")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedCase:
    """A case without the bytes of its pictures, which are drawn on demand."""

    sampled: SampledWorld
    casts: Mapping[Language, Cast]
    rendered: Mapping[Language, RenderedCase]
    """By requested language."""

    @property
    def id(self) -> str:
        """The case's id and the name of its folder."""
        return case_id(self.sampled.world.frame.seed)


def make_case(
    seed: int, options: GeneratorOptions, languages: Iterable[Language] = LANGUAGES
) -> GeneratedCase:
    """Make the case of `seed`: a function of only the seed and the options.

    World, proof, order and questions do not depend on `languages`. Raises ScriptError if the
    options cannot be met.
    """
    drawn = sample_world(seed, options)
    world = drawn.world
    casts: dict[Language, Cast] = {one: make_cast(drawn, one) for one in LANGUAGES}
    rng = make_random(world.frame, drawn.tries, "", "asks")
    asks = sample_questions(world, _option_lengths(world.frame, casts), rng)
    told: dict[Language, RenderedCase] = {
        language: render_case(drawn, casts[language], language, asks) for language in languages
    }
    return GeneratedCase(sampled=drawn, casts=casts, rendered=told)


def make_cast(drawn: SampledWorld, language: Language) -> Cast:
    """Return the names of a world in `language`."""
    frame = drawn.world.frame
    return sample_cast(frame, language, make_random(frame, drawn.tries, language, "cast"))


def case_fact_table(case: GeneratedCase, *, pictures: bool = True) -> FactTable:
    """Return the fact table in all languages; without `pictures`, clue texts are the sources."""
    world, casts = case.sampled.world, case.casts
    frame = world.frame
    told = world if pictures else _without_pictures(world)
    return export_fact_table(
        told,
        {
            fact.id: _texts({one: render_fact(fact, frame, casts[one], one) for one in LANGUAGES})
            for fact in world.facts
        },
        {
            name: _texts({one: casts[one].names[name] for one in LANGUAGES})
            for name in (*(suspect.id for suspect in frame.suspects), *PLOTS[frame.plot].victims)
        },
        {
            place: _texts({one: casts[one].places[place] for one in LANGUAGES})
            for place in (frame.scene, *frame.other_places)
        },
        [
            (
                one.against,
                _texts(
                    {spoken: render_lie(world, casts[spoken], one, spoken) for spoken in LANGUAGES}
                ),
            )
            for one in possible_lies(world)
        ],
    )


def possible_lies(world: World) -> tuple[WorldLie, ...]:
    """Return the possible lies of the culprit."""
    return tuple(_lies(world))


def draw_pictures(
    case: GeneratedCase, language: Language, fonts: Fonts, *, small: bool = False
) -> dict[str, bytes]:
    """Return the pictures of one language as PNG by the id of the clue that shows each.

    `small` ones show the same facts for a very small model
    (`scripts_mm.generate.pictures.small_pictures`).
    """
    frame, tries = case.sampled.world.frame, case.sampled.tries
    drawn: dict[str, bytes] = {}
    for name, spec in case.rendered[language].pictures.items():
        rng = make_random(frame, tries, language, f"{'small' if small else 'noise'}/{name}")
        drawn[name] = encode_png(
            draw_small(spec, fonts, rng).image if small else spec.draw(fonts, rng)
        )
    return drawn


def picture_file(clue: str) -> str:
    """Return the name of the file with the picture of a clue."""
    return f"{clue}.png"


def script_with_pictures(told: RenderedCase, pictures: Mapping[str, bytes]) -> Script:
    """Return the script with its pictures, given by clue."""

    def add_picture(clue: Clue) -> Clue:
        if clue.id not in told.pictures:
            return clue
        spec = told.pictures[clue.id]
        found: Picture = replace(
            make_picture(pictures[clue.id], picture_file(clue.id)),
            kind=spec.kind,
            transcript=spec.transcript,
            description=spec.description,
        )
        return replace(clue, pictures=(found,))

    return replace(told.bare, clues=tuple(map(add_picture, told.bare.clues)))


def script_without_pictures(told: RenderedCase) -> Script:
    """Return the script with words in place of pictures and without questions on pictures."""

    def add_words(clue: Clue) -> Clue:
        if clue.id not in told.pictures:
            return clue
        spec = told.pictures[clue.id]
        parts = (clue.text, spec.description, spec.transcript)
        return replace(clue, text="\n\n".join(part for part in parts if part))

    bare = told.bare
    return replace(
        bare,
        clues=tuple(map(add_words, bare.clues)),
        questions=tuple(one for one in bare.questions if one.kind not in _OF_PICTURES),
    )


def _option_lengths(frame: Frame, casts: Mapping[Language, Cast]) -> OptionLengths:
    known: dict[OptionRef, tuple[int, ...]] = {}

    def lengths(ref: OptionRef) -> tuple[int, ...]:
        if ref not in known:
            known[ref] = tuple(len(render_option(ref, casts[one], frame, one)) for one in LANGUAGES)
        return known[ref]

    return lengths


def _texts(texts: Mapping[Language, str]) -> TextsByLanguage:
    told: dict[str, str] = {**texts}
    return MappingProxyType(told)


def _without_pictures(world: World) -> World:
    """Return the world with clue texts in place of pictures as sources."""

    def name_clues(sources: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one.replace("picture:", "clue:") for one in sources)

    def in_words(facts: tuple[WorldFact, ...]) -> tuple[WorldFact, ...]:
        return tuple(replace(one, sources=name_clues(one.sources)) for one in facts)

    crime = world.crime
    told = replace(crime, frame_facts=in_words(crime.frame_facts), facts=in_words(crime.facts))
    return replace(world, crime=told)


def _lies(world: World) -> Iterator[WorldLie]:
    culprit, frame = find_culprit(world), world.frame
    yield WorldLie(form="place", against=("scene", "after", "before"))
    for number, trait in frame.traits_of(0):
        value = culprit.traits[number]
        other = trait.values[(trait.values.index(value) + 1) % len(trait.values)]
        against = (f"trait-{trait.id}-{culprit.id}",)
        yield WorldLie(form="trait", trait=trait.id, value=other, against=against)
    for fact in world.crime.facts:
        if fact.form == "offset" and all(one.startswith("role:") for one in fact.sources):
            yield WorldLie(form="hour", against=(fact.id,))
