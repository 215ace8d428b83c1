"""Decoding: from an action spec to a constraint, and from a reply to an action.

The spec determines the decoding constraint, the length of a reply, and its parsing. The rules, not
this module, decide whether an action is legal.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from arena.core.actions import Action, Reply, UnparsedReply, Values
from arena.core.option_labels import option_label
from arena.core.purposes import ASK_VARIANT, INVESTIGATE_VARIANT
from arena.core.requests import DecisionRequest
from arena.core.specs import (
    CHOICE,
    TEXT,
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
from arena.models.chat import (
    ChoiceConstraint,
    Constraint,
    JsonConstraint,
    JsonField,
    VariantConstraint,
)
from arena.players.replies.option_matching import find_options, match_option
from arena.players.replies.reply_text import extract_fields, strip_fence, strip_thinking
from scripts_mm.script import Language

ACTION = "action"
"""The property with the variant's name, if the spec has several."""
_FIELD_TOKENS = 8
"""Tokens of a field without its text: quotes, name, comma, a short option."""
_CHARS_PER_TOKEN: dict[Language, int] = {"en": 2, "zh": 1}
"""Low, so that a text of maximum length still fits the reply."""
_MOST_TEXTS = 16
_MOST_CHARS = 64_000
"""Characters of a structured reply that are parsed: 16 texts of the usual limit, or of a longer
limit. This bounds the time for an endless reply."""
_LEAST_CHARS = 8
_LEAST_TOKENS = 8
_LEFT_OUT = frozenset({"none", "null", "n/a", "unknown", "nobody", "无", "没有", "未知", "不知道"})
"""Texts that models write into an optional choice instead of leaving it empty."""
_VARIANT_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        ASK_VARIANT: ("asking", "inquire", "inquiry", "question", "询问", "提问", "问话", "问"),
        INVESTIGATE_VARIANT: ("investigating", "investigation", "search", "调查", "搜查", "搜证"),
    }
)
"""Words that models write for the name of a variant; MIRAGE's own prompt mixes some of them."""


def reply_constraint(
    spec: ActionSpec, language: Language, *, reply_tokens: int
) -> Constraint | None:
    """Return the constraint that keeps a reply within `reply_tokens`; None: free text."""
    match spec:
        case FreeText():
            return None
        case Choice():
            return ChoiceConstraint(options=_labels(spec, language))
        case Form():
            return JsonConstraint(fields=_json_fields(spec.fields, language, reply_tokens))
        case OneOf():
            return VariantConstraint(
                variants=tuple(
                    _variant_constraint(one, language, reply_tokens) for one in spec.variants
                )
            )


def reply_token_limit(spec: ActionSpec, language: Language, *, reply_tokens: int) -> int:
    """Return the maximal tokens of a constrained reply: without texts fewer than a speech."""
    fields = [spec_fields(one.spec) for one in variants(spec)]
    if any(isinstance(field.spec, FreeText) for form in fields for field in form):
        return reply_tokens
    longest = max(sum(_most_tokens(field, language) for field in form) for form in fields)
    return max(_LEAST_TOKENS, longest + (0 if isinstance(spec, Choice) else 2 * _FIELD_TOKENS))


def is_choice(spec: ActionSpec) -> bool:
    """Return whether a reply is only a choice between options."""
    return isinstance(spec, Choice)


def parse(text: str, request: DecisionRequest, language: Language) -> Action:
    """Return the action that a model's reply to `request` names."""
    said = strip_thinking(text)
    if said is None:
        return UnparsedReply(missing="</think>", text=text)
    if isinstance(request.spec, FreeText):
        return Reply(values=((TEXT, said),))
    said = said[: max(_MOST_CHARS, _MOST_TEXTS * request.max_chars)]
    match request.spec:
        case Choice() as choice:
            return Reply(values=((CHOICE, _read_choice(said, choice, language)),))
        case Form() as form:
            return _parse_form(said, Variant(name="", spec=form), language)
        case OneOf() as one_of:
            return _parse_variant(said, one_of, language)


def _variant_constraint(variant: Variant, language: Language, reply_tokens: int) -> JsonConstraint:
    name = JsonField(name=ACTION, options=(variant.name,))
    room = reply_tokens - _FIELD_TOKENS
    return JsonConstraint(fields=(name, *_json_fields(spec_fields(variant.spec), language, room)))


