"""The texts of the solution: confessions, truth and lies."""

from dataclasses import dataclass
from random import Random

from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import (
    describe_trace,
    render_fact,
    story_wordings,
    trait_fills,
)
from scripts_mm.generate.text.lexicon import load_book, plot_pool, pool
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


def render_confession(
    world: World, cast: Cast, language: Language, rng: Random, act: int = 0
) -> str:
    """Return the confession of an act, which replaces the secret in its culprit's script."""
    teller = _narrator(world, cast, language, act)
    found = _truth_fills(world, teller)
    traits = zip(world.frame.traits, world.frame.trait_acts, teller.one.traits, strict=True)
    trait, _, value = rng.choice([one for one in traits if one[1] == act])
    found["what"] = describe_trace(trait.id, value, cast, language)
    found["trace"] = pick_sentence(rng, teller.role_wordings("trace"), found)
    found["plan"] = pick_sentence(rng, teller.role_wordings("plan"), found)
    key = "confession-2" if act else "confession"
    return pick_sentence(rng, teller.role_wordings(key), found)


def render_truth(world: World, cast: Cast, language: Language, rng: Random) -> TruthText:
    """Return the truth, which players see after the end."""
    teller = _narrator(world, cast, language, 0)
    found = _truth_fills(world, teller)
    motive = _motive(teller, found, rng)
    found["motive"] = motive
    found["steps"] = _step_count(len(world.crime.offsets), language)

    def one(key: str) -> str:
        return pick_sentence(rng, plot_pool(language, world.frame.plot, "case", key), found)

    sentences = [one("truth"), one("truth-place"), one("truth-hour")]
    if world.crime.second:
        other = _narrator(world, cast, language, 1)
        found["motive2"] = _motive(other, _truth_fills(world, other), rng)
        found |= _second_fills(world, cast)
        sentences.append(one("truth-2"))
    needs = [fact for fact in world.crime.facts if fact.form == "needs"]
    several = pool(language, "case", "truth-trait")
    for fact, wording in zip(needs, rng.sample(several, len(needs)), strict=True):
        found["need"] = render_fact(fact, world.frame, cast, language)
        sentences.append(fill_template(wording, found))
    sentences.append(one("truth-only"))
    return TruthText(text=join_sentences(sentences, language), method=one("method"), motive=motive)


def render_lie(world: World, cast: Cast, lie: WorldLie, language: Language) -> str:
    """Return a lie of the culprit, in the first person."""
    teller = _narrator(world, cast, language, 0)
    found = _truth_fills(world, teller)
    if lie.form == "trait":
        found |= trait_fills(lie.trait, lie.value, cast, language)
        has = pool(language, "traits", lie.trait, "has")[0]
        found["claim"] = fill_template(has, found)
    return fill_template(pool(language, "case", f"lie-{lie.form}")[0], found)


def _motive(teller: RoleNarrator, found: dict[str, str], rng: Random) -> str:
    one = teller.one
    return pick_sentence(
        rng, story_wordings(one.id, one.motive, "why", teller.cast, teller.language), found
    )


def _narrator(world: World, cast: Cast, language: Language, act: int) -> RoleNarrator:
    who = (world.crime.culprit, world.crime.second)[act]
    one = next(one for one in world.frame.suspects if one.id == who)
    return RoleNarrator(frame=world.frame, cast=cast, one=one, language=language)


def _truth_fills(world: World, teller: RoleNarrator) -> dict[str, str]:
    """Return the fills for the truth about one culprit; `how` is what its plot trait comes to."""
    found = teller.fills() | {
        "victim": teller.cast.names["victim"],
        "moment": format_time(world.crime.moment),
    }
    trait = PLOTS[world.frame.plot].trait
    if trait:
        at = [one.id for one in world.frame.traits].index(trait)
        value = load_book(teller.language, "traits")[trait]["values"][teller.one.traits[at]]
        found["how"] = value["how"]
    return found | _second_fills(world, teller.cast)


def _second_fills(world: World, cast: Cast) -> dict[str, str]:
    """Return the names of a second act: who, of whom, when."""
    if not world.crime.second:
        return {}
    two = next(one for one in world.frame.suspects if one.id == world.crime.second)
    return {
        "who2": cast.names[world.crime.second],
        "hand": cast.names[world.crime.culprit],
        "victim2": cast.names.get("victim2", ""),
        "moment2": format_time(world.frame.moments[two.gap]),
        "at2": cast.at[two.alone],
    }


def _step_count(count: int, language: Language) -> str:
    if language == "zh":
        return f"{count}步"
    return "one step" if count == 1 else f"{count} steps"
