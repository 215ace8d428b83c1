"""Scales of judgements: constraint and parser of a reply."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from arena.models.chat import JsonConstraint, JsonField

ScaleForm = Literal["number", "verdict", "points", "parts", "text", "pair"]

REASON: Final = "reason"
CORRECT, INCORRECT = "correct", "incorrect"
_REASON_CHARS: Final = 300
_LIST_CHARS: Final = 200
_TEXT_CHARS: Final = 2000
_NUMBER: Final = re.compile(r"\s*(-?\d{1,4}(?:\.\d{1,4})?)\s*(?:/\s*\d+\s*)?")
_LIST_NUMBER: Final = re.compile(r"\d{1,4}")
_LABELLED: Final = re.compile(
    r"(?:score|rating|评分|分数|得分)\D{0,6}(-?\d{1,4}(?:\.\d{1,4})?)", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The form and range of a judge's answer."""

    form: ScaleForm
    """`verdict`: correct or incorrect. `points`: numbers of a list. `parts`: method and motive.
    `pair`: A, B or equal."""
    low: int = 0
    high: int = 0
    """The range of a number; for `points` the length of the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleReading:
    """The parsed reply; all fields are empty if it is malformed."""

    value: float | None = None
    values: tuple[float, ...] | None = None
    text: str = ""
    reason: str = ""

    @property
    def is_legal(self) -> bool:
        """Whether the reply is well-formed."""
        return self.value is not None or self.values is not None or bool(self.text)


VERDICT: Final = Scale(form="verdict", high=1)
PARTS: Final = Scale(form="parts", high=100)
TEXT: Final = Scale(form="text")
PAIR: Final = Scale(form="pair", high=1)
PAIR_VALUES: Final = {"a": 1.0, "equal": 0.5, "b": 0.0}
"""The value of the first of two."""


def constrain(scale: Scale) -> JsonConstraint:
    """Return the constraint of a reply; the reason precedes the value that it explains."""
    reason = JsonField(name=REASON, max_chars=_REASON_CHARS)
    whole = tuple(str(one) for one in range(scale.low, scale.high + 1))
    match scale.form:
        case "number":
            fields = (reason, JsonField(name="score", options=whole))
        case "verdict":
            fields = (reason, JsonField(name="verdict", options=(CORRECT, INCORRECT)))
        case "points":
            listed = JsonField(name="numbers", max_chars=_LIST_CHARS, optional=True)
            fields = (reason, listed)
        case "parts":
            parts = tuple(JsonField(name=name, options=whole) for name in ("method", "motive"))
            fields = (reason, *parts)
        case "text":
            fields = (JsonField(name="text", max_chars=_TEXT_CHARS),)
        case "pair":
            fields = (reason, JsonField(name="better", options=("A", "B", "equal")))
    return JsonConstraint(fields=fields)


def parse_reply(scale: Scale, reply: str) -> ScaleReading:
    """Parse a reply on `scale`; missing and out-of-range values are no answer."""
    found = _find_object(reply)
    reason = str(found.get(REASON, "")).strip()
    match scale.form:
        case "number":
            value = _in_range(scale, _read_number(found.get("score"), reply))
            return ScaleReading(value=value, reason=reason)
        case "verdict":
            words = {CORRECT: 1.0, INCORRECT: 0.0}
            said = str(found.get("verdict", reply)).strip().strip(".。\"'").casefold()
            return ScaleReading(value=words.get(said), reason=reason)
        case "points":
            return ScaleReading(values=_read_points(scale, found), reason=reason)
        case "parts":
            both = [_read_number(found.get(name)) for name in ("method", "motive")]
            legal = [one for one in (_in_range(scale, value) for value in both) if one is not None]
            return ScaleReading(
                values=tuple(legal) if len(legal) == len(both) else None, reason=reason
            )
        case "text":
            return ScaleReading(text=str(found.get("text", "")).strip())
        case "pair":
            said = str(found.get("better", "")).strip().casefold()
            return ScaleReading(value=PAIR_VALUES.get(said), reason=reason)


def _read_points(scale: Scale, found: Mapping[str, Any]) -> tuple[float, ...] | None:
    """Return the distinct numbers within the list; the judge's own count is ignored."""
    if "numbers" not in found:
        return None
    numbers = {int(one) for one in _LIST_NUMBER.findall(str(found["numbers"]))}
    return tuple(float(one) for one in sorted(numbers) if 1 <= one <= scale.high)


def _read_number(value: object, reply: str = "") -> float | None:
    """Return the number in a field, or in a reply that is only a number or labels one."""
    texts = (str(value),) if value is not None else (reply,)
    for text in texts:
        if (whole := _NUMBER.fullmatch(text)) is not None:
            return float(whole.group(1))
    labelled = _LABELLED.search(reply) if value is None else None
    return float(labelled.group(1)) if labelled else None


def _in_range(scale: Scale, value: float | None) -> float | None:
    return value if value is not None and scale.low <= value <= scale.high else None


def _find_object(reply: str) -> Mapping[str, Any]:
    """Return the last JSON object in a reply; empty if there is none."""
    found: dict[str, Any] = {}
    for value in _objects(reply):
        found = value
    return found


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), reply.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict):
                yield value  # pyright: ignore[reportUnknownVariableType]
        at = reply.find("{", end)
