"""Extractive replies: every text of a reply is a whole sentence from the seat's prompt.

A model of a few million parameters chooses a sentence long before it writes one. As in extractive
question answering, its reply is one of the passages of its private script (in the first person)
and of the clues that the prompt shows, or one of the few in the wording's table `extract`. To a
question of a known topic, it is one of the passages of the whole script that can answer it
(`relevance`). The server's structured outputs enforce this, and the model's probabilities choose.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from arena.core.events import QuestionAsked, Said
from arena.core.observation import Observation
from arena.core.purposes import QUESTION, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.memory.chunking import join_sentences
from arena.memory.lexical import split_sentences
from arena.models.chat import (
    ChoiceConstraint,
    Constraint,
    JsonConstraint,
    JsonField,
    Message,
    VariantConstraint,
)
from arena.players.replies.answer_cues import DEAD, UNSETTLED
from arena.players.replies.quotations import quote_clues, sentences_of_others
from arena.players.replies.relevance import Asked, has_substance, list_answers
from arena.players.script_text.naming import People
from arena.players.script_text.passages import is_complete, needs_context, read_passages
from arena.players.wording import find_wording
from scripts_mm.script import Language

_LOOKED_AT = 6
_OF_INTRODUCTION = 2
"""Sentences of an introduction: those of the first passages that name the role."""
MOST_OF_TWO: Final[Mapping[Language, int]] = {"en": 220, "zh": 80}
"""Characters of a text: two of them, as in a conclusion, and the form fit the tokens of a reply."""
QUESTIONS = ("reason", "relation", "last_seen", "alibi", "known", "hidden")
"""Keys of the questions that fit any seat and any case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """The legal sentences for the texts of a reply."""

    spoken: tuple[str, ...]
    """For all texts except questions."""
    questions: tuple[str, ...]
    unasked: tuple[str, ...]
    """Questions that the seat has not asked yet; for a target whom each of `questions` names."""
    how: tuple[str, ...] = ()
    """For the first text of a conclusion; empty: as all texts."""
    why: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """For the other texts of a conclusion, by the seat that it names: at least one."""


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
    found = Sentences(
        spoken=tuple(is_new or short) or (say("extract.nothing"),),
        questions=tuple(fresh or asked),
        unasked=tuple(unasked),
    )
    if request.purpose is not Purpose.CONCLUDE:
        return found

    most = min(request.max_chars, MOST_OF_TWO[observation.language])

    def fit(texts: Iterator[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for one in texts if len(one) <= most))

    return replace(
        found,
        how=fit(_tell_how(observation, shown)),
        why={
            one: fit(_tell_why(observation, shown, one)) or (say("extract.no_motive", other=one),)
            for one in observation.seats
        },
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
    choices = [one for one in form.fields if one.options]
    if len(choices) == 1 and sentences.why.keys() >= {*choices[0].options}:
        yield from (_restrict_conclusion(form, sentences, one) for one in choices[0].options)
        return
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


def _restrict_conclusion(form: JsonConstraint, sentences: Sentences, seat: str) -> JsonConstraint:
    """Return the form of a conclusion that names `seat`: its texts say how, and why this seat.

    A conclusion may name nobody, but its texts are about a seat, so it does.
    """
    first = next((one.name for one in form.fields if not one.options), "")
    how, why = sentences.how or sentences.spoken, sentences.why[seat]
    fields: list[JsonField] = []
    for one in form.fields:
        allowed = how if one.name == first else why
        if one.options:
            fields.append(replace(one, options=(seat,), optional=False))
        else:
            fields.append(replace(one, options=allowed, max_chars=0))
    return JsonConstraint(fields=tuple(fields))


def _restrict_field(one: JsonField, sentences: Sentences) -> JsonField:
    if one.options:
        return one
    options = sentences.questions if one.name == QUESTION else sentences.spoken
    return replace(one, options=options, max_chars=0)


def _candidates(observation: Observation, request: DecisionRequest, shown: str) -> Iterator[str]:
    """Yield the legal sentences of a reply; those of a murderer do not reveal its deed."""
    if request.purpose is Purpose.INTRODUCE:
        yield from _introduction(observation)
        return
    question = request.context_value(QUESTION) if request.is_question else ""
    asked = Asked(
        observation=observation,
        question=question,
        passages=read_passages(observation),
        clues=tuple(quote_clues(observation, shown, private=True)),
    )
    answers = list_answers(asked)
    if answers is not None:
        yield from answers
        return
    yield from _own_passages(observation, shown, is_answer=bool(question))
    yield from quote_clues(observation, shown)
    if question:
        yield from _replies(observation)
    elif request.purpose is Purpose.CONCLUDE:
        yield from (one for one in sentences_of_others(observation) if one in shown)


def _introduction(observation: Observation) -> Iterator[str]:
    """Yield the first sentences about the role, even if the prompt lacks them."""
    first = [one.text for one in read_passages(observation)][:_LOOKED_AT]
    named = [one for one in first if observation.seat in one]
    if named:
        yield from named[:_OF_INTRODUCTION]
        return
    name = find_wording(observation.language)("extract.name", seat=observation.seat)
    yield from (
        join_sentences((name, one), observation.language) for one in first[:_OF_INTRODUCTION]
    )
    yield name


def _tell_how(observation: Observation, shown: str) -> Iterator[str]:
    """Yield what the opening says of the death, and the clues about it or about nobody."""
    language, people = observation.language, People.of(observation)
    for one in split_sentences(observation.opening):
        is_other = UNSETTLED[language].search(one) or people.are_named(one, *people.seats)
        is_of_death = DEAD[language].search(one) and not is_other
        if is_of_death and is_complete(one) and not needs_context(one, language):
            yield one
    for one in quote_clues(observation, shown):
        is_of_death = DEAD[language].search(one) or people.are_named(one, *people.victims)
        if is_of_death or not people.are_named(one, *people.seats):
            yield one


def _tell_why(observation: Observation, shown: str, seat: str) -> Iterator[str]:
    """Yield what its own script and others say of a seat."""
    people = People.of(observation)
    own = (one.text for one in read_passages(observation))
    heard = (one for one in sentences_of_others(observation) if one in shown)
    yield from (one for one in (*own, *heard) if people.are_named(one, seat))


def _replies(observation: Observation) -> Iterator[str]:
    """Yield answers for any seat: denials."""
    say = find_wording(observation.language)
    for victim in observation.victims:
        yield say("extract.denial", victim=victim)


def _own_passages(observation: Observation, shown: str, *, is_answer: bool) -> Iterator[str]:
    """Yield the passages in `shown`; unasked, only those of use to others, if there are any."""
    found = [one.text for one in read_passages(observation, shown)]
    people = People.of(observation)
    useful = [one for one in found if has_substance(one, people)]
    yield from found if is_answer else useful or found


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
