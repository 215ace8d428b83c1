"""What everybody knows before anybody speaks."""

from dataclasses import dataclass
from random import Random

from scripts_mm.generate.telling.casting import Cast
from scripts_mm.generate.telling.lexicon import pool
from scripts_mm.generate.telling.phrases import hour, joined, picked, prose
from scripts_mm.generate.telling.sayings import common, says
from scripts_mm.generate.world import Frame
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The texts that every seat reads."""

    title: str
    text: str
    civilian_mission: str
    murderer_mission: str


def opening(frame: Frame, cast: Cast, language: Language, rng: Random) -> Opening:
    """Return the opening of a case: who is dead, where, when, and who may have done it."""
    found = {
        **common(frame, cast),
        "intro": cast.intro,
        "alive": hour(frame.alive),
        "found": hour(frame.found),
        "start": hour(frame.found),
        "count": _count(len(frame.suspects), language),
        "people": _people(frame, cast, language),
        "surname": cast.aliases["victim"][-1] if cast.aliases["victim"] else cast.names["victim"],
    }

    def one(key: str) -> str:
        return picked(rng, pool(language, "case", key), found)

    paragraphs = [
        one("opening"),
        prose([one("dead"), one("deed")], language),
        one("guests"),
    ]
    ways = [fact for fact in frame.facts if fact.form == "way" and "opening" in fact.sources]
    if ways:
        told = [says(fact, frame, cast, language) for fact in ways]
        paragraphs.append(prose([one("walk"), *told], language))
    paragraphs.append(one("close"))
    return Opening(
        title=one("title"),
        text="\n\n".join(paragraphs),
        civilian_mission=one("civilian"),
        murderer_mission=one("murderer"),
    )


def _people(frame: Frame, cast: Cast, language: Language) -> str:
    if language == "zh":
        return joined([f"{cast.posts[one.id]}{cast.names[one.id]}" for one in frame.suspects], "zh")
    named = [f"{cast.names[one.id]} ({cast.posts[one.id]})" for one in frame.suspects]
    return joined(named, language)


def _count(number: int, language: Language) -> str:
    words = {
        "en": ("two", "three", "four", "five", "six", "seven", "eight"),
        "zh": ("两", "三", "四", "五", "六", "七", "八"),
    }
    return words[language][number - 2]
