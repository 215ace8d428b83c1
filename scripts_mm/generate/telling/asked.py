"""Questions, their options and the reasons for their answers, in words."""

from collections.abc import Mapping, Sequence
from typing import Literal

from scripts_mm.generate.telling.casting import Cast
from scripts_mm.generate.telling.lexicon import pool
from scripts_mm.generate.telling.phrases import capital, filled, hour, joined, prose, span
from scripts_mm.generate.telling.roles import Teller, own_sentences
from scripts_mm.generate.telling.sayings import common, says, shown
from scripts_mm.generate.world import Ask, Fact, Frame, Ref, World
from scripts_mm.script import Language

About = Literal["story", "timeline"]
_SENTENCES = 5
"""Sentences of a reason at most."""
_TIMES = 3
"""Questions on the hours of one script."""


def question(ask: Ask, world: World, cast: Cast, language: Language) -> str:
    """Return the stem of a question; it never holds the answer."""
    frame = world.frame
    found = {
        **common(frame, cast),
        **_names(ask, frame, cast, language),
        **_hours(ask, world, cast),
    }
    stem = filled(pool(language, "questions", _key(ask, frame))[0], found)
    if ask.kind in ("obj", "rea", "rel") and ask.role is not None:
        frame_of = "for-role"
    elif ask.kind == "inf":
        frame_of = "for-reason"
    else:
        return stem
    return filled(pool(language, "questions", frame_of)[0], found | {"stem": stem})


def option(ref: Ref, cast: Cast, frame: Frame, language: Language) -> str:
    """Return the text of an option."""
    kind, *rest = ref
    names = [str(one) for one in rest]
    match kind:
        case "person" | "company":
            return joined([cast.names[name] for name in names], language)
        case "place":
            return cast.places[names[0]]
        case "post":
            return cast.posts[names[0]]
        case "time" | "span" | "minutes":
            return _figures(kind, [int(one) for one in rest], language)
        case _:
            return _life(str(kind), names, cast, language)


def rationale(ask: Ask, world: World, cast: Cast, language: Language) -> str:
    """Return why the answer is right, in at most five sentences."""
    facts = {fact.id: fact for fact in world.facts}
    told = [facts[name] for name in _grounds(ask.facts, facts)][-_SENTENCES:]
    return prose([says(fact, world.frame, cast, language) for fact in told], language)


def factual(
    frame: Frame, cast: Cast, who: str, text: str, language: Language
) -> tuple[tuple[About, str, str, str], ...]:
    """Return three questions on the story and three on the hours of a finished private script.

    Each is what it is about, the question, the answer and the sentence of `text` that answers it.
    """
    one = next(one for one in frame.suspects if one.id == who)
    teller = Teller(frame=frame, cast=cast, one=one, language=language)
    found = teller.fills()
    answers = {
        "post": cast.posts[who],
        "motive": pool(language, "life", "motives", one.motive, "option")[0],
        "relation": pool(language, "life", "relations", one.relation, "option")[0],
    }
    story: list[tuple[About, str, str, str]] = [
        ("story", _asked(teller, part, found), answer, _standing(own_sentences(teller, part), text))
        for part, answer in answers.items()
    ]
    return (*story, *_timeline(teller, text))


def _timeline(teller: Teller, text: str) -> list[tuple[About, str, str, str]]:
    """Ask for hours with witnesses and of the finding; an hour without one may be a lie."""
    asked: list[tuple[About, str, str, str]] = []
    for key, found in teller.windows():
        if key == "gap":
            continue
        sentences = [filled(one, found) for one in teller.role(key)]
        place = capital(found["at"]) if teller.language == "en" else found["at"]
        source = _standing(sentences, text)
        asked.append(("timeline", _asked(teller, "place", found), place, source))
    for key, minutes in (("found", teller.frame.found), ("alive", teller.frame.alive)):
        found = teller.fills() | {"start": hour(minutes)}
        sentences = [filled(one, found) for one in teller.role(key)]
        source = _standing(sentences, text)
        asked.append(("timeline", _asked(teller, key, found), hour(minutes), source))
    return asked[:_TIMES]


