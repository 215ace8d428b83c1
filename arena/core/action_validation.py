"""Validation of actions against the action spec of their request."""

import re
from dataclasses import dataclass, replace

from arena.core.actions import Action, Reply, Skip, UnparsedReply, Values
from arena.core.requests import ActionError, DecisionRequest, ErrorCode
from arena.core.specs import Choice, Field, OneOf, spec_fields, variant_spec, variants

_SENTENCE_END = re.compile(r"[.!?。！？…\n]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = 80
"""Characters of a rejected text that the record and the correction quote, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """An invalid action: its error, and those of its values that are legal."""

    error: ActionError
    partial: Values = ()


def validate(request: DecisionRequest, action: Action) -> Reply | Skip | Invalid:
    """Return `action` with its texts stripped and cut to the limit, or why it is invalid.

    The result contains no lone surrogate, since UTF-8 files cannot store one: U+FFFD replaces it.
    """
    match action:
        case Skip(partial=partial):
            return Skip(partial=_cut_all(partial, request)[0])
        case UnparsedReply(missing=missing, text=text, partial=partial):
            return _invalid(request, "unparsed", missing, text, partial)
        case Reply():
            return _validate_reply(request, action)


def complete_reply(request: DecisionRequest, partial: Values) -> Reply | None:
    """Return `partial` as a reply if only optional values are missing; else None."""
    if isinstance(request.spec, OneOf):
        return None
    given = dict(partial)
    if not all(field.optional or field.name in given for field in spec_fields(request.spec)):
        return None
    reply = validate(request, Reply(values=partial))
    return reply if isinstance(reply, Reply) else None


def truncate_text(text: str, limit: int) -> tuple[str, bool]:
    """Return `text` stripped and at most `limit` characters long, and whether it was cut.

    It is cut at the last sentence end in the second half of the limit, else at the limit. Earlier
    sentence ends do not count, since an abbreviation near the beginning looks like one.
    """
    text = text.strip()
    if len(text) <= limit:
        return text, False
    head = text[:limit]
    ends = [found.end() for found in _SENTENCE_END.finditer(head)]
    end = ends[-1] if ends and ends[-1] > limit // 2 else limit
    return head[:end].rstrip(), True


def _validate_reply(request: DecisionRequest, reply: Reply) -> Reply | Invalid:
    spec = variant_spec(request.spec, reply.variant)
    if spec is None:
        return _invalid(request, "not_an_option", "action", reply.variant, ())
    fields, given = spec_fields(spec), dict(reply.values)
    if len(given) < len(reply.values):
        return _invalid(request, "wrong_form", reply.values[0][0], "a value given twice", ())
    if unknown := [name for name in given if all(field.name != name for field in fields)]:
        return _invalid(request, "wrong_form", unknown[0], given[unknown[0]], ())
    for field in fields:
        if (code := _field_error(field, given.get(field.name, ""))) is not None:
            text = given.get(field.name, "")
            return _invalid(request, code, field.name, text, _legal(fields, given))
    values = tuple((field.name, given.get(field.name, "")) for field in fields)
    stripped, truncated = _cut_all(values, request)
    return replace(reply, values=stripped, truncated=truncated)


def _field_error(field: Field, value: str) -> ErrorCode | None:
    if field.optional and not value.strip():
        return None
    if isinstance(field.spec, Choice):
        return None if value in field.spec.options else "not_an_option"
    return None if value.strip() else "empty"


def _legal(fields: tuple[Field, ...], given: dict[str, str]) -> Values:
    return tuple(
        (field.name, given[field.name])
        for field in fields
        if field.name in given and _field_error(field, given[field.name]) is None
    )


def _invalid(
    request: DecisionRequest, code: ErrorCode, field: str, text: str, partial: Values
) -> Invalid:
    shown = _repair(text.strip()[:_SHOWN])
    error = ActionError(code=code, field=_repair(field[:_SHOWN]), text=shown)
    return Invalid(error=error, partial=_cut_all(partial, request)[0])


def _cut_all(values: Values, request: DecisionRequest) -> tuple[Values, tuple[str, ...]]:
    """Return `values` with no text above the limit, and the names of those that were cut.

    A choice stays whole: the beginning of an option is none.
    """
    options = {
        (field.name, option)
        for variant in variants(request.spec)
        for field in spec_fields(variant.spec)
        if isinstance(field.spec, Choice)
        for option in field.spec.options
    }
    cut = [
        (
            name,
            *((text, False) if (name, text) in options else truncate_text(text, request.max_chars)),
        )
        for name, text in values
    ]
    return (
        tuple((_repair(name), _repair(text)) for name, text, _ in cut),
        tuple(name for name, _, shortened in cut if shortened),
    )


def _repair(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
