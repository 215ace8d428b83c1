"""From a view and an ask to messages: pure, so that a prompt can be tested as text.

Order is always rules, role, log, action (PLAYERS 1.2). Rules are the same for all seats, the role
message begins with what all seats of the script share, and nothing of one match stands before the
private script, so that prompts of many matches share their beginnings.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from arena.core.actions import Ask
from arena.core.events import (
    Asked,
    Began,
    Concluded,
    Counted,
    Passed,
    Revealed,
    Spoke,
    Voted,
)
from arena.core.options import Options
from arena.core.views import Heard, SeenClue, View
from arena.models.chat import Message
from arena.players.wording import Wording, defused, quoted, wording
from scripts_mm.script import Language

SPEECH_WORDS: dict[Language, int] = {"en": 150, "zh": 200}
"""How long an answer is asked to be: English words, Chinese characters."""

Show = Callable[[SeenClue], tuple[Message, ...]]
"""How a clue is told: its text, then something for each of its pictures."""

ScriptForm = Literal["you", "you_summary", "you_parts"]
"""Whether a seat is given its private script whole, as a summary, or some parts of it."""


def header(
    view: View, script: str | None = None, form: ScriptForm = "you_summary"
) -> tuple[Message, ...]:
    """Return rules and role: the head of every prompt of this seat.

    `script` stands, in this `form`, for the whole private script.
    """
    say = wording(view.language)
    private = view.script if script is None else script
    told = say(
        "role.you" if script is None else f"role.{form}",
        seat=view.seat,
        script=defused(private),
        gap=say("log.gap"),
    )
    return (
        Message(role="system", text=_rules(say, view.options, SPEECH_WORDS[view.language])),
        Message(role="user", text=_role(say, view, told)),
    )


def lines(view: View, start: int, stop: int, show: Show | None = None) -> tuple[Message, ...]:
    """Return what the seat heard from event `start` to before `stop`; one picture a message.

    Its own words are left out: they stand in the log as the replies that they were. `show` tells
    a clue; without it pictures stand as they are.
    """
    say = wording(view.language)
    clues = {clue.id: clue for clue in view.clues}
    told: list[Message] = []
    for event in view.heard[start:stop]:
        if isinstance(event, Revealed):
            clue = clues[event.clue]
            told += show(clue) if show else clue_messages(say, clue)
        elif line := heard_line(say, view, event):
            told.append(Message(role="user", text=line))
    return joined(told)


def joined(told: Sequence[Message]) -> tuple[Message, ...]:
    """Return lines as few messages: only a picture stands in a message of its own."""
    messages: list[Message] = []
    pending: list[str] = []
    for message in told:
        if message.picture is None:
            pending.append(message.text)
            continue
        messages += (*_flushed(pending), message)
    return (*messages, *_flushed(pending))


def clue_messages(say: Wording, clue: SeenClue) -> tuple[Message, ...]:
    """Return a clue's text, then one message for each of its pictures."""
    title, text = quoted(clue.title), defused(clue.text)
    first = say("log.clue", title=title, text=text) if text else say("log.clue_only", title=title)
    count = len(clue.pictures)
    return (
        Message(role="user", text=first),
        *(
            Message(
                role="user",
                text=say("log.clue_picture", title=title, number=number, count=count),
                picture=picture,
            )
            for number, picture in enumerate(clue.pictures, start=1)
        ),
    )


def heard_line(  # noqa: PLR0911 - one case an event
    say: Wording, view: View, event: Heard
) -> str:
    """Return the line that tells `event` to the seat of `view`; empty: nothing to tell."""
    match event:
        case Began(phase="clues") if view.is_murderer and view.options.clues == "civilians":
            return say("log.clues_hidden")
        case Began(phase=phase, round=number):
            return say(f"log.phase_{phase}", round=number)
        case Counted(votes=votes):
            told = say("log.separator").join(f"{name} {n}" for name, n in votes)
            return say("log.counted", votes=told or "-")
        case Spoke(seat=seat, cut=cut) if seat == view.seat:
            return say("log.cut") if cut else ""
        case Passed(seat=seat, verb=verb):
            return _passed_line(say, seat, verb)
        case Revealed():
            return ""
        case _:
            return "" if event.seat == view.seat else spoken_line(say, event)


