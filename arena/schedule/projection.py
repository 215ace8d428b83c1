"""How long a seat's prompt gets: counted with the protocol's own plan, before a match is played.

What a seat hears stands in its log at its next ask, and its last ask ends the log. Everybody is
taken to answer as asked, in the order of the script, and to question the seat after it: so every
seat is questioned as often as it questions, which is what to expect on average.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.actions import SeatId, Verb
from arena.core.options import Options
from arena.core.protocols.whodunit import Stage, plan
from scripts_mm.script import Clue, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeches:
    """How often a seat does and hears what, up to its last answer."""

    said: tuple[tuple[Verb, int], ...]
    """Asks that it answers, by verb."""
    heard: tuple[tuple[Verb, int], ...]
    """Lines of others, by verb. A `share_and_ask` is heard as two: what was shared, under this
    name, and the question, under `ask`."""
    host: int
    """Lines of the host, clues not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """What to expect of each verb, in tokens, with what the chat template puts round a message."""

    asks: Mapping[Verb, int]
    """The wording of the ask."""
    replies: Mapping[Verb, int]
    """All that the model generates for it, its thought included where that stays in the log."""
    lines: Mapping[Verb, int]
    """What the others hear of it."""
    host: int = 16


@dataclass(slots=True, kw_only=True)
class _Table:
    """A match in outline: lines as they come, and how many of them each seat has in its log."""

    options: Options
    seats: tuple[SeatId, ...]
    electorate: tuple[SeatId, ...]
    lines: list[tuple[SeatId | None, Verb]] = field(
        default_factory=list[tuple[SeatId | None, Verb]]
    )
    """Who says them; None: the host, whatever the verb."""
    said: dict[SeatId, Counter[Verb]]
    told: dict[SeatId, int] = field(default_factory=dict[SeatId, int])
    owed: list[SeatId] = field(default_factory=list[SeatId])


def speeches(
    options: Options, seats: Sequence[SeatId], murderers: Sequence[SeatId] = ()
) -> dict[SeatId, Speeches]:
    """Return what each of `seats` does and hears in a match; `seats` in the order of the script.

    `murderers` matter only where they do not vote.
    """
    mute = murderers if options.electorate == "civilians" else ()
    table = _Table(
        options=options,
        seats=tuple(seats),
        electorate=tuple(seat for seat in seats if seat not in mute),
        said={seat: Counter() for seat in seats},
    )
    for stage in plan(options):
        _play(table, stage)
    return {seat: _counted(table, seat) for seat in table.seats}


def peak(speeches: Speeches, sizes: Sizes, *, clues: int) -> int:
    """Return the tokens of a seat's log at its greatest, without rules and private script.

    `clues` are the tokens of the clues that it is shown (`clue_tokens`).
    """
    said = sum(count * (sizes.asks[verb] + sizes.replies[verb]) for verb, count in speeches.said)
    heard = sum(count * sizes.lines[verb] for verb, count in speeches.heard)
    return clues + said + heard + speeches.host * sizes.host


def clue_tokens(
    script: Script, options: Options, seat: SeatId, count: Callable[[Clue], int]
) -> int:
    """Return the tokens of all clues that a seat is shown; `count` tells those of one clue.

    Exact, but where common clues are dealt out by lot: then each seat gets its part of all.
    """
    own = sum(count(clue) for clue in script.clues if clue.owner == seat)
    common = sum(count(clue) for clue in script.clues if clue.owner is None)
    if options.clues == "owner":
        return own - (-common // len(script.roles))
    hidden = options.clues == "civilians" and seat in script.murderers
    return own if hidden else own + common


def usual_sizes(*, speech: int, thought: int = 0, reason: bool = False, framing: int = 8) -> Sizes:
    """Return sizes where a model speaks `speech` tokens at a time: until it is known better.

    `thought`: tokens of a thought that stays in the log, before each reply. `reason`: votes come
    with method and motive. Questions take a third of a speech.
    """
    question, choice = speech // 3, 6
    spoken: dict[Verb, int] = {
        "introduce": speech,
        "speak": speech,
        "share_and_ask": speech,
        "ask": question,
        "answer": speech,
        "conclude": speech,
        "vote": choice,
    }
    replies: dict[Verb, int] = {
        **spoken,
        "share_and_ask": speech + question + choice,
        "vote": choice + (speech if reason else 0),
    }
    asks: dict[Verb, int] = {
        "introduce": 48,
        "speak": 32,
        "share_and_ask": 144,
        "ask": 96,
        "answer": 16 + question,
        "conclude": 64,
        "vote": 96,
    }
    return Sizes(
        asks={verb: tokens + framing for verb, tokens in asks.items()},
        replies={verb: tokens + thought + framing for verb, tokens in replies.items()},
        lines={verb: tokens + framing for verb, tokens in spoken.items()},
    )


def _play(table: _Table, stage: Stage) -> None:
    """Go through one stage: a wave hears only what was said before it began."""
    table.lines.append((None, "speak"))
    begun = len(table.lines) if stage.wave else None
    if stage.who == "asked":
        owed, table.owed = table.owed, []
        for seat in owed:
            _say(table, seat, "answer", begun)
        return
    for seat in table.electorate if stage.who == "electorate" else table.seats:
        for verb in stage.verbs:
            _say(table, seat, verb, begun)
            if verb in {"ask", "share_and_ask"}:
                _owe(table, seat)


def _owe(table: _Table, seat: SeatId) -> None:
    to = table.seats[(table.seats.index(seat) + 1) % len(table.seats)]
    if table.options.answers == "immediate":
        _say(table, to, "answer", None)
    else:
        table.owed.append(to)


def _say(table: _Table, seat: SeatId, verb: Verb, told: int | None) -> None:
    """Let a seat answer an ask at which it has heard the first `told` lines; None: all."""
    table.said[seat][verb] += 1
    table.told[seat] = len(table.lines) if told is None else told
    quiet = (verb == "conclude" and table.options.reasoning == "secret") or (
        verb == "vote" and table.options.vote == "secret"
    )
    if not quiet:
        table.lines.append((seat, verb))
    if verb == "share_and_ask":
        table.lines.append((seat, "ask"))


def _counted(table: _Table, seat: SeatId) -> Speeches:
    log = table.lines[: table.told[seat]]
    heard: Counter[Verb] = Counter(verb for who, verb in log if who not in {None, seat})
    return Speeches(
        said=tuple(table.said[seat].items()),
        heard=tuple(heard.items()),
        host=sum(who is None for who, _ in log),
    )
