"""Thoughts: an additional value in a reply, which is removed from the action."""

from typing import Final

from arena.core.actions import Action, Reply, Skip, UnparsedReply, Values
from arena.core.specs import ActionSpec, Choice, Field, Form, FreeText, OneOf, Variant, spec_fields

THOUGHT: Final = "thought"
_FIELD = Field(name=THOUGHT, spec=FreeText(), optional=True)
_TEXT_WEIGHT = 2
"""Weight of a text in the reply limit, next to the thought."""


def with_thought(spec: ActionSpec) -> ActionSpec:
    """Return `spec` with an optional thought before its values."""
    if isinstance(spec, OneOf):
        ways = (Variant(name=one.name, spec=_form(one.spec)) for one in spec.variants)
        return OneOf(variants=tuple(ways))
    return _form(spec)


def take_thought(action: Action) -> tuple[str, Action]:
    """Return the thought in an action, and the action without it."""
    match action:
        case Reply(values=values, variant=variant):
            return dict(values).get(THOUGHT, ""), Reply(values=_rest(values), variant=variant)
        case Skip(partial=partial):
            return "", Skip(partial=_rest(partial))
        case UnparsedReply(missing=missing, text=text, partial=partial):
            return "", UnparsedReply(missing=missing, text=text, partial=_rest(partial))


def _form(spec: FreeText | Choice | Form) -> Form:
    return Form(fields=(_FIELD, *(_weigh(field) for field in spec_fields(spec))))


def _weigh(field: Field) -> Field:
    if not isinstance(field.spec, FreeText):
        return field
    weight = FreeText(weight=_TEXT_WEIGHT * field.spec.weight)
    return Field(name=field.name, spec=weight, optional=field.optional)


def _rest(values: Values) -> Values:
    return tuple((name, value) for name, value in values if name != THOUGHT)
