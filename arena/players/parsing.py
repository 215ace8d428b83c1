"""From a model's text to an action: one place, and no guessing. Model text is never executed."""

import json
import re
import unicodedata
from collections.abc import Sequence

from arena.core.actions import (
    Action,
    Ask,
    Choose,
    Conclude,
    Garbled,
    Question,
    SeatId,
    ShareAndAsk,
    Speak,
)
from arena.models.chat import ChoiceConstraint, Constraint, JsonConstraint, JsonField

_FENCE = re.compile(r"```[a-z]*\s*(.*?)\s*(?:```|$)", re.DOTALL)
_MARK = r"^[ \t#＃*]*(?:{})[ \t*]*[:：][ \t*]*"
_MARK_FLAGS = re.IGNORECASE | re.MULTILINE
_RESPONSE = re.compile(_MARK.format("RESPONSE|回答|回应|发言"), _MARK_FLAGS)
_THOUGHT = re.compile(_MARK.format("THOUGHTS?|思考|想法"), _MARK_FLAGS)
_LETTER = re.compile(r"(?<![A-Za-z])([A-H])(?![A-Za-z'])(?! (?!or\b|and\b)[a-z])")
_COMBINED = re.compile(r"A?B?C?D?E?F?G?H?")
_ANSWER = re.compile(r"#\s*answer\s*#?\s*[:：]\s*(.+)", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n\s*\n")

NAMES: dict[str, tuple[str, ...]] = {
    "share_and_ask": ("share", "target", "question"),
    "ask": ("target", "question"),
    "conclude": ("method", "motive"),
    "vote": ("vote", "reason"),
}
"""The properties of a structured reply, by verb; of a vote only when it needs a reason."""


def constraint(ask: Ask, *, chars: int) -> Constraint | None:
    """Return what decoding must obey for `ask`; its texts have `chars` characters in all."""
    if ask.verb in {"introduce", "speak", "answer"}:
        return None
    if ask.verb in {"vote", "ballot", "quiz"} and not ask.reason:
        return ChoiceConstraint(options=ask.options)
    names = NAMES[ask.verb]
    texts = [name for name in names if name not in {"target", "vote"}]
    most = {name: max(chars // len(texts), 8) for name in texts}
    if "share" in most:
        most = {"share": max(3 * chars // 4, 8), "question": max(chars // 4, 8)}
    return JsonConstraint(
        fields=tuple(
            JsonField(name=name, max_chars=most[name])
            if name in most
            else JsonField(name=name, options=ask.options)
            for name in names
        )
    )


def unthought(text: str) -> str | None:
    """Return `text` without what a model thought between tags; None: the thought has no end.

    The opening tag may be missing, where a chat template has put it into the prompt.
    """
    said = text.rpartition("</think>")[2]
    return None if "<think>" in said else said.strip()


def parse(text: str, ask: Ask) -> Action:
    """Return the action that `text` names. The rules, not this, say whether it is legal."""
    if (said := unthought(text)) is None:
        return Garbled(missing="</think>", raw=text)
    text = said
    match ask.verb:
        case "introduce" | "speak" | "answer":
            return Speak(text=_unfenced(text))
        case "vote" | "ballot" | "quiz":
            return _choose(text, ask)
        case _:
            return _structured(text, ask)


def response(text: str, *, last_try: bool = False) -> str | None:
    """Return the part of a reply that is played, after its thought; None: there is no marker.

    On the last try, a thought without an end gives the text after its last blank line (PLAYERS 6).
    """
    text = unthought(text) or ""
    if parts := list(_RESPONSE.finditer(text)):
        return text[parts[-1].end() :].strip()
    if not _THOUGHT.search(text):
        return text.strip()
    return _BLANK_LINE.split(text.strip())[-1].strip() if last_try else None


def fields(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the properties `names` of the JSON object in `text`, as far as they can be read.

    An object that was cut off by the token limit gives what stands before the cut; lines such as
    `target: name` are read where there is no object.
    """
    body = _unfenced(text)
    start = body.find("{")
    found = _json(body[start:]) if start >= 0 else {}
    if not found:
        found = _labelled(body, names)
    return {name: value.strip() for name in names if isinstance(value := found.get(name), str)}


def option(text: str, options: Sequence[str]) -> str | None:
    """Return the one of `options` that `text` names: alone, after `#Answer#:` or in passing."""
    if marked := _ANSWER.findall(text):
        text = marked[-1]
    if all(len(name) == 1 for name in options):
        return _letter(text, options)
    if all(_COMBINED.fullmatch(name) for name in options):
        return _letters(text, options)
    wanted = _plain(text)
    alone = [name for name in options if _plain(name) == wanted]
    if len(alone) == 1:
        return alone[0]
    named = [name for name in options if _mentions(wanted, _plain(name))]
    longest = [name for name in named if not any(name != n and name in n for n in named)]
    return longest[0] if len(longest) == 1 else None


def _letter(text: str, options: Sequence[str]) -> str | None:
    """Return the one letter that `text` gives; an article or a pronoun is no letter."""
    alone = _plain(text).upper()
    if alone in options:
        return alone
    found = {letter for letter in _LETTER.findall(text) if letter in options}
    return found.pop() if len(found) == 1 else None


def _letters(text: str, options: Sequence[str]) -> str | None:
    """Return the combination of letters that `text` gives, written together or apart."""
    together = "".join(sorted(_plain(text).upper().replace(" ", "")))
    if together in options:
        return together
    singles = {letter for letter in _LETTER.findall(text) if letter in "".join(options)}
    apart = "".join(sorted(singles))
    return apart if apart in options else None


def _choose(text: str, ask: Ask) -> Action:
    if ask.reason:
        found = fields(text, NAMES["vote"])
        chosen = option(found.get("vote", ""), ask.options) or found.get("vote", "")
        if not chosen:
            return Garbled(missing="vote", raw=text)
        return Choose(option=chosen, reason=found.get("reason", ""))
    chosen = option(_unfenced(text), ask.options)
    return Choose(option=chosen if chosen is not None else _unfenced(text))


def _structured(text: str, ask: Ask) -> Action:
    names = NAMES[ask.verb]
    found = fields(text, names)
    missing = [name for name in names if not found.get(name)]
    if missing:
        return Garbled(missing=missing[0], raw=text, share=found.get("share", ""))
    if ask.verb == "conclude":
        return Conclude(method=found["method"], motive=found["motive"])
    target = SeatId(option(found["target"], ask.options) or found["target"])
    if ask.verb == "ask":
        return Question(target=target, text=found["question"])
    return ShareAndAsk(share=found["share"], target=target, question=found["question"])


def _json(body: str) -> dict[str, object]:
    """Return the object at the start of `body`; one that was cut off is closed first."""
    for end in ("", '"}', "}", '""}', '":""}'):
        try:
            closed = body.rstrip("\\") + end
            found: dict[str, object] = json.JSONDecoder(strict=False).raw_decode(closed)[0]
        except ValueError:
            continue
        return found
    return {}


def _labelled(body: str, names: Sequence[str]) -> dict[str, object]:
    label = re.compile(rf"^\W*({'|'.join(names)})\W*[:：]\s*", re.IGNORECASE | re.MULTILINE)
    marks = list(label.finditer(body))
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    return {
        mark[1].lower(): body[mark.end() : end].strip(" \n,\"'“”")
        for mark, end in zip(marks, ends, strict=False)
    }


def _unfenced(text: str) -> str:
    fenced = _FENCE.search(text)
    return (fenced[1] if fenced else text).strip()


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())


def _mentions(text: str, name: str) -> bool:
    if name.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None
    return bool(name) and name in text
