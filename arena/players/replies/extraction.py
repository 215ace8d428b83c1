"""Extractive replies: every text of a reply is a whole sentence from the seat's prompt.

A model of a few million parameters chooses a sentence long before it writes one. As in extractive
question answering, its reply is one of the sentences of its private script (in the first person)
and of the clues that the prompt shows, or one of the few in the wording's table `extract`. The
server's structured outputs enforce this, and the model's probabilities choose.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.core.events import QuestionAsked, Said
from arena.core.observation import Observation
from arena.core.purposes import QUESTION, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.memory.lexical import split_sentences
from arena.models.chat import (
    ChoiceConstraint,
    Constraint,
    JsonConstraint,
    JsonField,
    Message,
    VariantConstraint,
)
from arena.players.script_text.first_person import speak_as_role
from arena.players.script_text.own_script import read_own_script
from arena.players.wording import find_wording
from scripts_mm.script import Language

_LOOKED_AT = 6
_OF_INTRODUCTION = 2
"""Sentences of an introduction: those of the first six that name the role, else the first two."""
_LEAST_WORDS = 4
"""Words of a sentence, at least: shorter ones are headings, numbers and exclamations."""
_WORD = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W_]+")
"""A word, or two Chinese characters."""
_FIRST_PERSON: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b"),
    "zh": re.compile("[我咱]"),
}
QUESTIONS = ("reason", "relation", "last_seen", "alibi", "known", "hidden")
"""Keys of the questions that fit any seat and any case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """The legal sentences for the texts of a reply."""

    spoken: tuple[str, ...]
    """For all texts except questions."""
    questions: tuple[str, ...]
    unasked: tuple[str, ...]
    """Questions that the seat itself has not put, for a target about whom `questions` all are."""


def find_sentences(
    observation: Observation, request: DecisionRequest, prompt: Sequence[Message]
) -> Sentences:
    """Return the legal sentences of a reply to `prompt`; only answers can repeat own speech."""
    shown = "\n".join(one.text for one in prompt)
    candidates = dict.fromkeys(_candidates(observation, request, shown))
    said = _own_speech(observation)
    say = find_wording(observation.language)
    short = [one for one in candidates if len(one) <= request.max_chars]
    is_new = [one for one in short if request.is_question or one not in said]
    asked = dict.fromkeys(list_questions(observation))
    heard = {one.text for one in observation.events if isinstance(one, QuestionAsked)}
    unasked = [one for one in asked if one not in said]
    fresh = [one for one in asked if one not in heard] or unasked
    return Sentences(
        spoken=tuple(is_new or short) or (say("extract.nothing"),),
        questions=tuple(fresh or asked),
        unasked=tuple(unasked),
    )


def restrict_to(constraint: Constraint | None, sentences: Sentences) -> Constraint:
    """Return `constraint` with every free text narrowed to `sentences`; None: it is all text."""
    match constraint:
        case None:
            return ChoiceConstraint(options=sentences.spoken)
        case ChoiceConstraint():
            return constraint
        case JsonConstraint():
            forms = (*_restrict_form(constraint, sentences),)
            return forms[0] if len(forms) == 1 else VariantConstraint(variants=forms)
        case VariantConstraint(variants=variants):
            return VariantConstraint(
                variants=tuple(form for one in variants for form in _restrict_form(one, sentences))
            )


def _restrict_form(form: JsonConstraint, sentences: Sentences) -> Iterator[JsonConstraint]:
    """Yield the restricted forms; for questions one per target, without those about the target."""
    targets = next((one.options for one in form.fields if one.name == TARGET), ())
    if not targets or all(one.name != QUESTION for one in form.fields):
        yield JsonConstraint(fields=tuple(_restrict_field(one, sentences) for one in form.fields))
        return
    for target in targets:
        fresh = tuple(one for one in sentences.questions if target not in one)
        others = fresh or tuple(one for one in sentences.unasked if target not in one)
        put = replace(sentences, questions=others or sentences.questions)
        held = (_restrict_field(one, put) for one in form.fields)
        fields = (replace(one, options=(target,)) if one.name == TARGET else one for one in held)
        yield JsonConstraint(fields=tuple(fields))


