"""Sentences of facts: the one that a proof prints, and other wordings."""

from collections.abc import Mapping

from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.lexicon import (
    WordPool,
    load_book,
    plot_pool,
    pool,
    pool_for_value,
)
from scripts_mm.generate.text.templates import fill_template, format_minutes, format_time
from scripts_mm.generate.world import Frame, WorldFact
from scripts_mm.script import Language

_PLAIN = frozenset(
    {
        "alive", "found", "scene", "scene-2", "way", "with", "seen", "narrow_after",
        "narrow_before", "narrow_after-2", "narrow_before-2", "tie-2", "spot-mark", "spot-link",
        "order",
    }
)  # fmt: skip


def render_fact(fact: WorldFact, frame: Frame, cast: Cast, language: Language) -> str:
    """Return the fact as one full sentence, always the same."""
    return fill_template(
        wordings(fact, frame, language, cast)[0], fact_fills(fact, frame, cast, language)
    )


def wordings(fact: WorldFact, frame: Frame, language: Language, cast: Cast) -> WordPool:
    """Return the wordings of a fact, the plainest first."""
    if fact.form in _PLAIN:
        return plot_pool(language, frame.plot, "facts", fact.form)
    if fact.form in ("trait", "needs", "mark", "link", "mid"):
        return _trait_wordings(fact, language, cast)
    if fact.form in ("herring", "excuse"):
        part = "fact" if fact.form == "herring" else "excuse"
        return pool(language, "life", "herrings", fact.value, part)
    if fact.form == "relation":
        return pool(language, "life", "relations", fact.value, "said")
    return plot_pool(language, frame.plot, "facts", _hour_path(fact, frame))


def fact_fills(fact: WorldFact, frame: Frame, cast: Cast, language: Language) -> dict[str, str]:
    """Return the fills for the wordings of a fact."""
    found = {
        **common_fills(frame, cast),
        **act_fills(fact.crime, frame, cast, language),
        "start": format_time(fact.start),
        "end": format_time(fact.end),
        "minutes": format_minutes(abs(fact.minutes), language),
        "before": format_minutes(fact.start, language),
        "after": format_minutes(fact.end, language),
    }
    if fact.who:
        found |= {**cast.people[fact.who], **cast.pronouns[fact.who]}
        found["who"] = cast.names[fact.who]
    if fact.place:
        found |= {"at": cast.at[fact.place], "place": cast.places[fact.place]}
    if fact.places:
        found |= {
            "a": cast.places.get(fact.places[0], ""),
            "b": cast.places.get(fact.places[-1], ""),
        }
    if fact.form == "relation":
        found["other"] = cast.names[fact.places[0]]
    if fact.trait:
        found |= trait_fills(fact.trait, fact.value, cast, language)
        found |= act_fills(fact.crime, frame, cast, language)
    if fact.form in ("excuse", "herring"):
        knower = next(one.knower for one in frame.herrings if one.who == fact.who)
        found["knower"] = cast.names[knower]
    if fact.form == "motive":
        found["reason"] = motive_reason(fact.who, fact.value, 0, found, cast, language)
    return found | _step_fills(fact, frame, cast)


def common_fills(frame: Frame, cast: Cast) -> dict[str, str]:
    """Return the fills that every sentence of a case can use."""
    found = {
        "victim": cast.names["victim"],
        **{f"v{key}": one for key, one in cast.pronouns["victim"].items()},
        "vpost": cast.posts["victim"],
        "victim2": cast.names.get("victim2", ""),
        "v2post": cast.posts.get("victim2", ""),
        "scene": cast.at[frame.body],
        "scene_of": f"of {cast.places[frame.body]}",
        "spot": cast.at[frame.scene],
        "scene2": cast.at.get(frame.second, ""),
        "house": cast.house,
        "town": cast.town,
        "date": cast.date,
        "file": cast.file,
        "officer": cast.officer,
        "caller": cast.caller,
        "clock": cast.clocks[0],
        "noun": cast.events[-1][0],
    }
    return found | {key: fill_inside(one, found) for key, one in cast.things.items()}


def act_fills(crime: str, frame: Frame, cast: Cast, language: Language) -> dict[str, str]:
    """Return the words for an act: `by`, where its traces were, and `doer`, whoever did it."""
    found = common_fills(frame, cast)
    acts = load_book(language, "plots")[frame.plot]["acts"][crime]
    return {key: fill_inside(wording, found) for key, wording in acts.items()}


def trait_fills(trait: str, value: str, cast: Cast, language: Language) -> dict[str, str]:
    """Return the fills for a trait's value and its trace."""
    book: Mapping[str, str] = load_book(language, "traits")[trait]["values"][value]
    look = cast.looks[trait]
    return {
        **book,
        "t": look.tokens.get(value, ""),
        "m": look.makers.get(value, ""),
    }


def describe_trace(trait: str, value: str, cast: Cast, language: Language) -> str:
    """Return a short description of the trace of a value."""
    form = cast.looks[trait].form
    wording = pool_for_value(language, "traits", value, trait, "looks", form, "show")[0]
    return fill_inside(wording, trait_fills(trait, value, cast, language))


def motive_reason(
    who: str, motive: str, at: int, known: Mapping[str, str], cast: Cast, language: Language
) -> str:
    """Return the motive of `who` in wording number `at` of its story."""
    found = {**known, **cast.people[who], **cast.pronouns[who], "who": cast.names[who]}
    several = story_wordings(who, motive, "other", cast, language)
    return fill_inside(several[at % len(several)], found)


def story_wordings(who: str, motive: str, part: str, cast: Cast, language: Language) -> WordPool:
    """Return the wordings of the story of a suspect's motive: `you`, `other` or `why`.

    Each suspect has one story, so what its script, others and letters tell agrees.
    """
    return pool(language, "life", "motives", motive, "stories", cast.stories[who], part)


def _trait_wordings(fact: WorldFact, language: Language, cast: Cast) -> WordPool:
    if fact.form == "needs":
        return pool(language, "traits", fact.trait, "need")
    if fact.form == "trait":
        return pool(language, "traits", fact.trait, "has")
    part = fact.form
    if part == "link" and fact.end > 1:
        part = f"link{fact.step}"
    form = cast.looks[fact.trait].form
    return pool_for_value(language, "traits", fact.value, fact.trait, "looks", form, part)


def _hour_path(fact: WorldFact, frame: Frame) -> str:
    """Return the path of the wordings of a fact of the hour's chain."""
    match fact.form:
        case "motive":
            return "motive-said"
        case "offset" if frame.style == "clock":
            return "offset-clock-ahead" if fact.minutes > 0 else "offset-clock-behind"
        case "offset":
            return "offset-events-after" if fact.minutes > 0 else "offset-events-before"
        case "tie":
            return f"tie-{frame.style}" if fact.start else f"tie-{frame.style}-0"
        case _:
            return f"{fact.form}-{frame.style}"


def _step_fills(fact: WorldFact, frame: Frame, cast: Cast) -> dict[str, str]:
    """Return the clocks or events in a fact of the hour's chain."""
    if fact.form not in ("reading", "offset", "moment"):
        return {}
    at = fact.step
    if frame.style == "clock":
        before = max(0, at - 1) if fact.form == "offset" else at
        return {"clock": cast.clocks[before], "other": cast.clocks[at]}
    before = max(0, at - 1)
    return {"noun": cast.events[before][0], "clause": cast.events[at][1]}


def fill_inside(wording: str, found: Mapping[str, str]) -> str:
    """Fill in a wording without capitalising the first letter, for use inside a sentence."""
    text = fill_template(f"|{wording}", found)
    return text[1:]
