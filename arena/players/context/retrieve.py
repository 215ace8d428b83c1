"""The policy `retrieve`: what bears on the ask is looked up in script and log (PLAYERS 1.2, 1.3).

Each ask gets a prompt of its own: half of what is free for pieces of the private script, half for
the log, both in their order, with a mark where something is left out. The newest lines are always
there.
"""

from collections.abc import Sequence
from functools import lru_cache

from arena.core.events import Asked, Spoke
from arena.players import prompts
from arena.players.fitting.case import Case, Fitted
from arena.players.fitting.stretches import gathered, pieces
from arena.players.fitting.units import gapped, named
from arena.players.retrieval import Bm25
from arena.players.wording import wording

_PIECE = 50
"""Tokens of a piece of the script [Questum C.1]."""
_LEAST = 64
_NEWEST = 3
"""Lines that are kept whatever was asked, and are searched with."""


class Retrieve:
    """Looks up, by words alone; one object a seat."""

    def __init__(self) -> None:
        self._pieces: dict[str, tuple[str, ...]] = {}

    async def fit(self, case: Case) -> Fitted:
        """Return a base for this ask alone."""
        view, words = case.view, case.budget.words
        bare = prompts.header(view, "", "you_parts")
        whole, case = case, case.without_board(bare, _LEAST)
        left = case.left(bare, _LEAST)
        if view.script not in self._pieces:
            self._pieces[view.script] = pieces(view.script, _PIECE, words, view.language)
        script = self._pieces[view.script]
        gap = words(wording(view.language)("log.gap"))
        sizes = [words(piece) + gap for piece in script]
        heard = [case.budget.adds(unit.message) + gap for unit in case.units]
        # What one half does not need, the other may have.
        room = max(left // 2, left - sum(heard))
        query = _query(case)
        chosen = _first(script, sizes, room, query)
        taken = sum(sizes[place] for place in chosen)
        lines = _log(case, heard, left - taken, query)
        header = _header(case, script, chosen)
        base = (*header, *gapped(wording(view.language), case.units, lines), *case.tail)
        notes = (*whole.lost(case), *_notes(case, script, chosen, lines))
        return Fitted(base=base, notes=notes, lasting=False)


def _query(case: Case) -> str:
    ask, view = case.ask, case.view
    newest = [unit.message.text for unit in case.units[-_NEWEST:]]
    return " ".join([ask.question, ask.asker or "", *view.victims, *newest])


def _first(script: Sequence[str], sizes: Sequence[int], room: int, query: str) -> set[int]:
    """Return the pieces of the script that are told: who the seat is, what was asked, the rest."""
    found = [hit.index for hit in _index(tuple(script)).best(query, len(script))]
    return _filled([0, *found, *range(len(script))], sizes, room)


def _log(case: Case, sizes: Sequence[int], room: int, query: str) -> set[int]:
    """Return the lines of the log that are told: the newest, what was asked, newer ones first."""
    texts = [unit.message.text for unit in case.units]
    count = len(texts)
    newest = [*range(count - 1, max(-1, count - 1 - _NEWEST), -1)]
    # A picture has no words to be found by; the newest is what is being talked of.
    shown = [place for place, unit in enumerate(case.units) if unit.message.picture]
    newest += [place for place in shown[-1:] if sizes[place] <= room // 2]
    found = (hit.index for hit in Bm25(texts).best(query, count))
    wanted = [*newest, *(place for hit in found for place in _exchange(case, hit))]
    return _filled([*wanted, *range(count - 1, -1, -1)], sizes, room)


def _exchange(case: Case, place: int) -> list[int]:
    """Return a line, a question with its answer: they were heard one after the other."""
    heard, units = case.view.heard, case.units

    def answers(one: int) -> bool:
        if not 0 < one < len(units):
            return False
        asked, answer = heard[units[one - 1].event], heard[units[one].event]
        return (
            isinstance(asked, Asked)
            and isinstance(answer, Spoke)
            and (answer.seat, answer.to) == (asked.to, asked.seat)
        )

    if answers(place):
        return [place - 1, place]
    return [place, place + 1] if answers(place + 1) else [place]


def _filled(wanted: Sequence[int], sizes: Sequence[int], room: int) -> set[int]:
    """Return as many as fit, the first of `wanted` first."""
    chosen: set[int] = set()
    for place in wanted:
        if place < len(sizes) and place not in chosen and sizes[place] <= room:
            room -= sizes[place]
            chosen.add(place)
    return chosen


def _header(case: Case, script: Sequence[str], chosen: set[int]) -> tuple[prompts.Message, ...]:
    view = case.view
    if len(chosen) == len(script):
        return case.whole_header()
    gap = wording(view.language)("log.gap")
    parts: list[str] = []
    for place, piece in enumerate(script):
        if place in chosen:
            parts.append(piece)
        elif not parts or parts[-1] != gap:
            parts.append(gap)
    return prompts.header(view, gathered(parts, view.language), "you_parts")


def _notes(case: Case, script: Sequence[str], chosen: set[int], lines: set[int]) -> tuple[str, ...]:
    places = " ".join(_runs(sorted(lines)))
    note = (
        f"context overflow: retrieved {len(chosen)} of {len(script)} pieces of the script and "
        f"{len(lines)} of {len(case.units)} lines ({places or 'none'})"
    )
    gone = named(unit for place, unit in enumerate(case.units) if place not in lines)
    return (f"{note}; left out {gone}" if gone else note,)


def _runs(places: Sequence[int]) -> list[str]:
    """Return numbers, counted from 1, as runs: `1-3 7`."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][1] == place:
            runs[-1][1] = place + 1
        else:
            runs.append([place + 1, place + 1])
    return [f"{a}-{b}" if a != b else str(a) for a, b in runs]


@lru_cache(maxsize=64)
def _index(script: tuple[str, ...]) -> Bm25:
    return Bm25(script)
