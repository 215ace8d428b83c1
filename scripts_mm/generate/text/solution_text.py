"""The texts of the solution: confession, truth and lies."""

from dataclasses import dataclass
from random import Random

from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import describe_trace, render_fact, trait_fills
from scripts_mm.generate.text.lexicon import pool
from scripts_mm.generate.text.private_scripts import RoleNarrator
from scripts_mm.generate.text.templates import (
    fill_template,
    format_time,
    join_sentences,
    pick_sentence,
)
from scripts_mm.generate.world import World, WorldLie
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthText:
    """The truth of a case: the whole text, and its method and motive."""

    text: str
    method: str
    motive: str


def render_confession(world: World, cast: Cast, language: Language, rng: Random) -> str:
    """Return the confession, which replaces the secret in the culprit's script."""
    teller = _culprit_narrator(world, cast, language)
    found = _truth_fills(world, teller)
    trait = rng.choice(world.frame.traits)
    value = teller.one.traits[world.frame.traits.index(trait)]
    found["what"] = describe_trace(trait.id, value, cast, language)
    found["trace"] = pick_sentence(rng, teller.role_wordings("trace"), found)
    found["plan"] = rng.choice(teller.role_wordings("plan"))
    return pick_sentence(rng, teller.role_wordings("confession"), found)


def render_truth(world: World, cast: Cast, language: Language, rng: Random) -> TruthText:
    """Return the truth, which players see after the end."""
    teller = _culprit_narrator(world, cast, language)
    found = _truth_fills(world, teller)
    motive = pick_sentence(rng, pool(language, "life", "motives", teller.one.motive, "why"), found)
    found["motive"] = motive
    count = len(world.crime.offsets)
    found["steps"] = _step_count(count, language)
    needs = [fact for fact in world.crime.facts if fact.form == "needs"]
    sentences = [
        pick_sentence(rng, pool(language, "case", "truth"), found),
        pick_sentence(rng, pool(language, "case", "truth-hour"), found),
    ]
    several = pool(language, "case", "truth-trait")
    for fact, wording in zip(needs, rng.sample(several, len(needs)), strict=True):
        found["need"] = render_fact(fact, world.frame, cast, language)
        sentences.append(fill_template(wording, found))
    sentences.append(pick_sentence(rng, pool(language, "case", "truth-only"), found))
    return TruthText(
        text=join_sentences(sentences, language),
        method=pick_sentence(rng, pool(language, "case", "method"), found),
        motive=motive,
    )


def render_lie(world: World, cast: Cast, lie: WorldLie, language: Language) -> str:
    """Return a lie of the culprit, in the first person."""
    teller = _culprit_narrator(world, cast, language)
    found = _truth_fills(world, teller)
    if lie.form == "trait":
        found |= trait_fills(lie.trait, lie.value, cast, language)
        has = pool(language, "traits", lie.trait, "has")[0]
        found["claim"] = fill_template(has, found)
    return fill_template(pool(language, "case", f"lie-{lie.form}")[0], found)


def _culprit_narrator(world: World, cast: Cast, language: Language) -> RoleNarrator:
    one = next(one for one in world.frame.suspects if one.id == world.crime.culprit)
    return RoleNarrator(frame=world.frame, cast=cast, one=one, language=language)


def _truth_fills(world: World, teller: RoleNarrator) -> dict[str, str]:
    victim = teller.cast.names["victim"]
    return teller.fills() | {"victim": victim, "moment": format_time(world.crime.moment)}


def _step_count(count: int, language: Language) -> str:
    if language == "zh":
        return f"{count}步"
    return "one step" if count == 1 else f"{count} steps"
