"""Forms for requests, and answers read from them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Reply
from arena.core.observation import Observation
from arena.core.option_labels import option_label
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, Field, Variant, spec_fields, variants
from arena.games.game_registry import find_game
from arena.view.i18n.desk_messages import DESK_MESSAGES
from arena.view.i18n.messages import Messages
from arena.view.request_text import drop_reply_format, name_part, name_turn

VARIANT = "variant"
"""Name of the field that says which variant a form is."""
_LINE = 80
"""Characters from which a text field has several lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One value of an answer."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    """Value and label; empty: a text."""
    optional: bool
    max_chars: int
    value: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormVariant:
    """One way to answer."""

    variant: str
    label: str
    fields: tuple[FormField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForm:
    """Form of a request to a person."""

    title: str
    instruction: str
    ways: tuple[FormVariant, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormAnswer:
    """Content of a submitted form: an answer, or errors by field; `""` is the answer as a whole."""

    reply: Reply | None
    errors: Mapping[str, str]


def make_form(
    observation: Observation,
    request: DecisionRequest,
    messages: Messages,
    given: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> AnswerForm:
    """Return the form of a request; refused `given` values stay in it, with `errors`."""
    texts, say = find_game(observation.game).texts(observation), DESK_MESSAGES[messages.language]
    given, errors = given or {}, errors or {}

    def field_of(variant: str, one: Field) -> FormField:
        is_same = given.get(VARIANT, "") == variant
        options = one.spec.options if isinstance(one.spec, Choice) else ()
        return FormField(
            name=one.name,
            label=name_part(one.name, texts, say),
            options=tuple((each, option_label(each, observation.language)) for each in options),
            optional=one.optional,
            max_chars=request.max_chars,
            value=given.get(one.name, "") if is_same else "",
            error=errors.get(one.name, "") if is_same else "",
        )

    return AnswerForm(
        title=name_turn(request, texts, say, messages),
        instruction=drop_reply_format(texts.instruction(request)),
        ways=tuple(
            FormVariant(
                variant=way.name,
                label=name_part(way.name, texts, say) if way.name else "",
                fields=tuple(field_of(way.name, one) for one in spec_fields(way.spec)),
            )
            for way in variants(request.spec)
        ),
    )


def read_answer(
    request: DecisionRequest, given: Mapping[str, str], messages: Messages
) -> FormAnswer:
    """Return the answer of a form, or its errors."""
    say = DESK_MESSAGES[messages.language]
    way = next((one for one in variants(request.spec) if one.name == given.get(VARIANT, "")), None)
    if way is None:
        return FormAnswer(reply=None, errors={"": messages.errors["wrong_form"]})
    values = _read_values(way, given)
    long = {
        name: say.too_long.format(over=len(text) - request.max_chars, limit=request.max_chars)
        for name, text in values.items()
        if len(text) > request.max_chars
    }
    if long:
        return FormAnswer(reply=None, errors=long)
    reply = Reply(values=tuple(values.items()), variant=way.name)
    result = validate(request, reply)
    if isinstance(result, Invalid):
        error = result.error
        return FormAnswer(reply=None, errors={error.field: messages.errors[error.code]})
    return FormAnswer(reply=reply, errors={})


def _read_values(way: Variant, given: Mapping[str, str]) -> dict[str, str]:
    return {
        one.name: given.get(one.name, "").replace("\r\n", "\n").strip()
        for one in spec_fields(way.spec)
    }
