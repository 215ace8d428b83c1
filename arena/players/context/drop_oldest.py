"""The policy `drop_oldest`: older talk is left out, introductions are kept (PLAYERS 1.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena.models.chat import Message
from arena.players import prompts
from arena.players.fitting.case import Case, Fitted, Memory
from arena.players.fitting.stretches import gathered, pieces
from arena.players.fitting.units import Unit, named, told
from arena.players.wording import quoted, wording

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
_FEW = Level(talk=0.25, pictures=0)


class DropOldest:
    """Leaves out old talk; where that is not enough pictures, and at last whatever is old.

    Of a script that is too long the middle is left out.
    """

    async def fit(self, case: Case) -> Fitted:
        """Return the base of which the most is kept; the whole script stays while it can."""
        header = _Header(messages=case.whole_header())
        found = _best(case, header, LEVELS)
        if found is None and case.heavy:
            header = _short_header(case)
            found = _best(case, header, (_ALL, *LEVELS))
        return found or _newest(case, header)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    messages: tuple[Message, ...]
    script: str = ""
    """The note of a script that is not whole."""


def _best(case: Case, header: _Header, levels: Sequence[Level]) -> Fitted | None:
    """Return the first level that fits: one that leaves the log room to grow, if there is one."""
    if case.count(header.messages) > case.room:
        return None
    tried: list[tuple[Fitted, int]] = []
    for fitted, tokens in _levels(case, header, levels):
        if tokens <= case.room - case.room // _GROWTH:
            return fitted
        tried.append((fitted, tokens))
    return next((fitted for fitted, tokens in tried if tokens <= case.room), None)


def _levels(case: Case, header: _Header, levels: Sequence[Level]) -> Iterator[tuple[Fitted, int]]:
    for level in levels:
        shown = case.boardless() if level.pictures == 0 else case
        _, dropped, pictures = _kept(shown, level)
        no_board = len(shown.tail) < len(case.tail)
        told_less = dropped or pictures or no_board
        if told_less or header.script:
            base = (*header.messages, *_log(shown, level))
            gone = f" and {len(pictures)} pictures ({named(pictures)})" if pictures else ""
            gone += f" and the board of {', '.join(case.board)}" if no_board else ""
            note = f"context overflow: left out {dropped} lines of talk{gone}"
            yield _fitted(case, base, header, (note,) if told_less else ()), case.count(base)


def _log(case: Case, level: Level) -> tuple[Message, ...]:
    """Return what stands between role and question."""
    kept, dropped, _ = _kept(case, level)
    return (*_count_of(case, dropped), *told(kept), *case.tail)


def _fitted(
    case: Case, base: tuple[Message, ...], header: _Header, notes: tuple[str, ...]
) -> Fitted:
    shortened = case.news(header.script) if header.script else ()
    return Fitted(base=base, notes=(*shortened, *notes), memory=Memory(script=header.script))


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
        text = say("log.clue_dropped", title=quoted(clue.title))
        gone.append(unit)
        kept.append(replace(unit, message=Message(role="user", text=text)))
    return kept, len(dropped), gone


def _newest(case: Case, header: _Header) -> Fitted:
    """Keep the newest of all that was heard, whatever it is."""
    whole, case = case, case.without_board(header.messages, _LEAST)
    left = case.left(header.messages, _LEAST)
    left -= sum(case.budget.adds(one) for one in _count_of(case, len(case.units)))
    dropped = len(case.units)
    while dropped and (size := case.budget.adds(case.units[dropped - 1].message)) <= left:
        left -= size
        dropped -= 1
    gone = case.units[:dropped]
    clues = named(gone)
    notes = whole.lost(case)
    if gone:
        note = f"context overflow: left out {len(gone)} lines"
        notes = (*notes, f"{note}, of them {clues}" if clues else note)
    base = (
        *header.messages,
        *_count_of(case, len(gone)),
        *told(case.units[dropped:]),
        *case.tail,
    )
    return _fitted(case, base, header, notes)


def _short_header(case: Case) -> _Header:
    """Return rules and role with the begin and the end of the script, as much as can be told.

    It gets what little talk and no pictures would leave of the room, or its share if that is more.
    """
    view, words = case.view, case.budget.words
    bare = (*prompts.header(view, "", "you_parts"), *_log(case.boardless(), _FEW))
    room = case.room - case.room // _GROWTH - case.count(bare)
    found = pieces(view.script, _PIECE, words, view.language)
    kept = _ends(found, [words(piece) for piece in found], max(room, case.share()))
    gap = wording(view.language)("log.gap")
    halves = (gathered(found[:kept], view.language), gathered(found[-kept:], view.language))
    script = f"\n{gap}\n".join(halves) if kept else gap
    note = (
        f"context overflow: left out the middle of the script: {len(found) - 2 * kept} of "
        f"{len(found)} pieces ({words(view.script)} -> {words(script)} tokens)"
    )
    return _Header(messages=prompts.header(view, script, "you_parts"), script=note)


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