def _json_fields(
    fields: tuple[Field, ...], language: Language, reply_tokens: int
) -> tuple[JsonField, ...]:
    room = max(reply_tokens - _FIELD_TOKENS * len(fields), 1) * _CHARS_PER_TOKEN[language]
    weights = sum(field.spec.weight for field in fields if isinstance(field.spec, FreeText))
    return tuple(
        JsonField(
            name=field.name,
            max_chars=max(room * field.spec.weight // weights, _LEAST_CHARS),
            optional=field.optional,
        )
        if isinstance(field.spec, FreeText)
        else JsonField(
            name=field.name, options=_labels(field.spec, language), optional=field.optional
        )
        for field in fields
    )


def _labels(choice: Choice, language: Language) -> tuple[str, ...]:
    return tuple(option_label(option, language) for option in choice.options)


def _most_tokens(field: Field, language: Language) -> int:
    assert isinstance(field.spec, Choice), f"{field.name} has no options"
    # Byte-level tokens are at least one byte long; one more token ends the reply.
    return max(len(label.encode()) for label in _labels(field.spec, language)) + 1


def _read_choice(text: str, choice: Choice, language: Language) -> str:
    """Return the option in `text`, or the text itself, which the rules then reject."""
    fenced = strip_fence(text)
    found = match_option(fenced, choice.options, language)
    return found or match_option(text, choice.options, language) or fenced


def _parse_variant(text: str, spec: OneOf, language: Language) -> Action:
    every = dict.fromkeys(field.name for one in spec.variants for field in spec_fields(one.spec))
    found = extract_fields(text, (ACTION, *every))
    named = _read_variant(found.get(ACTION, text if not found else ""), spec, language)
    if named is not None:
        return _parse_form(text, next(v for v in spec.variants if v.name == named), language)
    if found.get(ACTION):
        return Reply(values=(), variant=found[ACTION])
    complete = [
        one for one in spec.variants if _find_required(one) and _find_required(one) <= set(found)
    ]
    if len(complete) != 1:
        return UnparsedReply(missing=ACTION, text=text)
    return _parse_form(text, complete[0], language)


def _read_variant(text: str, spec: OneOf, language: Language) -> str | None:
    """Return the variant that `text` names, by its name or a synonym; None: none, or several."""
    names = tuple(one.name for one in spec.variants)
    if (named := match_option(text, names, language)) is not None:
        return named
    words = {word: name for name in names for word in _VARIANT_WORDS.get(name, ())}
    known = words | {name: name for name in names}
    found = {known[word] for word in find_options(text, tuple(known), language)}
    return found.pop() if len(found) == 1 else None


def _find_required(variant: Variant) -> set[str]:
    return {field.name for field in spec_fields(variant.spec) if not field.optional}


def _parse_form(text: str, variant: Variant, language: Language) -> Action:
    fields = spec_fields(variant.spec)
    found = extract_fields(text, [field.name for field in fields])
    values = tuple(_read_values(fields, found, language))
    missing = [
        field.name for field in fields if not field.optional and not dict(values)[field.name]
    ]
    if missing:
        return UnparsedReply(missing=missing[0], text=text, partial=_legal(fields, values))
    return Reply(values=values, variant=variant.name)


def _read_values(
    fields: Iterable[Field], found: dict[str, str], language: Language
) -> Iterable[tuple[str, str]]:
    for field in fields:
        value = found.get(field.name, "")
        if isinstance(field.spec, Choice) and value:
            is_left_out = field.optional and _is_left_out(value, field.spec)
            value = "" if is_left_out else _read_choice(value, field.spec, language)
        yield field.name, value


def _is_left_out(value: str, choice: Choice) -> bool:
    """Return whether `value` means no choice and is not an option."""
    word = value.casefold()
    return word in _LEFT_OUT and word not in {option.casefold() for option in choice.options}


def _legal(fields: tuple[Field, ...], values: Values) -> Values:
    """Return the parsed values that are legal."""
    return tuple(
        (field.name, value)
        for field, (_, value) in zip(fields, values, strict=True)
        if value and (isinstance(field.spec, FreeText) or value in field.spec.options)
    )
