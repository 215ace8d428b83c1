"""A generated case: its proof, its fact table, its script in each language, pictures on demand."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.paper import png
from scripts_mm.facts.table import FactTable, Texts
from scripts_mm.generate.asking.asks import draw_asks
from scripts_mm.generate.asking.draft import Lengths
from scripts_mm.generate.asking.reason import guilty
from scripts_mm.generate.draw import Drawn, draw_world, stream
from scripts_mm.generate.pictures.small import draw_small
from scripts_mm.generate.table import fact_table
from scripts_mm.generate.telling import Cast, cast, lie, option, says
from scripts_mm.generate.told import Told, case_id, tell
from scripts_mm.generate.world import Frame, Lie, Options, Ref, World
from scripts_mm.pictures import picture_of
from scripts_mm.script import LANGUAGES, Clue, Language, Picture, Script

_OF_PICTURES = ("tiu", "miu")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All of a case but the bytes of its pictures: they are drawn when somebody asks for them."""

    drawn: Drawn
    casts: Mapping[Language, Cast]
    told: Mapping[Language, Told]
    """By the languages that were asked for."""

    @property
    def id(self) -> str:
        """The case's id and the name of its folder."""
        return case_id(self.drawn.world.frame.seed)


def make_case(seed: int, options: Options, languages: Iterable[Language] = LANGUAGES) -> Case:
    """Make the case of `seed`: a function of the seed and the options alone.

    Its world, proof, order and questions are the same in whatever languages it is told. Raises
    ScriptError where the options cannot be met.
    """
    drawn = draw_world(seed, options)
    world = drawn.world
    casts: dict[Language, Cast] = {one: cast_of(drawn, one) for one in LANGUAGES}
    rng = stream(world.frame, drawn.tries, "", "asks")
    asks = draw_asks(world, _lengths(world.frame, casts), rng)
    told: dict[Language, Told] = {
        language: tell(drawn, casts[language], language, asks) for language in languages
    }
    return Case(drawn=drawn, casts=casts, told=told)


def cast_of(drawn: Drawn, language: Language) -> Cast:
    """Return the names of a world in `language`."""
    frame = drawn.world.frame
    return cast(frame, language, stream(frame, drawn.tries, language, "cast"))


def table_of(case: Case, *, pictures: bool = True) -> FactTable:
    """Return the fact table in all languages; without `pictures` clues say what they show."""
    world, casts = case.drawn.world, case.casts
    frame = world.frame
    told = world if pictures else _without_pictures(world)
    return fact_table(
        told,
        {
            fact.id: _texts({one: says(fact, frame, casts[one], one) for one in LANGUAGES})
            for fact in world.facts
        },
        {
            name: _texts({one: casts[one].names[name] for one in LANGUAGES})
            for name in (*(suspect.id for suspect in frame.suspects), "victim")
        },
        {
            place: _texts({one: casts[one].places[place] for one in LANGUAGES})
            for place in (frame.scene, *frame.other_places)
        },
        [
            (
                one.against,
                _texts({spoken: lie(world, casts[spoken], one, spoken) for spoken in LANGUAGES}),
            )
            for one in lies_of(world)
        ],
    )


def lies_of(world: World) -> tuple[Lie, ...]:
    """Return what the culprit may say although it is not so."""
    return tuple(_lies(world))


def draw_pictures(
    case: Case, language: Language, fonts: Fonts, *, small: bool = False
) -> dict[str, bytes]:
    """Return the pictures of one language as PNG by the id of the clue that shows each.

    `small` ones hold the same facts for a very small model (`scripts_mm.generate.pictures.small`).
    """
    frame, tries = case.drawn.world.frame, case.drawn.tries
    drawn: dict[str, bytes] = {}
    for name, spec in case.told[language].pictures.items():
        rng = stream(frame, tries, language, f"{'small' if small else 'noise'}/{name}")
        drawn[name] = png(draw_small(spec, fonts, rng).image if small else spec.draw(fonts, rng))
    return drawn


def file_of(clue: str) -> str:
    """Return the name of the file with the picture of a clue."""
    return f"{clue}.png"


def pictured_script(told: Told, pictures: Mapping[str, bytes]) -> Script:
    """Return the whole script with the pictures given by clue."""

    def shown(clue: Clue) -> Clue:
        if clue.id not in told.pictures:
            return clue
        spec = told.pictures[clue.id]
        found: Picture = replace(
            picture_of(pictures[clue.id], file_of(clue.id)),
            kind=spec.kind,
            transcript=spec.transcript,
            description=spec.description,
        )
        return replace(clue, pictures=(found,))

    return replace(told.bare, clues=tuple(map(shown, told.bare.clues)))


def spoken_script(told: Told) -> Script:
    """Return a script without pictures: words tell what each would show, none is asked about."""

    def spoken(clue: Clue) -> Clue:
        if clue.id not in told.pictures:
            return clue
        spec = told.pictures[clue.id]
        parts = (clue.text, spec.description, spec.transcript)
        return replace(clue, text="\n\n".join(part for part in parts if part))

    bare = told.bare
    return replace(
        bare,
        clues=tuple(map(spoken, bare.clues)),
        questions=tuple(one for one in bare.questions if one.kind not in _OF_PICTURES),
    )


def _lengths(frame: Frame, casts: Mapping[Language, Cast]) -> Lengths:
    known: dict[Ref, tuple[int, ...]] = {}

    def lengths(ref: Ref) -> tuple[int, ...]:
        if ref not in known:
            known[ref] = tuple(len(option(ref, casts[one], frame, one)) for one in LANGUAGES)
        return known[ref]

    return lengths


def _texts(texts: Mapping[Language, str]) -> Texts:
    told: dict[str, str] = {**texts}
    return MappingProxyType(told)


def _without_pictures(world: World) -> World:
    """Return the world with its pictures' facts in the words of their clues."""

    def spoken(sources: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one.replace("picture:", "clue:") for one in sources)

    frame = replace(
        world.frame,
        facts=tuple(replace(one, sources=spoken(one.sources)) for one in world.frame.facts),
    )
    crime = replace(
        world.crime,
        facts=tuple(replace(one, sources=spoken(one.sources)) for one in world.crime.facts),
    )
    return replace(world, frame=frame, crime=crime)


def _lies(world: World) -> Iterator[Lie]:
    culprit, frame = guilty(world), world.frame
    yield Lie(form="place", against=("scene", "after", "before"))
    for trait, value in zip(frame.traits, culprit.traits, strict=True):
        other = trait.values[(trait.values.index(value) + 1) % len(trait.values)]
        against = (f"trait-{trait.id}-{culprit.id}",)
        yield Lie(form="trait", trait=trait.id, value=other, against=against)
    for fact in world.crime.facts:
        if fact.form == "offset" and all(one.startswith("role:") for one in fact.sources):
            yield Lie(form="hour", against=(fact.id,))