def spoken_line(say: Wording, event: Spoke | Asked | Concluded | Voted) -> str:
    """Return the line that quotes what a seat said or did."""
    match event:
        case Spoke(seat=seat, to=None, text=text):
            return say("log.spoke", seat=seat, text=quoted(text))
        case Spoke(seat=seat, to=to, text=text):
            return say("log.answered", seat=seat, to=to, text=quoted(text))
        case Asked(seat=seat, to=to, text=text):
            return say("log.asked", seat=seat, to=to, text=quoted(text))
        case Concluded(seat=seat, method=method, motive=motive):
            told = {"method": quoted(method), "motive": quoted(motive)}
            return say("log.concluded", seat=seat, **told)
        case Voted(seat=seat, choice="abstain"):
            return say("log.abstained", seat=seat)
        case Voted(seat=seat, choice=choice):
            return say("log.voted", seat=seat, choice=choice)


def action(view: View, ask: Ask) -> str:
    """Return what is wanted now; after a refused answer, the fault and the options again."""
    say = wording(view.language)
    demand = _demand(say, view, ask)
    if ask.fault is None:
        return demand
    options = say("log.separator").join(ask.options)
    fault = say(f"fault.{ask.fault}", came=quoted(ask.came), options=options)
    return say("action.correction", fault=fault, demand=demand)


def _demand(say: Wording, view: View, ask: Ask) -> str:
    side = "murderer" if view.is_murderer else "civilian"
    values = {
        "options": say("log.separator").join(ask.options),
        "side": say(f"action.{'vote' if ask.verb == 'vote' else 'speak'}_{side}"),
        "aim": say(f"action.aim_{side}"),
        "asker": ask.asker or "",
        "question": quoted(ask.question) if ask.verb == "answer" else defused(ask.question),
    }
    verb = "vote_with_reason" if ask.reason else ask.verb
    return say(f"action.{verb}", **values)


def _rules(say: Wording, options: Options, words: int) -> str:
    voting = say(
        "rules.voting",
        voters=say(f"rules.voters_{options.electorate}"),
        secrecy=say(f"rules.{options.vote}"),
        self_vote=say("rules.self_vote") if options.self_vote else "",
    )
    told = [say("rules.introduction")]
    if options.clues in {"all", "civilians"}:
        shown = say("rules.pictures") if options.pictures == "image" else ""
        told.append(say(f"rules.clues_{options.clues}", pictures=shown))
    told += [say("rules.discussion", rounds=options.rounds), say("rules.reasoning"), voting]
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(told, start=1))
    return "\n\n".join(
        (
            say("rules.head"),
            f"{say('rules.phases')}\n{numbered}",
            say("rules.winning"),
            say("rules.conduct", words=words),
        )
    )


def _role(say: Wording, view: View, told: str) -> str:
    parts: Sequence[str] = (
        say("role.opening", opening=defused(view.opening)) if view.opening else "",
        say("role.seats", seats=say("log.separator").join(view.seats)),
        told,
        _side(say, view),
        say("role.mission", mission=defused(view.mission)) if view.mission else "",
    )
    return "\n\n".join(part for part in parts if part)


def _side(say: Wording, view: View) -> str:
    if not view.is_murderer:
        return say("role.civilian")
    return say("role.murderer") if view.sole_murderer else say("role.murderer_of_several")


def _passed_line(say: Wording, seat: str, verb: str) -> str:
    if verb in {"introduce", "speak", "conclude"}:
        return say("log.silent", seat=seat)
    if verb in {"share_and_ask", "ask"}:
        return say("log.no_question", seat=seat)
    return say("log.no_answer", seat=seat) if verb == "answer" else ""


def _flushed(pending: list[str]) -> tuple[Message, ...]:
    text = "\n".join(pending)
    pending.clear()
    return (Message(role="user", text=text),) if text else ()
