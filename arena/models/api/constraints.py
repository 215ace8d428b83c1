"""Request fields that constrain a reply to a choice or to a JSON object."""

from typing import Any

from arena.models.api.capabilities import Feature, UnsupportedFeatures
from arena.models.api.request_params import RequestParams
from arena.models.chat import (
    ChoiceConstraint,
    Constraint,
    JsonConstraint,
    JsonField,
    VariantConstraint,
)

ConstraintFields = tuple[dict[str, Any], UnsupportedFeatures]
"""Fields of the body, and the features in them that a server may reject."""

_NOTHING: ConstraintFields = ({}, frozenset())


def build_chat_constraint(constraint: Constraint | None, params: RequestParams) -> ConstraintFields:
    """Build the fields for `constraint` in a chat completion, as far as `params` allow."""
    match constraint:
        case None:
            return _NOTHING
        case ChoiceConstraint():
            return _choice(constraint, params)
        case JsonConstraint() | VariantConstraint():
            # Most servers ignore unknown fields without an error. vLLM's own field would then have
            # no effect and nothing would show it, so it comes first only for a known vLLM.
            common, own = (Feature.SCHEMA, Feature.OBJECT)
            for feature in (own, common) if params.is_vllm else (common, own):
                if params.allows(feature):
                    return _object(constraint, feature), frozenset({feature})
            return _NOTHING


def build_sampling_constraint(
    constraint: Constraint | None, params: RequestParams
) -> ConstraintFields:
    """Build the fields for `constraint` in vLLM's own sampling parameters."""
    match constraint:
        case None:
            return _NOTHING
        case ChoiceConstraint():
            return _choice(constraint, params)
        case JsonConstraint() | VariantConstraint():
            if not params.allows(Feature.OBJECT):
                return _NOTHING
            return _object(constraint, Feature.OBJECT), frozenset({Feature.OBJECT})


def _choice(choice: ChoiceConstraint, params: RequestParams) -> ConstraintFields:
    if not params.allows(Feature.CHOICE):
        return _NOTHING
    options = list(choice.options)
    return {"structured_outputs": {"choice": options}}, frozenset({Feature.CHOICE})


def _object(constraint: JsonConstraint | VariantConstraint, feature: Feature) -> dict[str, Any]:
    form = build_json_schema(constraint)
    if feature is Feature.OBJECT:
        return {"structured_outputs": {"json": form}}
    strict = {"name": "reply", "strict": True, "schema": form}
    return {"response_format": {"type": "json_schema", "json_schema": strict}}


def build_json_schema(constraint: JsonConstraint | VariantConstraint) -> dict[str, Any]:
    """Build the JSON Schema of an object with exactly these properties, or of several."""
    if isinstance(constraint, VariantConstraint):
        return {"anyOf": [build_json_schema(variant) for variant in constraint.variants]}
    return {
        "type": "object",
        "properties": {field.name: _property(field) for field in constraint.fields},
        "required": [field.name for field in constraint.fields],
        "additionalProperties": False,
    }


def _property(field: JsonField) -> dict[str, Any]:
    # An optional property can be empty but not absent: a strict schema must require every property.
    if field.options:
        empty = ("",) if field.optional else ()
        return {"type": "string", "enum": [*field.options, *empty]}
    shortest = {} if field.optional else {"minLength": 1}
    longest = {"maxLength": field.max_chars} if field.max_chars else {}
    return {"type": "string", **shortest, **longest}
