"""Actions with a text, in the form that a request requires."""

from collections.abc import Sequence

from arena.core.actions import Action, Reply, Skip
from arena.core.purposes import STATEMENT, TALK_VARIANT, TARGET
from arena.core.seats import SeatId
from arena.core.specs import ActionSpec, Choice, Field, FreeText, Variant, variants
from arena.core.specs import spec_fields as fields_of
from arena.players.methods.inquiry import QuestionChoices, fill_question


def make_pass(spec: ActionSpec, name: str) -> Reply | None:
    """Return the reply with the variant `name` and no text; None: there is no such variant."""
    way = next((one for one in variants(spec) if name and one.name == name), None)
    if way is None or any(isinstance(one.spec, FreeText) for one in fields_of(way.spec)):
        return None
    return Reply(variant=name, values=tuple((one.name, _first(one)) for one in fields_of(way.spec)))


def say_in_talk(spec: ActionSpec, text: str, to: SeatId | None = None) -> Action:
    """Return a turn of a talk with `text`, addressed to `to` if the game allows it."""
    ways = variants(spec)
    way = next((one for one in ways if one.name == TALK_VARIANT), None) or _speaking(ways)
    return Skip() if way is None else _fill(way, text, to)


def say_to_all(spec: ActionSpec, text: str) -> Action:
    """Return the answer with `text`; if the request requires a question too, a skip with `text`.

    A skip with a statement is heard, and is no fault.
    """
    ways = variants(spec)
    if any(field.name == STATEMENT for way in ways for field in fields_of(way.spec)):
        return Skip(partial=((STATEMENT, text),))
    way = _speaking([one for one in ways if not _has_choice(one)])
    return Skip() if way is None else _fill(way, text, None)


def ask_seat(
    asking: QuestionChoices, target: SeatId, text: str, statement: str, *, silence: str
) -> Action:
    """Return the question to a seat; `statement` precedes it, in a separate field if there is one.

    `silence`: the text of a required statement if `statement` is empty.
    """
    chosen = {TARGET: target}
    room = next((one for one in fields_of(asking.variant.spec) if one.name == STATEMENT), None)
    if room is None:
        return fill_question(asking, chosen, " ".join(filter(None, (statement, text))), "")
    return fill_question(asking, chosen, text, statement or ("" if room.optional else silence))


def _speaking(ways: Sequence[Variant]) -> Variant | None:
    """Return the first variant with a text."""
    return next(
        (one for one in ways if any(isinstance(f.spec, FreeText) for f in fields_of(one.spec))),
        None,
    )


def _has_choice(way: Variant) -> bool:
    return any(isinstance(one.spec, Choice) and not one.optional for one in fields_of(way.spec))


def _fill(way: Variant, text: str, to: SeatId | None) -> Reply:
    values: list[tuple[str, str]] = []
    spoken = ""
    for field in fields_of(way.spec):
        if isinstance(field.spec, FreeText):
            value = "" if spoken and field.optional else text
            spoken = spoken or field.name
        elif field.name == TARGET and to is not None and to in field.spec.options:
            value = to
        else:
            value = "" if field.optional else field.spec.options[0]
        values.append((field.name, value))
    return Reply(variant=way.name, values=tuple(values))


def _first(field: Field) -> str:
    return field.spec.options[0] if isinstance(field.spec, Choice) else ""
