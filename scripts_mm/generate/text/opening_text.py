"""The opening text, which every seat reads before the first speech."""

from dataclasses import dataclass
from random import Random

from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import common_fills, render_fact
from scripts_mm.generate.text.lexicon import plot_pool
from scripts_mm.generate.text.templates import (
    format_time,
    join_names,
    join_sentences,
    pick_sentence,
)
from scripts_mm.generate.world import Frame
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningText:
    """The texts that every seat reads."""

    title: str
    text: str
    civilian_mission: str
    murderer_mission: str


def render_opening(frame: Frame, cast: Cast, language: Language, rng: Random) -> OpeningText:
    """Return the opening of a case: the victim, place, time and suspects."""
    found = {
        **common_fills(frame, cast),
        "intro": cast.intro,
        "alive": format_time(frame.alive),
        "found": format_time(frame.found),
        "start": format_time(frame.found),
        "count": _count_word(len(frame.suspects), language),
        "people": _render_people(frame, cast, language),
        "surname": cast.aliases["victim"][-1] if cast.aliases["victim"] else cast.names["victim"],
    }

    def one(key: str) -> str:
        return pick_sentence(rng, plot_pool(language, frame.plot, "case", key), found)

    paragraphs = [
        one("opening"),
        join_sentences([one("dead"), one("deed")], language),
        one("guests"),
    ]
    ways = [fact for fact in frame.facts if fact.form == "way" and "opening" in fact.sources]
    if ways:
        told = [render_fact(fact, frame, cast, language) for fact in ways]
        paragraphs.append(join_sentences([one("walk"), *told], language))
    paragraphs.append(one("close"))
    return OpeningText(
        title=one("title"),
        text="\n\n".join(paragraphs),
        civilian_mission=one("civilian"),
        murderer_mission=one("murderer"),
    )


def _render_people(frame: Frame, cast: Cast, language: Language) -> str:
    if language == "zh":
        return join_names(
            [f"{cast.posts[one.id]}{cast.names[one.id]}" for one in frame.suspects], "zh"
        )
    named = [f"{cast.names[one.id]} ({cast.posts[one.id]})" for one in frame.suspects]
    return join_names(named, language)


def _count_word(number: int, language: Language) -> str:
    words = {
        "en": ("two", "three", "four", "five", "six", "seven", "eight"),
        "zh": ("两", "三", "四", "五", "六", "七", "八"),
    }
    return words[language][number - 2]
