"""What really happened, in words: the confession, the truth, the lies."""

from dataclasses import dataclass
from random import Random

from scripts_mm.generate.telling.casting import Cast
from scripts_mm.generate.telling.lexicon import pool
from scripts_mm.generate.telling.phrases import filled, hour, picked, prose
from scripts_mm.generate.telling.roles import Teller
from scripts_mm.generate.telling.sayings import says, shown, trait_fills
from scripts_mm.generate.world import Lie, World
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthText:
    """The truth of a case: the whole, then its method and motive alone."""

    text: str
    method: str
    motive: str


def confession(world: World, cast: Cast, language: Language, rng: Random) -> str:
    """Return what the culprit's script says in place of a secret."""
    teller = _culprit(world, cast, language)
    found = _fills(world, teller)
    trait = rng.choice(world.frame.traits)
    value = teller.one.traits[world.frame.traits.index(trait)]
    found["what"] = shown(trait.id, value, cast, language)
    found["trace"] = picked(rng, teller.role("trace"), found)
    found["plan"] = rng.choice(teller.role("plan"))
    return picked(rng, teller.role("confession"), found)


def truth_text(world: World, cast: Cast, language: Language, rng: Random) -> TruthText:
    """Return the truth that is told after the end."""
    teller = _culprit(world, cast, language)
    found = _fills(world, teller)
    motive = picked(rng, pool(language, "life", "motives", teller.one.motive, "why"), found)
    found["motive"] = motive
    count = len(world.crime.offsets)
    found["steps"] = _steps(count, language)
    needs = [fact for fact in world.crime.facts if fact.form == "needs"]
    sentences = [
        picked(rng, pool(language, "case", "truth"), found),
        picked(rng, pool(language, "case", "truth-hour"), found),
    ]
    several = pool(language, "case", "truth-trait")
    for fact, wording in zip(needs, rng.sample(several, len(needs)), strict=True):
        found["need"] = says(fact, world.frame, cast, language)
        sentences.append(filled(wording, found))
    sentences.append(picked(rng, pool(language, "case", "truth-only"), found))
    return TruthText(
        text=prose(sentences, language),
        method=picked(rng, pool(language, "case", "method"), found),
        motive=motive,
    )


def lie(world: World, cast: Cast, lie: Lie, language: Language) -> str:
    """Return in the first person what the culprit may say against the facts."""
    teller = _culprit(world, cast, language)
    found = _fills(world, teller)
    if lie.form == "trait":
        found |= trait_fills(lie.trait, lie.value, cast, language)
        has = pool(language, "traits", lie.trait, "has")[0]
        found["claim"] = filled(has, found)
    return filled(pool(language, "case", f"lie-{lie.form}")[0], found)


def _culprit(world: World, cast: Cast, language: Language) -> Teller:
    one = next(one for one in world.frame.suspects if one.id == world.crime.culprit)
    return Teller(frame=world.frame, cast=cast, one=one, language=language)


def _fills(world: World, teller: Teller) -> dict[str, str]:
    victim = teller.cast.names["victim"]
    return teller.fills() | {"victim": victim, "moment": hour(world.crime.moment)}


def _steps(count: int, language: Language) -> str:
    if language == "zh":
        return f"{count}步"
    return "one step" if count == 1 else f"{count} steps"