def _restrict_field(field: JsonField, sentences: Sentences) -> JsonField:
    if field.options:
        return field
    options = sentences.questions if field.name == QUESTION else sentences.spoken
    return replace(field, options=options, max_chars=0)


def _candidates(observation: Observation, request: DecisionRequest, shown: str) -> Iterator[str]:
    """Yield the legal sentences of a reply; those of a murderer do not reveal its deed."""
    if request.purpose is Purpose.INTRODUCE:
        yield from _introduction(observation)
        return
    yield from _own_sentences(observation, shown)
    say = find_wording(observation.language)
    for clue in observation.clues:
        for one in split_sentences(clue.text):
            if one in shown and _is_whole(one):
                yield say("extract.clue", title=clue.title, text=one)
    if request.is_question:
        yield from _replies(observation, request.context_value(QUESTION))
    elif request.purpose is Purpose.CONCLUDE:
        yield from (one for one in _sentences_of_others(observation) if one in shown)


def _introduction(observation: Observation) -> Iterator[str]:
    """Yield the first sentences about the role, even if the prompt lacks them."""
    first = [*_own_sentences(observation)][:_LOOKED_AT]
    named = [one for one in first if observation.seat in one]
    yield from (named or first)[:_OF_INTRODUCTION]


def _sentences_of_others(observation: Observation) -> Iterator[str]:
    """Yield speech of others about others; their first-person sentences would be wrong here."""
    first_person = _FIRST_PERSON[observation.language]
    for event in observation.events:
        if isinstance(event, Said):
            sentences = split_sentences(event.text)
            yield from (one for one in sentences if _is_whole(one) and not first_person.search(one))


def _replies(observation: Observation, question: str) -> Iterator[str]:
    """Yield answers for any seat: a denial, or that its script does not mention another seat."""
    say = find_wording(observation.language)
    for victim in observation.victims:
        yield say("extract.denial", victim=victim)
    for other in observation.seats:
        if other in question and other not in observation.private_script:
            yield say("extract.nothing_of", other=other)


def _own_sentences(observation: Observation, shown: str | None = None) -> Iterator[str]:
    """Yield the sayable sentences of the own script, only those in `shown` if it is given."""
    script = read_own_script(observation)
    for sentence, may in zip(script.sentences, script.spoken, strict=True):
        is_shown = shown is None or sentence in shown
        if may and is_shown and _is_whole(sentence):
            yield speak_as_role(sentence, observation.language)


def _is_whole(sentence: str) -> bool:
    """Return whether a sentence is meaningful by itself, with complete quotations.

    A lower-case start means that the sentence was cut at the full stop of an abbreviation.
    """
    is_quoted_whole = sentence.count("“") == sentence.count("”") and sentence.count('"') % 2 == 0
    is_begun = not sentence[:1].islower()
    return is_quoted_whole and is_begun and len(_WORD.findall(sentence)) >= _LEAST_WORDS


def list_questions(observation: Observation) -> Iterator[str]:
    """Yield the selectable questions, which do not depend on the prompt."""
    say = find_wording(observation.language)
    others = [one for one in observation.seats if one != observation.seat]
    for key in QUESTIONS:
        for victim in observation.victims:
            yield say(f"extract.{key}", victim=victim)
    for other in others:
        yield say("extract.of_other", other=other)


def _own_speech(observation: Observation) -> frozenset[str]:
    found: list[str] = []
    for event in observation.events:
        if isinstance(event, Said | QuestionAsked) and event.seat == observation.seat:
            found += [event.text, *split_sentences(event.text)]
    return frozenset(found)
