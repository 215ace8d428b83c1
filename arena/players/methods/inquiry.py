"""Requests to ask a seat or to search for a clue, in a form that methods use in every game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from arena.core.actions import Reply
from arena.core.events import PhaseStarted, QuestionAsked
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.purposes import INVESTIGATE_VARIANT, QUESTION, STATEMENT, TARGET, VICTIM
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import (
    ActionSpec,
    Choice,
    Field,
    Form,
    FreeText,
    OneOf,
    Variant,
    spec_fields,
    variants,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChoices:
    """The open choices of a request to ask."""

    variant: Variant
    """The variant of the answer with a question."""
    targets: tuple[SeatId, ...]
    """Other seats that can be asked, in the order of the script."""
    victims: tuple[str, ...]
    """Victims to choose from; empty: the request names one, or is about all."""
    can_investigate: bool
    """Whether the seat can search for a clue instead."""


def find_question_choices(
    observation: Observation, request: DecisionRequest
) -> QuestionChoices | None:
    """Return the open choices of a request to ask; None: it is not for a question to a seat."""
    for variant in variants(request.spec):
        fields = {field.name: field.spec for field in spec_fields(variant.spec)}
        named = fields.get(TARGET)
        if not isinstance(named, Choice) or not isinstance(fields.get(QUESTION), FreeText):
            continue
        others = [seat for seat in observation.seats if seat != observation.seat]
        targets = tuple(seat for seat in others if seat in named.options)
        victims = fields.get(VICTIM)
        if targets:
            return QuestionChoices(
                variant=variant,
                targets=targets,
                victims=victims.options if isinstance(victims, Choice) else (),
                can_investigate=any(
                    one.name == INVESTIGATE_VARIANT for one in variants(request.spec)
                ),
            )
    return None


def narrow(spec: ActionSpec, variant: str, chosen: Mapping[str, tuple[str, ...]]) -> ActionSpec:
    """Return `spec` with only one variant, and with only the options `chosen` in its choices."""
    if isinstance(spec, OneOf):
        return OneOf(
            variants=tuple(
                replace(one, spec=_narrow(one.spec, chosen))
                for one in spec.variants
                if one.name == variant
            )
        )
    return _narrow(spec, chosen)


def fill_question(
    asking: QuestionChoices, chosen: Mapping[str, str], text: str, statement: str
) -> Reply:
    """Return the reply with the question `text` after `statement`."""
    values = {QUESTION: text, STATEMENT: statement, **chosen}
    return Reply(
        variant=asking.variant.name,
        values=tuple(
            (field.name, _fill(field, values)) for field in spec_fields(asking.variant.spec)
        ),
    )


def fill_text(spec: ActionSpec, text: str) -> Reply | None:
    """Return the reply with only `text`; None: the request requires more values."""
    for variant in variants(spec):
        fields = spec_fields(variant.spec)
        if len(fields) == 1 and isinstance(fields[0].spec, FreeText):
            return Reply(variant=variant.name, values=((fields[0].name, text),))
    return None


def name_victims(observation: Observation, about: str) -> str:
    """Return the victim of a request in words: the one it names, else all of them."""
    return about or list_options(observation.victims, observation.language)


def has_known_side(observation: Observation) -> bool:
    """Return whether the seat's own victims are known (possibly none).

    A seat with a secret role can be in the murderer's faction without having killed.
    """
    part = observation.own.part
    is_open = bool(part.power) or (observation.is_murderer and bool(observation.victims))
    return bool(part.guilty_of) or not is_open


def is_killer(observation: Observation, about: str) -> bool:
    """Return whether the seat murdered the victim `about`; empty: whether it murdered any."""
    deeds = observation.own.part.guilty_of
    if not deeds:
        return observation.is_murderer and has_known_side(observation)
    return not about or about in deeds


def name_deeds(observation: Observation, about: str) -> str:
    """Return in words the seat's own victims among those of a request."""
    return about or list_options(observation.own.part.guilty_of, observation.language)


def round_number(observation: Observation) -> int:
    """Return the number of the round of questions: one more than the rounds with a question."""
    now = ("", 0)
    asked: set[tuple[str, int]] = set()
    for event in observation.events:
        if isinstance(event, PhaseStarted):
            now = (event.phase, event.round)
        elif isinstance(event, QuestionAsked):
            asked.add(now)
    return len(asked - {now}) + 1


def was_asked_about(observation: Observation, about: str) -> bool:
    """Return whether any seat asked about the victim `about`; empty: asked at all."""
    return any(
        isinstance(event, QuestionAsked) and (not about or event.about in {"", about})
        for event in observation.events
    )


def own_questions(observation: Observation, about: str, start: int = 0) -> list[QuestionAsked]:
    """Return the questions of the seat about a victim, from event `start` on."""
    return [
        event
        for event in observation.events[start:]
        if isinstance(event, QuestionAsked)
        and event.seat == observation.seat
        and name_victims(observation, event.about) == name_victims(observation, about)
    ]


def _narrow(
    spec: FreeText | Choice | Form, chosen: Mapping[str, tuple[str, ...]]
) -> FreeText | Choice | Form:
    if isinstance(spec, Form):
        return Form(fields=tuple(_narrow_field(field, chosen) for field in spec.fields))
    [field] = spec_fields(spec)
    return _narrow_field(field, chosen).spec


def _narrow_field(field: Field, chosen: Mapping[str, tuple[str, ...]]) -> Field:
    if not isinstance(field.spec, Choice) or field.name not in chosen:
        return field
    left = tuple(one for one in field.spec.options if one in chosen[field.name])
    return replace(field, spec=Choice(options=left)) if left else field


def _fill(field: Field, values: Mapping[str, str]) -> str:
    text = values.get(field.name, "")
    if text or field.optional or isinstance(field.spec, FreeText):
        return text
    return field.spec.options[0]
