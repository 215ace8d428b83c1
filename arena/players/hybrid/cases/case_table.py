"""The table of a murder mystery: suspicions, statements of seats about themselves, open points."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.core.quoting import quote
from arena.core.seats import SeatId
from arena.players.hybrid.analysis_lines import (
    find_seat,
    read_lines,
    split_arrow,
    split_bars,
    split_commas,
)
from arena.players.hybrid.cases.case_view import PrivateFact
from arena.players.hybrid.turn_memory import AnalysedTurn
from arena.players.replies.option_matching import match_option
from scripts_mm.script import Language

_TAG = re.compile(r"^\W{0,4}([A-Za-z]{3,10}|[\u4e00-\u9fff]{2})\W{0,4}[:：]\s*(.*)$")
_NUMBER = re.compile(r"\d{1,3}")
_TAGS: Final[Mapping[str, str]] = {
    "怀疑": "suspect",
    "陈述": "statement",
    "未答": "open",
    "矛盾": "clash",
    "已知": "known",
    "关键": "key",
    "最后": "last",
}
_SURE = 2
_UNSURE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """Suspicion of a seat against another."""

    whom: SeatId
    sure: int
    """0 to 2."""
    reason: str
    victim: str = ""
    """The victim, if there are several; empty: not stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfStatement:
    """Statement of a seat about itself: a time and a place."""

    seat: SeatId
    time: str
    place: str
    more: str = ""
    """Its activity, and the seats that it met."""


@dataclass(slots=True, kw_only=True)
class CaseFindings:
    """Findings of the analysis of one turn."""

    suspects: dict[SeatId, Suspicion] = field(default_factory=dict[SeatId, Suspicion])
    suspects_of: dict[str, dict[SeatId, Suspicion]] = field(
        default_factory=dict[str, dict[SeatId, Suspicion]]
    )
    """By victim: suspicions about only one of several victims."""
    statements: list[SelfStatement] = field(default_factory=list[SelfStatement])
    open: list[tuple[SeatId, str]] = field(default_factory=list[tuple[SeatId, str]])
    clashes: list[tuple[SeatId, str]] = field(default_factory=list[tuple[SeatId, str]])
    known: set[PrivateFact] = field(default_factory=set[PrivateFact])
    key: list[PrivateFact] = field(default_factory=list[PrivateFact])
    """The facts themselves: their numbers are those of one prompt."""
    is_last: bool = False
    is_read: bool = False
    """Whether any line could be parsed; else the table does not change."""


CaseTurn = AnalysedTurn[CaseFindings]


@dataclass(slots=True, kw_only=True)
class CaseTable(CaseFindings):
    """Findings of all analyses of a seat so far, with the suspicions about one victim or all."""

    def accusers(self, seat: SeatId) -> tuple[SeatId, ...]:
        """Return the seats that suspect `seat`."""
        return tuple(one for one, suspicion in self.suspects.items() if suspicion.whom == seat)

    def rank(self, seats: Sequence[SeatId], without: SeatId) -> list[SeatId]:
        """Return `seats`, the most suspected first and ties in reverse order.

        Suspicions of the seat `without` do not count.
        """
        counts = Counter(one.whom for seat, one in self.suspects.items() if seat != without)
        last_first = seats[::-1]
        return sorted(last_first, key=lambda one: -counts[one])

    def reasons(self, seat: SeatId) -> tuple[str, ...]:
        """Return the reasons against a seat, in the order of their appearance."""
        named = (one.reason for one in self.suspects.values() if one.whom == seat and one.reason)
        clashes = (text for one, text in self.clashes if one == seat)
        return tuple(dict.fromkeys((*named, *clashes)))

    def statements_of(self, seat: SeatId) -> tuple[SelfStatement, ...]:
        """Return the statements of a seat about itself."""
        return tuple(one for one in self.statements if one.seat == seat)

    def values(self) -> dict[str, str]:
        """Return the table for the record, without empty parts."""
        suspects = (f"{a} -> {b.whom}, {b.sure}, {b.reason}" for a, b in self.suspects.items())
        statements = (
            " | ".join(filter(None, (one.seat, one.time, one.place, one.more)))
            for one in self.statements
        )
        found = {
            "suspects": "; ".join(suspects),
            "statements": "; ".join(statements),
            "open": "; ".join(f"{seat} | {text}" for seat, text in self.open),
            "clashes": "; ".join(f"{seat} | {text}" for seat, text in self.clashes),
            "known": "; ".join(sorted(one.text for one in self.known)),
            "key": "; ".join(one.text for one in self.key),
            "last": "yes" if self.is_last else "",
        }
        return {name: value for name, value in found.items() if value}