def _asked(teller: Teller, key: str, found: Mapping[str, str]) -> str:
    names = {"who": teller.cast.names[teller.one.id]}
    return filled(teller.role(f"factual-{key}")[0], {**found, **names})


def _standing(sentences: Sequence[str], text: str) -> str:
    """Return the sentence that stands in `text`. Raises ValueError where none does."""
    for sentence in sentences:
        if sentence in text:
            return sentence
    raise ValueError(f"none of {len(sentences)} wordings stands in the script: {sentences[0]!r}")


def _key(ask: Ask, frame: Frame) -> str:
    if ask.kind == "lsu":
        return f"lsu-{ask.form}"
    return f"{ask.form}-{frame.style}" if ask.form in ("moment", "reading_time") else ask.form


def _names(ask: Ask, frame: Frame, cast: Cast, language: Language) -> dict[str, str]:
    """Return the people, the place, the trait and the picture that a stem names."""
    ids = [one.id for one in frame.suspects]
    found = {"clue": ask.clues[0].removeprefix("c").lstrip("0") if ask.clues else ""}
    speaker = ask.role if ask.role in ids else None
    if speaker:
        found["who"] = cast.names[speaker]
    subject = ask.about if ask.about in ids else speaker
    if subject:
        found["about"] = cast.names[subject]
        found["other"] = cast.names[ids[(ids.index(subject) + 1) % len(ids)]]
    if ask.about in cast.places:
        found["place"] = cast.places[ask.about]
    traits = [one.id for one in frame.traits]
    named = ask.about if ask.about in traits else _trait(ask, frame)
    if named:
        found["trait"] = pool(language, "traits", named, "name")[0]
    return found


def _trait(ask: Ask, frame: Frame) -> str:
    facts = {fact.id: fact for fact in frame.facts}
    found = [facts[name].trait for name in ask.facts if name in facts]
    return next((one for one in found if one), "")


def _hours(ask: Ask, world: World, cast: Cast) -> dict[str, str]:
    """Return the window, clock or event that a stem names by a number."""
    frame, found = world.frame, {"noun": cast.events[0][0]}
    if ask.form == "moment":
        clock = cast.clocks[ask.value] if frame.style == "clock" else ""
        found |= {"clock": clock, "clause": cast.events[ask.value][1]}
    if ask.form in ("own_place", "own_company"):
        start, end = frame.windows[ask.value].start, frame.windows[ask.value].end
        for company in frame.companies:
            if company.window == ask.value and ask.role in company.members:
                start, end = company.start, company.end
        found |= {"start": hour(start), "end": hour(end)}
    return found


def _figures(kind: str, figures: Sequence[int], language: Language) -> str:
    if kind == "minutes":
        return span(figures[0], language)
    if kind == "time":
        return hour(figures[0])
    found = {"start": hour(figures[0]), "end": hour(figures[1])}
    return filled(pool(language, "questions", "to")[0], found)


def _life(kind: str, names: Sequence[str], cast: Cast, language: Language) -> str:
    match kind:
        case "value":
            return pool(language, "traits", names[0], "values", names[1], "option")[0]
        case "mark" | "step":
            return shown(names[0], names[1], cast, language)
        case "motive" | "secret" | "relation" | "herring":
            return pool(language, "life", f"{kind}s", names[0], "option")[0]
        case "excuse":
            return pool(language, "life", "herrings", names[0], "why")[0]
        case "reason" if names[0] == "alibi":
            return pool(language, "questions", "reason-alibi")[0]
        case "reason":
            return pool(language, "traits", names[0], "name")[0]
        case _:
            raise ValueError(f"wanted an option of a known kind, came {kind!r} {names}")


def _grounds(names: Sequence[str], facts: Mapping[str, Fact]) -> list[str]:
    """Return the facts and, before each that is derived, what it follows from at once."""
    found: list[str] = []
    for name in names:
        first = facts[name].because[0] if facts[name].because else ()
        found += [one for one in (*first, name) if one not in found]
    return found
