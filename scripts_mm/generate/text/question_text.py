"""The texts of questions, options and rationales."""

from collections.abc import Mapping, Sequence
from typing import Literal

from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import (
    act_fills,
    common_fills,
    describe_trace,
    render_fact,
)
from scripts_mm.generate.text.lexicon import plot_pool, pool
from scripts_mm.generate.text.private_scripts import RoleNarrator, own_sentences
from scripts_mm.generate.text.templates import (
    capitalise,
    fill_template,
    format_minutes,
    format_time,
    join_names,
    join_sentences,
)
from scripts_mm.generate.world import Frame, OptionRef, QuestionSpec, World, WorldFact
from scripts_mm.script import Language

FactualTopic = Literal["story", "timeline"]
_SENTENCES = 5
"""Maximum sentences of a rationale."""
_TIMES = 3
"""Number of questions on the timeline of one script."""


def render_question(ask: QuestionSpec, world: World, cast: Cast, language: Language) -> str:
    """Return the stem of a question, without the answer."""
    frame = world.frame
    found = {
        **common_fills(frame, cast),
        **_stem_names(ask, frame, cast, language),
        **_stem_times(ask, world, cast),
    }
    stem = fill_template(
        plot_pool(language, frame.plot, "questions", _stem_key(ask, frame))[0], found
    )
    if ask.kind in ("obj", "rea", "rel") and ask.role is not None:
        frame_of = "for-role"
    elif ask.kind == "inf":
        frame_of = "for-reason"
    else:
        return stem
    return fill_template(pool(language, "questions", frame_of)[0], found | {"stem": stem})


def render_option(ref: OptionRef, cast: Cast, frame: Frame, language: Language) -> str:
    """Return the text of an option."""
    kind, *rest = ref
    names = [str(one) for one in rest]
    match kind:
        case "person" | "company":
            return join_names([cast.names[name] for name in names], language)
        case "place":
            return cast.places[names[0]]
        case "post":
            return cast.posts[names[0]]
        case "time" | "span" | "minutes":
            return _render_figures(kind, [int(one) for one in rest], language)
        case _:
            return _render_life(str(kind), names, cast, language)


def render_rationale(ask: QuestionSpec, world: World, cast: Cast, language: Language) -> str:
    """Return the rationale of the answer, in at most five sentences."""
    facts = {fact.id: fact for fact in world.facts}
    told = [facts[name] for name in _with_premises(ask.facts, facts)][-_SENTENCES:]
    return join_sentences(
        [render_fact(fact, world.frame, cast, language) for fact in told], language
    )


def render_factual(
    frame: Frame, cast: Cast, who: str, text: str, language: Language
) -> tuple[tuple[FactualTopic, str, str, str], ...]:
    """Return three questions on the story and three on the timeline of a finished private script.

    Each has a topic, the question, the answer and the sentence of `text` that answers it.
    """
    one = next(one for one in frame.suspects if one.id == who)
    teller = RoleNarrator(frame=frame, cast=cast, one=one, language=language)
    found = teller.fills()
    answers = {
        "post": cast.posts[who],
        "motive": pool(language, "life", "motives", one.motive, "option")[0],
        "relation": pool(language, "life", "relations", one.relation, "option")[0],
    }
    story: list[tuple[FactualTopic, str, str, str]] = [
        (
            "story",
            _render_stem(teller, part, found),
            answer,
            _find_sentence(own_sentences(teller, part), text),
        )
        for part, answer in answers.items()
    ]
    return (*story, *_timeline_questions(teller, text))


def _timeline_questions(
    teller: RoleNarrator, text: str
) -> list[tuple[FactualTopic, str, str, str]]:
    """Return questions on the finding and on hours with witnesses; others can be lies."""
    asked: list[tuple[FactualTopic, str, str, str]] = []
    for key, found in teller.windows():
        if key == "gap":
            continue
        sentences = [fill_template(one, found) for one in teller.role_wordings(key)]
        place = capitalise(found["at"]) if teller.language == "en" else found["at"]
        source = _find_sentence(sentences, text)
        asked.append(("timeline", _render_stem(teller, "place", found), place, source))
    for key, minutes in (("found", teller.frame.found), ("alive", teller.frame.alive)):
        found = teller.fills() | {"start": format_time(minutes)}
        sentences = [fill_template(one, found) for one in teller.role_wordings(key)]
        source = _find_sentence(sentences, text)
        asked.append(("timeline", _render_stem(teller, key, found), format_time(minutes), source))
    return asked[:_TIMES]