def make_table(
    turns: Iterable[CaseTurn], now: CaseFindings, seat: SeatId, about: str = ""
) -> CaseTable:
    """Return the table from earlier turns and the current findings, about a victim or all.

    Open points, clashes and the coming vote are those of the last parsed analysis; all else
    accumulates. A suspect that a template named becomes its own suspect.
    """
    table = CaseTable()
    for turn in turns:
        _add(table, turn.found, about)
        if turn.declared and (turn.about == about or not (turn.about and about)):
            whom = SeatId(turn.declared)
            table.suspects[seat] = Suspicion(whom=whom, sure=_SURE, reason="", victim=turn.about)
    _add(table, now, about)
    table.is_last = now.is_last
    return table


def read_case(
    text: str,
    seats: Sequence[SeatId],
    language: Language,
    *,
    facts: Sequence[PrivateFact] = (),
    victims: Sequence[str] = (),
) -> CaseFindings:
    """Return the findings that can be parsed from an analysis; lines of other forms are dropped.

    `facts`: those that the analysis numbers from 1.
    """
    found, listed = CaseFindings(), _LineReader(seats, language, facts, victims)
    for line in read_lines(text):
        tagged = _TAG.match(line)
        if tagged is None:
            continue
        name = tagged[1].casefold()
        reader = _READERS.get(_TAGS.get(name, name))
        if reader is not None:
            found.is_read |= reader(found, tagged[2], listed)
    return found


class _LineReader:
    """Finds seats, victims, and the facts that an analysis numbered, in a line."""

    def __init__(
        self,
        seats: Sequence[SeatId],
        language: Language,
        facts: Sequence[PrivateFact],
        victims: Sequence[str],
    ) -> None:
        self._seats, self._facts, self._victims = seats, facts, victims
        self._language: Language = language

    def find(self, text: str) -> SeatId | None:
        return find_seat(text, self._seats, self._language)

    def split_victim(self, text: str) -> tuple[str, str]:
        """Return the text before the last bar, and the victim after it if there is one."""
        *before, last = split_bars(text)
        if len(self._victims) > 1 and before:
            victim = match_option(last, self._victims, self._language)
            if victim is not None:
                return " | ".join(before), victim
        return text, ""

    def find_facts(self, text: str) -> list[PrivateFact]:
        """Return the facts with the numbers in a text, in its order."""
        numbers = dict.fromkeys(int(one) for one in _NUMBER.findall(text))
        return [self._facts[one - 1] for one in numbers if 0 < one <= len(self._facts)]


def _read_suspect(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    line, victim = listed.split_victim(rest)
    sides = split_arrow(line)
    if sides is None:
        return False
    whom, *more = split_commas(sides[1], 3)
    seat, target = listed.find(sides[0]), listed.find(whom)
    if seat is None or target is None or seat == target:
        return False
    sure = _NUMBER.search(more[0]) if more else None
    suspects = found.suspects_of.setdefault(victim, {}) if victim else found.suspects
    suspects[seat] = Suspicion(
        whom=target,
        sure=min(int(sure[0]), _SURE) if sure else _UNSURE,
        reason=_clean(more[-1]) if len(more) > 1 else "",
        victim=victim,
    )
    return True


def _read_statement(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    who, *more = split_bars(rest)
    seat = listed.find(who)
    if seat is None or len(more) < 2:  # noqa: PLR2004 - a time and a place
        return False
    time, place, *others = map(_clean, more)
    found.statements.append(
        SelfStatement(seat=seat, time=time, place=place, more=", ".join(filter(None, others)))
    )
    return True


def _read_open(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    return _read_pair(found.open, rest, listed)


def _read_clash(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    return _read_pair(found.clashes, rest, listed)


def _read_pair(into: list[tuple[SeatId, str]], rest: str, listed: _LineReader) -> bool:
    who, *more = split_bars(rest)
    seat, text = listed.find(who), _clean(", ".join(more))
    if seat is None or not text:
        return False
    into.append((seat, text))
    return True


def _read_known(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    found.known |= set(listed.find_facts(rest))
    return bool(found.known)


def _read_key(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    found.key = listed.find_facts(rest)
    return bool(found.key)


def _read_last(found: CaseFindings, rest: str, listed: _LineReader) -> bool:
    del listed
    found.is_last = rest.strip(" .。").casefold() in {"yes", "是"}
    return found.is_last


_READERS: Final[Mapping[str, Callable[[CaseFindings, str, _LineReader], bool]]] = {
    "suspect": _read_suspect,
    "statement": _read_statement,
    "open": _read_open,
    "clash": _read_clash,
    "known": _read_known,
    "key": _read_key,
    "last": _read_last,
}


def _add(table: CaseTable, found: CaseFindings, about: str) -> None:
    if not found.is_read:
        return
    table.suspects |= found.suspects
    for victim, suspects in found.suspects_of.items():
        if about in {"", victim}:
            table.suspects |= suspects
    table.statements += [one for one in found.statements if one not in table.statements]
    table.known |= found.known
    table.key = found.key or table.key
    table.open, table.clashes = found.open, found.clashes
    table.is_read = True


def _clean(text: str) -> str:
    """Return a piece of a line for quoting in a speech, without its end mark."""
    return quote(text).strip(" .。;；")
