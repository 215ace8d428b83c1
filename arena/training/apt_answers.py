"""Answers of a private script that answer a training question as well as the teacher's.

The teacher gives one statement for each question and hides what its script hides. A civilian may
also deny in the words of its script, tell where it was by its secret, name whom it saw from there,
or give another piece of what it knows.
"""

from collections.abc import Iterator

from arena.core.purposes import QUESTION
from arena.memory.lexical import split_sentences
from arena.players.script_text.clock_times import read_times
from arena.players.script_text.first_person import speak_as_role
from arena.players.wording import find_wording
from arena.training.episodes import Episode
from arena.training.judging import find_topics
from arena.training.teacher import seat_of
from arena.training.testimony import statements_of
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.script import Language

_KNOWLEDGE = ("lore", "other_trait", "other_motive")


def list_apt_answers(case: GeneratedCase, language: Language, one: Episode) -> Iterator[str]:
    """Yield the sentences that answer the question of a turn, in the first person."""
    yield from one.answers
    seen, question = one.observation, one.asked.context_value(QUESTION)
    script = seen.own.script
    topics = find_topics(case, language, seen, question)
    if "hidden" in topics:
        yield from _speak(_list_secrets(script), language)
    if "guilt" in topics:
        yield from _speak(_list_denials(case, language, one), language)
        say = find_wording(language)
        yield from (say("extract.denial", victim=name) for name in seen.victims)
    if "other" in topics:
        others = [name for name in seen.seats if name != seen.seat and name in question]
        told = split_sentences(script)
        yield from _speak((text for text in told if any(name in text for name in others)), language)
    if "window" in topics:
        asked = [*read_times(question)]
        told = split_sentences(script)
        yield from _speak((text for text in told if [*read_times(text)] == asked), language)
    if "lore" in topics:
        names = case.rendered[language].cast.names
        who = next(key for key, name in names.items() if name == seen.seat)
        known = statements_of(case, language, who)
        yield from (each.text for each in known if each.topic in _KNOWLEDGE)


def _speak(told: Iterator[str], language: Language) -> Iterator[str]:
    return (speak_as_role(one, language) for one in told)


def _list_secrets(script: str) -> Iterator[str]:
    """Yield what the script keeps to itself: sentences with times, in its last paragraph."""
    return (one for one in split_sentences(_last_paragraph(script)) if [*read_times(one)])


def _list_denials(case: GeneratedCase, language: Language, one: Episode) -> Iterator[str]:
    """Yield the script's own denial: in its last paragraph, it names a victim and no time."""
    seen = one.observation
    victims = (seat_of(case, language, seen.seat).victim, *seen.victims)
    for text in split_sentences(_last_paragraph(seen.own.script)):
        if any(name in text for name in victims) and not [*read_times(text)]:
            yield text


def _last_paragraph(script: str) -> str:
    return script.rsplit("\n\n", maxsplit=1)[-1]
