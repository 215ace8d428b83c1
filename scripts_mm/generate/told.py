"""A world told in one language: the script, its pictures still undrawn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from random import Random

from scripts_mm.generate.draw import Drawn, stream
from scripts_mm.generate.grounds import clues_of, depths, grounds, seats_of
from scripts_mm.generate.pictures import PictureSpec, picture
from scripts_mm.generate.telling import (
    Cast,
    RoleText,
    clue_text,
    confession,
    factual,
    opening,
    option,
    question,
    rationale,
    role_text,
    says,
    truth_text,
)
from scripts_mm.generate.world import Ask, ClueSpec, Fact, World
from scripts_mm.script import (
    Clue,
    FactualQuestion,
    KeyClue,
    Killing,
    Language,
    Question,
    Role,
    Script,
    Truth,
)

SOURCE = "generated"
"""`Script.source` of a generated case, before the options that it was made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A case in one language. `bare` is its script without pictures, `pictures` their specs."""

    language: Language
    cast: Cast
    bare: Script
    pictures: Mapping[str, PictureSpec]
    """By id of the clue that shows it."""
    testimonies: Mapping[str, str]
    """By suspect: its private script without its secret or its confession."""
    passages: Mapping[str, tuple[tuple[str, ...], ...]]
    """By suspect: the same in paragraphs and what each tells one after the other."""


def case_id(seed: int) -> str:
    """Return the id of the case of `seed`."""
    return f"case-{seed}"


def tell(drawn: Drawn, cast: Cast, language: Language, asks: tuple[Ask, ...]) -> Told:
    """Tell a world in `language`: what does not depend on the crime is told without knowing it."""
    world = drawn.world
    frame, names = world.frame, cast.names
    first = opening(frame, cast, language, _stream(drawn, language, "opening"))
    pictures = {
        clue.id: picture(
            clue,
            _facts(world, clue),
            frame,
            cast,
            language,
            _stream(drawn, language, f"picture/{clue.id}"),
        )
        for clue in frame.clues
        if clue.medium != "text"
    }
    roles = {one.id: _role(drawn, cast, language, one.id) for one in frame.suspects}
    bare = Script(
        id=case_id(frame.seed),
        title=first.title,
        language=language,
        roles=tuple(role for role, _ in roles.values()),
        truth=_truth(drawn, cast, language),
        opening=first.text,
        clues=tuple(_clue(drawn, cast, language, clue) for clue in frame.clues),
        questions=tuple(_question(world, cast, language, ask) for ask in asks),
        factual=tuple(_factual(world, cast, language, {k: r for k, (r, _) in roles.items()})),
        victims=(names["victim"],),
        civilian_mission=first.civilian_mission,
        murderer_mission=first.murderer_mission,
        innocents_truthful=True,
        source=_source(drawn),
    )
    return Told(
        language=language,
        cast=cast,
        bare=bare,
        pictures=pictures,
        testimonies={name: text.testimony for name, (_, text) in roles.items()},
        passages={name: text.passages for name, (_, text) in roles.items()},
    )


def _stream(drawn: Drawn, language: Language, piece: str) -> Random:
    return stream(drawn.world.frame, drawn.tries, language, piece)


def _source(drawn: Drawn) -> str:
    options = drawn.world.frame.options
    return (
        f"{SOURCE} seed={drawn.world.frame.seed} roles={options.roles} hops={options.hops} "
        f"pictures={options.pictures} difficulty={options.difficulty} seats={options.seats}"
    )


def _facts(world: World, clue: ClueSpec) -> tuple[Fact, ...]:
    facts = {fact.id: fact for fact in world.facts}
    return tuple(facts[name] for name in clue.facts)


def _role(drawn: Drawn, cast: Cast, language: Language, who: str) -> tuple[Role, RoleText]:
    world = drawn.world
    known = tuple(fact for fact in world.facts if f"role:{who}" in fact.sources)
    rng = _stream(drawn, language, f"role/{who}")
    text = role_text(world.frame, cast, who, language, rng, known=known)
    ending = text.secret
    if who == world.crime.culprit:
        ending = confession(world, cast, language, _stream(drawn, language, "confession"))
    role = Role(
        name=cast.names[who],
        script=f"{text.testimony}\n\n{ending}",
        mission=text.mission,
        introduction=text.introduction,
        reply=text.reply,
        aliases=cast.aliases.get(who, ()),
    )
    return role, text


def _clue(drawn: Drawn, cast: Cast, language: Language, clue: ClueSpec) -> Clue:
    world = drawn.world
    rng = _stream(drawn, language, f"clue/{clue.id}")
    text = clue_text(clue, _facts(world, clue), world.frame, cast, language, rng)
    owner = cast.names[clue.owner] if clue.owner is not None else None
    return Clue(id=clue.id, title=text.title, text=text.text, owner=owner)


def _truth(drawn: Drawn, cast: Cast, language: Language) -> Truth:
    world, names = drawn.world, cast.names
    culprit = (names[world.crime.culprit],)
    told = truth_text(world, cast, language, _stream(drawn, language, "truth"))
    keys = [one for one in grounds(world, drawn.proof.facts) if one.sources != ("opening",)]
    innocent = {one.id for one in world.frame.herrings if one.who != world.crime.culprit}
    return Truth(
        culprits=culprit,
        killings=(Killing(victim=names["victim"], culprits=culprit),),
        text=told.text,
        method=told.method,
        motive=told.motive,
        key_clues=tuple(_key_clue(world, cast, language, fact) for fact in keys),
        key_roles=tuple(names[name] for name in drawn.proof.seats),
        misleading=tuple(one.id for one in world.frame.clues if innocent & {*one.facts}),
    )


def _key_clue(world: World, cast: Cast, language: Language, fact: Fact) -> KeyClue:
    sources = [source.partition(":") for source in fact.sources]
    return KeyClue(
        id=fact.id,
        text=says(fact, world.frame, cast, language),
        hops=depths(world.facts)[fact.id],
        holders=tuple(cast.names[name] for kind, _, name in sources if kind == "role"),
        clues=tuple(name for kind, _, name in sources if kind in ("clue", "picture")),
        premises=fact.because[0] if fact.because else (),
    )


def _question(world: World, cast: Cast, language: Language, ask: Ask) -> Question:
    frame, names = world.frame, cast.names
    held = [names[name] for name in seats_of(world, ask.facts)]
    return Question(
        id=ask.id,
        kind=ask.kind,
        stem=question(ask, world, cast, language),
        options=tuple(option(ref, cast, frame, language) for ref in ask.options),
        keys=ask.keys,
        role=names[ask.role] if ask.role is not None else None,
        clues=ask.clues,
        hops=ask.hops,
        source=", ".join([*held, *clues_of(world, ask.facts)]),
        answer=ask.answer,
        points=ask.points,
        rationale=rationale(ask, world, cast, language) if ask.kind == "inf" else "",
    )


def _factual(
    world: World, cast: Cast, language: Language, roles: Mapping[str, Role]
) -> Iterator[FactualQuestion]:
    numbers = count(1)
    for who, role in roles.items():
        for about, asked, answer, source in factual(world.frame, cast, who, role.script, language):
            yield FactualQuestion(
                id=f"f{next(numbers):03}",
                role=role.name,
                about=about,
                question=asked,
                answer=answer,
                source=source,
            )
