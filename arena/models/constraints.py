"""How the form of a reply is asked for: a choice, an object, or the first token of a choice."""

from typing import Any

from arena.models.capabilities import Feature, Refused
from arena.models.chat import Constraint, Field, Fields, OneOf
from arena.models.terms import Terms

Spelling = tuple[dict[str, Any], Refused]
"""Fields of the body, and the features in them that a server may refuse."""

_NOTHING: Spelling = ({}, frozenset())


def constrained(constraint: Constraint | None, terms: Terms) -> Spelling:
    """Return what asks for `constraint` in a chat completion, as far as `terms` allow it."""
    match constraint:
        case None:
            return _NOTHING
        case OneOf():
            return _choice(constraint, terms)
        case Fields():
            # Most servers ignore a field that they do not know, and then nothing shows that vLLM's
            # own spelling had no effect; so it comes first only where vLLM is known to answer.
            common, own = (Feature.SCHEMA, Feature.OBJECT)
            for feature in (own, common) if terms.native else (common, own):
                if terms.may(feature):
                    return _object(constraint, feature), frozenset({feature})
            return _NOTHING


def sampled(constraint: Constraint | None, terms: Terms) -> Spelling:
    """Return what asks for `constraint` in vLLM's own sampling parameters."""
    match constraint:
        case None:
            return _NOTHING
        case OneOf():
            return _choice(constraint, terms)
        case Fields():
            if not terms.may(Feature.OBJECT):
                return _NOTHING
            return _object(constraint, Feature.OBJECT), frozenset({Feature.OBJECT})


def _choice(choice: OneOf, terms: Terms) -> Spelling:
    if not terms.may(Feature.CHOICE):
        return _NOTHING
    options = list(choice.options)
    return {"structured_outputs": {"choice": options}}, frozenset({Feature.CHOICE})


def _object(fields: Fields, feature: Feature) -> dict[str, Any]:
    form = schema(fields)
    if feature is Feature.OBJECT:
        return {"structured_outputs": {"json": form}}
    strict = {"name": "reply", "strict": True, "schema": form}
    return {"response_format": {"type": "json_schema", "json_schema": strict}}


def schema(fields: Fields) -> dict[str, Any]:
    """Return the JSON Schema of a reply that is an object with exactly these properties."""
    return {
        "type": "object",
        "properties": {field.name: _property(field) for field in fields.fields},
        "required": [field.name for field in fields.fields],
        "additionalProperties": False,
    }


def _property(field: Field) -> dict[str, Any]:
    if field.options:
        return {"type": "string", "enum": list(field.options)}
    longest = {"maxLength": field.max_chars} if field.max_chars else {}
    return {"type": "string", "minLength": 1, **longest}
