"""The policy `drop_oldest`: older talk is left out, introductions are kept (PLAYERS 1.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena.models.chat import Message
from arena.players import prompts
from arena.players.fitting.case import NO_BOARD, Case, Fitted, Memory
from arena.players.fitting.stretches import gathered, pieces
from arena.players.fitting.units import Unit, named, told
from arena.players.wording import wording

_LEAST = 16
"""Tokens of a log that says anything."""
_PIECE = 50
"""Tokens of a piece of the script."""
_GROWTH = 4
"""One part in so many is left free at first, so that the log can grow again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How much is kept: a share of the talk, and how many pictures, newest first."""

    talk: float
    pictures: int | None = None
    """None: all."""


LEVELS = (
    Level(talk=0.5),
    Level(talk=0.25),
    Level(talk=0.25, pictures=1),
    Level(talk=0.25, pictures=0),
    Level(talk=0.0, pictures=0),
)
"""The first that fits is taken; introductions and the clues' texts are kept in all."""
_ALL = Level(talk=1.0)


class DropOldest:
    """Leaves out old talk; where that is not enough pictures, and at last whatever is old.

    Of a script that is too long the middle is left out.
    """

    async def fit(self, case: Case) -> Fitted:
        """Return the base of which the most is kept."""
        whole = _Header(messages=case.whole_header(), notes=())
        tried: list[tuple[_Header, tuple[Level, ...]]] = [(whole, LEVELS)]
        if case.heavy:
            short = _short_header(case)
            tried.append((short, (_ALL, *LEVELS)))
        found = [one for header, levels in tried for one in _levels(case, header, levels)]
        for most in (case.room - case.room // _GROWTH, case.room):
            for fitted, tokens in found:
                if tokens <= most:
                    return fitted
        return _newest(case, tried[-1][0])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    messages: tuple[Message, ...]
    notes: tuple[str, ...]
    short: bool = False


def _levels(case: Case, header: _Header, levels: Sequence[Level]) -> Iterator[tuple[Fitted, int]]:
    for level in levels:
        kept, dropped, pictures = _kept(case, level)
        tail = () if level.pictures == 0 else case.tail
        told_less = dropped or pictures or len(tail) < len(case.tail)
        if told_less or header.short:
            base = (*header.messages, *_count_of(case, dropped), *told(kept), *tail)
            gone = f" and {len(pictures)} pictures" if pictures else ""
            gone += f" ({named(pictures)})" if pictures else ""
            gone += " and the board" if len(tail) < len(case.tail) else ""
            note = f"context overflow: left out {dropped} lines of talk{gone}"
            notes = (*header.notes, note) if told_less else header.notes
            yield _fitted(base, notes, header), case.count(base)


def _fitted(base: tuple[Message, ...], notes: tuple[str, ...], header: _Header) -> Fitted:
    return Fitted(base=base, notes=notes, memory=Memory(short=header.short))


def _kept(case: Case, level: Level) -> tuple[list[Unit], int, list[Unit]]:
    """Return what a level keeps, how much talk it drops, and the pictures that it drops."""
    say = wording(case.view.language)
    talk = [place for place, unit in enumerate(case.units) if unit.kind == "talk"]
    dropped = set(talk[: len(talk) - int(len(talk) * level.talk)])
    shown = [place for place, unit in enumerate(case.units) if unit.message.picture]
    old = set(shown if level.pictures is None else shown[: max(0, len(shown) - level.pictures)])
    gone: list[Unit] = []
    kept: list[Unit] = []
    for place, unit in enumerate(case.units):
        if place in dropped:
            continue
        if level.pictures is None or place not in old:
            kept.append(unit)
            continue
        clue = next(c for c in case.view.clues if c.id == unit.name.rpartition("/")[0])
        text = say("log.clue_dropped", title=clue.title)
        gone.append(unit)
        kept.append(replace(unit, message=Message(role="user", text=text)))
    return kept, len(dropped), gone


def _newest(case: Case, header: _Header) -> Fitted:
    """Keep the newest of all that was heard, whatever it is."""
    shown, case = case.tail, case.without_board(header.messages, _LEAST)
    left = case.left(header.messages, _LEAST)
    left -= sum(case.budget.adds(one) for one in _count_of(case, len(case.units)))
    dropped = len(case.units)
    while dropped and (size := case.budget.adds(case.units[dropped - 1].message)) <= left:
        left -= size
        dropped -= 1
    gone = case.units[:dropped]
    clues = [unit for unit in gone if unit.name]
    note = f"context overflow: left out {len(gone)} lines"
    note += f", of them {named(clues)}" if clues else ""
    base = (
        *header.messages,
        *_count_of(case, len(gone)),
        *told(case.units[dropped:]),
        *case.tail,
    )
    notes = header.notes if case.tail == shown else (*header.notes, NO_BOARD)
    return _fitted(base, (*notes, note) if gone else notes, header)


def _short_header(case: Case) -> _Header:
    """Return rules and role with the begin and the end of the script."""
    view, words = case.view, case.budget.words
    found = pieces(view.script, _PIECE, words, view.language)
    kept = _ends(found, [words(piece) for piece in found], case.share())
    gap = wording(view.language)("log.gap")
    halves = (gathered(found[:kept], view.language), gathered(found[-kept:], view.language))
    script = f"\n{gap}\n".join(halves) if kept else gap
    note = (
        f"context overflow: left out the middle of the script: {len(found) - 2 * kept} of "
        f"{len(found)} pieces ({words(view.script)} -> {words(script)} tokens)"
    )
    return _Header(
        messages=prompts.header(view, script, "you_parts"),
        notes=() if case.memory.short else (note,),
        short=True,
    )


def _ends(found: Sequence[str], sizes: Sequence[int], most: int) -> int:
    """Return how many pieces of a script fit from its begin, and as many from its end."""
    kept, tokens = 0, 0
    while 2 * (kept + 1) < len(found):
        tokens += sizes[kept] + sizes[-kept - 1]
        if tokens > most:
            break
        kept += 1
    return kept


def _count_of(case: Case, dropped: int) -> tuple[Message, ...]:
    if not dropped:
        return ()
    text = wording(case.view.language)("log.dropped", count=dropped)
    return (Message(role="user", text=text),)
