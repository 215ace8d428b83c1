"""Is an answer legal, and what it makes happen (PROTOCOLS 1.3)."""

import re
from dataclasses import dataclass
from typing import assert_never

from arena.core.actions import (
    Action,
    Ask,
    Choose,
    Conclude,
    Decline,
    Fault,
    Garbled,
    Question,
    SeatId,
    ShareAndAsk,
    Speak,
)
from arena.core.events import Asked, Concluded, Event, Passed, Spoke, Voted

_SENTENCE_END = re.compile(r"[.!?。！？…\n](?=[^.!?。！？…\n]*$)")
_ALWAYS = ("decline", "garbled")
_ACCEPTS = {
    "introduce": ("speak", *_ALWAYS),
    "speak": ("speak", *_ALWAYS),
    "answer": ("speak", *_ALWAYS),
    "share_and_ask": ("share_and_ask", *_ALWAYS),
    "ask": ("question", *_ALWAYS),
    "conclude": ("conclude", *_ALWAYS),
    "vote": ("choose", *_ALWAYS),
    "ballot": ("choose", *_ALWAYS),
    "quiz": ("choose", *_ALWAYS),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What an answer leads to. With a `fault`, `events` are what is left when no try is left."""

    events: tuple[Event, ...]
    fault: Fault | None = None
    came: str = ""


def judge(ask: Ask, action: Action) -> Judged:  # noqa: PLR0911 - one case an action
    """Return the events that `action` leads to, and its fault if it is not legal."""
    if action.kind not in _ACCEPTS[ask.verb]:
        return _faulty(ask, "wrong_kind", action.kind)
    match action:
        case Speak():
            return _speak(ask, action)
        case ShareAndAsk():
            return _share_and_ask(ask, action)
        case Question():
            return _question(ask, action)
        case Conclude():
            return _conclude(ask, action)
        case Choose():
            return _choose(ask, action)
        case Decline() | Garbled():
            return _no_answer(ask, action)
        case _:
            assert_never(action)


def cut(text: str, most: int) -> tuple[str, bool]:
    """Return `text`, trimmed and at most `most` characters long, cut at a sentence's end if any."""
    text = text.strip()
    if len(text) <= most:
        return text, False
    head = text[:most]
    end = _SENTENCE_END.search(head)
    return (head[: end.end()] if end else head).rstrip(), True


def _no_answer(ask: Ask, action: Decline | Garbled) -> Judged:
    if isinstance(action, Decline):
        return Judged(events=(_passed(ask, "declines", fault=False),))
    return _faulty(ask, "unreadable", action.missing, share=action.share)


def _speak(ask: Ask, action: Speak) -> Judged:
    if not action.text.strip():
        return _faulty(ask, "empty", "text")
    return Judged(events=(_spoke(ask, action.text, to=ask.asker),))


def _share_and_ask(ask: Ask, action: ShareAndAsk) -> Judged:
    if action.target is None:
        shared = (_spoke(ask, action.share),) if action.share.strip() else ()
        return Judged(events=(*shared, _passed(ask, "asks nothing", fault=False)))
    if not action.share.strip():
        return _faulty(ask, "empty", "share")
    if action.target not in ask.options:
        return _faulty(ask, "not_an_option", action.target, share=action.share)
    if not action.question.strip():
        return _faulty(ask, "empty", "question", share=action.share)
    return Judged(events=(_spoke(ask, action.share), _asked(ask, action.target, action.question)))


def _question(ask: Ask, action: Question) -> Judged:
    if action.target not in ask.options:
        return _faulty(ask, "not_an_option", action.target)
    if not action.text.strip():
        return _faulty(ask, "empty", "question")
    return Judged(events=(_asked(ask, action.target, action.text),))


def _conclude(ask: Ask, action: Conclude) -> Judged:
    if not action.method.strip() or not action.motive.strip():
        return _faulty(ask, "empty", "motive" if action.method.strip() else "method")
    method, cut_method = cut(action.method, ask.max_chars)
    motive, cut_motive = cut(action.motive, ask.max_chars)
    concluded = Concluded(
        seat=ask.seat,
        ask=ask.id,
        method=method,
        motive=motive,
        cut=cut_method or cut_motive,
    )
    return Judged(events=(concluded,))


def _choose(ask: Ask, action: Choose) -> Judged:
    if action.option not in ask.options:
        return _faulty(ask, "not_an_option", action.option)
    if ask.reason and not action.reason.strip():
        return _faulty(ask, "no_reason", action.option)
    reason, shortened = cut(action.reason, ask.max_chars) if ask.reason else ("", False)
    voted = Voted(seat=ask.seat, ask=ask.id, choice=action.option, reason=reason, cut=shortened)
    return Judged(events=(voted,))


def _faulty(ask: Ask, fault: Fault, came: str, *, share: str = "") -> Judged:
    kept = (_spoke(ask, share),) if share.strip() and ask.verb == "share_and_ask" else ()
    came = came[:80]
    passed = _passed(ask, f"{fault}: {came!r}", fault=True)
    return Judged(events=(*kept, passed), fault=fault, came=came)


def _passed(ask: Ask, reason: str, *, fault: bool) -> Passed:
    return Passed(seat=ask.seat, ask=ask.id, verb=ask.verb, reason=reason, fault=fault)


def _spoke(ask: Ask, text: str, *, to: SeatId | None = None) -> Spoke:
    text, shortened = cut(text, ask.max_chars)
    return Spoke(seat=ask.seat, ask=ask.id, verb=ask.verb, text=text, to=to, cut=shortened)


def _asked(ask: Ask, target: SeatId, text: str) -> Asked:
    text, shortened = cut(text, ask.max_chars)
    return Asked(seat=ask.seat, ask=ask.id, to=target, text=text, cut=shortened)
