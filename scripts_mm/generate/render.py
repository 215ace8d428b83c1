"""The rendering of a world in one language: the script, with pictures not yet drawn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from random import Random

from scripts_mm.generate.fact_support import clues_of, hop_counts, seats_of, supporting_facts
from scripts_mm.generate.pictures import PictureSpec, build_picture
from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.sampler import SampledWorld, make_random
from scripts_mm.generate.text import (
    Cast,
    RoleText,
    render_confession,
    render_fact,
    render_factual,
    render_opening,
    render_option,
    render_question,
    render_rationale,
    render_role,
    render_truth,
)
from scripts_mm.generate.text.clue_text import render_clue
from scripts_mm.generate.world import ClueSpec, QuestionSpec, World, WorldFact
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
"""Beginning of `Script.source` of a generated case; its options follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedCase:
    """A case in one language. `bare` is its script without pictures, `pictures` their specs."""

    language: Language
    cast: Cast
    bare: Script
    pictures: Mapping[str, PictureSpec]
    """By id of their clue."""
    testimonies: Mapping[str, str]
    """By suspect: its private script without secret or confession."""
    passages: Mapping[str, tuple[tuple[str, ...], ...]]
    """By suspect: the same as paragraphs of sentences."""


def case_id(seed: int) -> str:
    """Return the id of the case of `seed`."""
    return f"case-{seed}"


def render_case(
    drawn: SampledWorld, cast: Cast, language: Language, asks: tuple[QuestionSpec, ...]
) -> RenderedCase:
    """Render a world in `language`; texts of the frame do not depend on the crime."""
    world = drawn.world
    frame, names = world.frame, cast.names
    first = render_opening(frame, cast, language, _random_for(drawn, language, "opening"))
    pictures = {
        clue.id: build_picture(
            clue,
            _clue_facts(world, clue),
            frame,
            cast,
            language,
            _random_for(drawn, language, f"picture/{clue.id}"),
        )
        for clue in frame.clues
        if clue.medium != "text"
    }
    roles = {one.id: _render_role(drawn, cast, language, one.id) for one in frame.suspects}
    bare = Script(
        id=case_id(frame.seed),
        title=first.title,
        language=language,
        roles=tuple(role for role, _ in roles.values()),
        truth=_render_truth(drawn, cast, language),
        opening=first.text,
        clues=tuple(_render_clue(drawn, cast, language, clue) for clue in frame.clues),
        questions=tuple(_render_question(world, cast, language, ask) for ask in asks),
        factual=tuple(
            _render_factual(world, cast, language, {k: r for k, (r, _) in roles.items()})
        ),
        victims=tuple(names[one] for one in PLOTS[frame.plot].victims),
        civilian_mission=first.civilian_mission,
        murderer_mission=first.murderer_mission,
        innocents_truthful=True,
        source=_source_line(drawn),
    )
    return RenderedCase(
        language=language,
        cast=cast,
        bare=bare,
        pictures=pictures,
        testimonies={name: text.testimony for name, (_, text) in roles.items()},
        passages={name: text.passages for name, (_, text) in roles.items()},
    )


def _random_for(drawn: SampledWorld, language: Language, piece: str) -> Random:
    return make_random(drawn.world.frame, drawn.tries, language, piece)


def _source_line(drawn: SampledWorld) -> str:
    options = drawn.world.frame.options
    return (
        f"{SOURCE} seed={drawn.world.frame.seed} roles={options.roles} hops={options.hops} "
        f"pictures={options.pictures} difficulty={options.difficulty} seats={options.seats} "
        f"plot={drawn.world.frame.plot}"
    )


def _clue_facts(world: World, clue: ClueSpec) -> tuple[WorldFact, ...]:
    facts = {fact.id: fact for fact in world.facts}
    return tuple(facts[name] for name in clue.facts)