def _render_stem(teller: RoleNarrator, key: str, found: Mapping[str, str]) -> str:
    names = {"who": teller.cast.names[teller.one.id]}
    return fill_template(teller.role_wordings(f"factual-{key}")[0], {**found, **names})


def _find_sentence(sentences: Sequence[str], text: str) -> str:
    """Return the sentence that is in `text`. Raises ValueError if none is."""
    for sentence in sentences:
        if sentence in text:
            return sentence
    raise ValueError(f"none of {len(sentences)} wordings is in the script: {sentences[0]!r}")


def _stem_key(ask: QuestionSpec, frame: Frame) -> str:
    if ask.kind == "lsu":
        return f"lsu-{ask.form}"
    return f"{ask.form}-{frame.style}" if ask.form in ("moment", "reading_time") else ask.form


def _stem_names(ask: QuestionSpec, frame: Frame, cast: Cast, language: Language) -> dict[str, str]:
    """Return the fills for people, place, trait and picture in a stem."""
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
        act = dict(zip(traits, frame.trait_acts, strict=True)).get(named, 0)
        found["doer"] = act_fills(PLOTS[frame.plot].acts[act].crime, frame, cast, language)["doer"]
    return found


def _trait(ask: QuestionSpec, frame: Frame) -> str:
    facts = {fact.id: fact for fact in frame.facts}
    found = [facts[name].trait for name in ask.facts if name in facts]
    return next((one for one in found if one), "")


def _stem_times(ask: QuestionSpec, world: World, cast: Cast) -> dict[str, str]:
    """Return the fills for the window, clock or event in a stem."""
    frame, found = world.frame, {"noun": cast.events[0][0]}
    if ask.form == "moment":
        clock = cast.clocks[ask.value] if frame.style == "clock" else ""
        found |= {"clock": clock, "clause": cast.events[ask.value][1]}
    if ask.form in ("own_place", "own_company"):
        start, end = frame.windows[ask.value].start, frame.windows[ask.value].end
        for company in frame.companies:
            if company.window == ask.value and ask.role in company.members:
                start, end = company.start, company.end
        found |= {"start": format_time(start), "end": format_time(end)}
    return found


def _render_figures(kind: str, figures: Sequence[int], language: Language) -> str:
    if kind == "minutes":
        return format_minutes(figures[0], language)
    if kind == "time":
        return format_time(figures[0])
    found = {"start": format_time(figures[0]), "end": format_time(figures[1])}
    return fill_template(pool(language, "questions", "to")[0], found)


def _render_life(kind: str, names: Sequence[str], cast: Cast, language: Language) -> str:
    match kind:
        case "value":
            return pool(language, "traits", names[0], "values", names[1], "option")[0]
        case "mark" | "step":
            return describe_trace(names[0], names[1], cast, language)
        case "motive" | "secret" | "relation" | "herring":
            return pool(language, "life", f"{kind}s", names[0], "option")[0]
        case "excuse":
            return pool(language, "life", "herrings", names[0], "why")[0]
        case "nobody" | "reason" if names in ([], ["alibi"]):
            return pool(language, "questions", "-".join((kind, *names)))[0]
        case "reason":
            return pool(language, "traits", names[0], "name")[0]
        case _:
            raise ValueError(f"wanted an option of a known kind, got {kind!r} {names}")


def _with_premises(names: Sequence[str], facts: Mapping[str, WorldFact]) -> list[str]:
    """Return the facts, each derived one after its direct premises."""
    found: list[str] = []
    for name in names:
        first = facts[name].because[0] if facts[name].because else ()
        found += [one for one in (*first, name) if one not in found]
    return found
