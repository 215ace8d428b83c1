"""Judges of a civilian's replies, sentence by sentence, by what its seat can know.

A sentence is true if the seat's script says it (in the first person), or a visible clue, the
opening, or another seat before; or if it is one of the few that the training adds. Anything else
counts as untrue, however likely it is.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from arena.core.events import Said
from arena.core.observation import Observation
from arena.core.purposes import QUESTION, Purpose
from arena.memory.lexical import split_sentences
from arena.models.chat import JsonConstraint
from arena.players.replies.extraction import list_questions
from arena.players.script_text.first_person import speak_as_role
from arena.players.wording import find_wording
from arena.training.questions import WORDS, sentence, wordings
from arena.training.teacher import marks_of, seat_of
from arena.training.testimony import statements_of
from arena.training.thinking import find_chains
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.generate.text.lexicon import pool
from scripts_mm.generate.text.templates import capitalise
from scripts_mm.script import Language

Judge = Callable[[str], Mapping[str, Sequence[bool]]]
"""From a reply to its successes, by measure."""


def judge_answer(
    case: GeneratedCase, language: Language, seen: Observation, apt: Sequence[str]
) -> Judge:
    """Judge an answer: whether it has a statement that answers, and which sentences are true."""
    known = list_sentences(case, language, seen)
    alias = seat_of(case, language, seen.seat).victim
    several = {one.replace(alias, name) for one in apt for name in (alias, *seen.victims)}

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        is_apt = any(one in reply for one in several)
        return {"apt": [is_apt], "true": true_sentences(reply, known)}

    return judge


def judge_speech(
    case: GeneratedCase, language: Language, seen: Observation, purpose: Purpose
) -> Judge:
    """Judge a text or a form: its sentences, and whether a question in it has a known form.

    A known form is one of the training's wordings, or a question that every extractive player can
    choose.
    """
    known = list_sentences(case, language, seen)
    asked, standing = question_forms(case, language, seen), {*list_questions(seen)}

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        texts, question, culprit = _read(reply)
        found: dict[str, Sequence[bool]] = {}
        if texts:
            found["true"] = [one for text in texts for one in true_sentences(text, known)]
        if question:
            is_known = asked.fullmatch(question) is not None or question in standing
            found["well asked"] = [is_known]
        if purpose is Purpose.CONCLUDE:
            names = case.rendered[language].cast.names
            found["right"] = [culprit == names[case.sampled.world.crime.culprit]]
        return found

    return judge


def judge_thought(case: GeneratedCase, seen: Observation, legal: JsonConstraint) -> Judge:
    """Return the judge of a thought: whether it joins a link of the case and whom it fits.

    A thought counts only if such a chain is among the legal ones.
    """
    known, naming = (one.options for one in legal.fields)
    is_possible = any(find_chains(case, seen, known, naming))

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        if not is_possible:
            return {"possible": [False]}
        try:
            evidence, reason = json.loads(reply).values()
        except ValueError:
            return {"possible": [True], "evidence": [False], "hop": [False]}
        links = any(find_chains(case, seen, [evidence], naming))
        chains = any(find_chains(case, seen, [evidence], [reason]))
        return {"possible": [True], "evidence": [links], "hop": [chains]}

    return judge


def true_sentences(text: str, known: frozenset[str]) -> list[bool]:
    """Return for each sentence whether it is known; an empty text is one untrue sentence."""
    if text in known:
        # The title of a clue can contain what looks like the end of a sentence.
        return [True]
    return [one in known for one in split_sentences(text)] or [False]


def list_sentences(case: GeneratedCase, language: Language, seen: Observation) -> frozenset[str]:
    """Return every sentence that a seat can truthfully say or quote."""
    said = seat_of(case, language, seen.seat)
    found = [speak_as_role(one, language) for one in split_sentences(seen.own.script)]
    heard = [one.text for one in seen.events if isinstance(one, Said)]
    for text in (*heard, seen.opening, *(clue.text for clue in seen.clues)):
        found += split_sentences(text)
    for clue in seen.clues:
        found += [
            sentence(language, "clue", title=clue.title, text=one)
            for one in split_sentences(clue.text)
        ]
    found += marks_of(case, language, seen)
    found += [sentence(language, "denial", victim=one) for one in (said.victim, *seen.victims)]
    say = find_wording(language)
    found += [say("extract.nothing"), say("extract.nothing_then")]
    found.append(say("extract.name", seat=seen.seat))
    found += [say("extract.nothing_between", victim=one) for one in seen.victims]
    names = case.rendered[language].cast.names
    who = next(key for key, name in names.items() if name == seen.seat)
    known = {one.other for one in statements_of(case, language, who)}
    for other in said.others:
        found.append(sentence(language, "no_motive", name=other))
        if other not in known:
            found.append(sentence(language, "nothing_of", other=other))
    return frozenset(found)


def question_forms(case: GeneratedCase, language: Language, seen: Observation) -> re.Pattern[str]:
    """Return a pattern of the training's questions about this case."""
    return re.compile("|".join(_list_forms(case, language, seen).values()))


def find_topics(
    case: GeneratedCase, language: Language, seen: Observation, question: str
) -> frozenset[str]:
    """Return the topics that have a wording equal to `question`."""
    forms = _list_forms(case, language, seen)
    return frozenset(topic for topic, form in forms.items() if re.fullmatch(form, question))


def _list_forms(case: GeneratedCase, language: Language, seen: Observation) -> Mapping[str, str]:
    """Return by topic a regular expression of its questions about this case."""
    seats = "|".join(re.escape(one) for one in seen.seats)
    traits = [
        pool(language, "traits", one.id, "name")[0] for one in case.sampled.world.frame.traits
    ]
    victims = (seat_of(case, language, seen.seat).victim, *seen.victims)
    parts = {
        "name": seats, "other": seats,
        "victim": "|".join(map(re.escape, victims)),
        "start": r"\d+:\d\d", "end": r"\d+:\d\d",
        "trait": "|".join(map(re.escape, traits)),
        "trait_up": "|".join(re.escape(capitalise(one)) for one in traits),
    }  # fmt: skip
    return {topic: "|".join(_fill_wordings(language, topic, parts)) for topic in WORDS}


def _fill_wordings(language: Language, topic: str, parts: Mapping[str, str]) -> Iterator[str]:
    for wording in wordings(language, "asked")[topic]:
        whole = re.escape(wording)
        for key, value in parts.items():
            whole = whole.replace(re.escape(f"{{{key}}}"), f"(?:{value})")
        yield f"(?:{whole})"


def _read(reply: str) -> tuple[list[str], str, str]:
    """Return the speeches of a reply, its question and its culprit; plain text is one speech."""
    if not reply.lstrip().startswith("{"):
        return [reply], "", ""
    try:
        found = json.loads(reply)
    except json.JSONDecodeError:
        return [reply], "", ""
    texts = [str(found[key]) for key in ("share", "method", "motive") if key in found]
    return texts, str(found.get(QUESTION, "")), str(found.get("culprit", ""))