def _render_role(
    drawn: SampledWorld, cast: Cast, language: Language, who: str
) -> tuple[Role, RoleText]:
    world = drawn.world
    known = tuple(fact for fact in world.facts if f"role:{who}" in fact.sources)
    rng = _random_for(drawn, language, f"role/{who}")
    text = render_role(world.frame, cast, who, language, rng, known=known)
    ending = text.secret
    for act, guilty in enumerate(world.guilty):
        if who == guilty:
            stream = _random_for(drawn, language, "confession")
            ending = render_confession(world, cast, language, stream, act)
    role = Role(
        name=cast.names[who],
        script=f"{text.testimony}\n\n{ending}",
        mission=text.mission,
        introduction=text.introduction,
        reply=text.reply,
        aliases=cast.aliases.get(who, ()),
    )
    return role, text


def _render_clue(drawn: SampledWorld, cast: Cast, language: Language, clue: ClueSpec) -> Clue:
    world = drawn.world
    rng = _random_for(drawn, language, f"clue/{clue.id}")
    text = render_clue(clue, _clue_facts(world, clue), world.frame, cast, language, rng)
    owner = cast.names[clue.owner] if clue.owner is not None else None
    return Clue(id=clue.id, title=text.title, text=text.text, owner=owner)


def _render_truth(drawn: SampledWorld, cast: Cast, language: Language) -> Truth:
    world, names = drawn.world, cast.names
    acts = PLOTS[world.frame.plot].acts
    guilty = world.guilty
    killings = tuple(
        Killing(victim=names[act.victim], culprits=(names[who],))
        for act, who in zip(acts, guilty, strict=False)
        if not act.is_order
    )
    told = render_truth(world, cast, language, _random_for(drawn, language, "truth"))
    keys = [
        one for one in supporting_facts(world, drawn.proof.facts) if one.sources != ("opening",)
    ]
    innocent = {one.id for one in world.frame.herrings if one.who not in guilty}
    return Truth(
        culprits=tuple(name for one in killings for name in one.culprits),
        instigators=tuple(
            names[who] for act, who in zip(acts, guilty, strict=False) if act.is_order
        ),
        killings=killings,
        text=told.text,
        method=told.method,
        motive=told.motive,
        key_clues=tuple(_render_key_clue(world, cast, language, fact) for fact in keys),
        key_roles=tuple(names[name] for name in drawn.proof.seats),
        misleading=tuple(one.id for one in world.frame.clues if innocent & {*one.facts}),
    )


def _render_key_clue(world: World, cast: Cast, language: Language, fact: WorldFact) -> KeyClue:
    sources = [source.partition(":") for source in fact.sources]
    return KeyClue(
        id=fact.id,
        text=render_fact(fact, world.frame, cast, language),
        hops=hop_counts(world.facts)[fact.id],
        holders=tuple(cast.names[name] for kind, _, name in sources if kind == "role"),
        clues=tuple(name for kind, _, name in sources if kind in ("clue", "picture")),
        premises=fact.because[0] if fact.because else (),
    )


def _render_question(world: World, cast: Cast, language: Language, ask: QuestionSpec) -> Question:
    frame, names = world.frame, cast.names
    held = [names[name] for name in seats_of(world, ask.facts)]
    return Question(
        id=ask.id,
        kind=ask.kind,
        stem=render_question(ask, world, cast, language),
        options=tuple(render_option(ref, cast, frame, language) for ref in ask.options),
        keys=ask.keys,
        role=names[ask.role] if ask.role is not None else None,
        clues=ask.clues,
        hops=ask.hops,
        source=", ".join([*held, *clues_of(world, ask.facts)]),
        answer=ask.answer,
        points=ask.points,
        rationale=render_rationale(ask, world, cast, language) if ask.kind == "inf" else "",
    )


def _render_factual(
    world: World, cast: Cast, language: Language, roles: Mapping[str, Role]
) -> Iterator[FactualQuestion]:
    numbers = count(1)
    for who, role in roles.items():
        for about, asked, answer, source in render_factual(
            world.frame, cast, who, role.script, language
        ):
            yield FactualQuestion(
                id=f"f{next(numbers):03}",
                role=role.name,
                about=about,
                question=asked,
                answer=answer,
                source=source,
            )
