"""Parse a sentence into statements by patterns: stays, the crime, the culprit, routes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from eval.claims.name_mentions import PRONOUN, SPEAKER, CaseNames, NameMention
from eval.claims.patterns import (
    AFTER_DEED,
    ALIVE,
    ALWAYS,
    BEFORE_DEED,
    DEAD,
    DEED_TIME,
    DID,
    DIED_RE,
    GROUP,
    LEAVE,
    MINUTES,
    NOT,
    NOT_DID,
    ONLY,
    PASSIVE,
    THERE,
)
from eval.claims.sentences import clause_spans
from eval.claims.times_of_day import TimeMention, TimeSpan, find_times, parse_number
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A person was, or was not, at a place."""

    who: str
    place: str
    spans: tuple[TimeSpan, ...] = ()
    """The possible readings of its time; empty: no time."""
    at_deed: bool = False
    """“When he was killed.”"""
    always: bool = False
    """“The whole evening.”"""
    denied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """The place or the time of the victim's death, or that it still lived."""

    victim: str
    place: str = ""
    spans: tuple[TimeSpan, ...] = ()
    when: str = ""
    """`at`, `by`, `after`, `alive`; empty: no time."""
    denied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Guilt:
    """A person committed the crime, or did not."""

    who: str
    victim: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkTime:
    """The duration of a route in minutes."""

    places: tuple[str, str]
    minutes: int


CaseStatement = Stay | Deed | Guilt | WalkTime


def parse_sentence(text: str, names: CaseNames, before: str = "") -> Iterator[CaseStatement]:
    """Yield the statements of a plain sentence; `before` is a pronoun's referent, if known."""
    people = [
        NameMention(one.at, one.stop, before if one.id == PRONOUN else one.id)
        for one in names.find_people(text)
        if one.id != PRONOUN or before
    ]
    reader = _SentenceParser(text, names, tuple(people))
    yield from reader.walks()
    yield from reader.guilt()
    yield from reader.deeds()
    yield from reader.stays()


class _SentenceParser:
    """One plain sentence with its names, times and chunks."""

    def __init__(self, text: str, names: CaseNames, people: tuple[NameMention, ...]) -> None:
        self.text = text
        self.names = names
        self.language: Language = names.language
        self.people = people
        self.places = names.find_places(text)
        self.times = find_times(text, self.language)
        self.chunks = clause_spans(text, self.language)
        self.deed_time = DEED_TIME[self.language].search(text)
        self.victims = {one.id for one in people if one.id in names.victims}

    def walks(self) -> Iterator[WalkTime]:
        """Yield the duration of a route between two places."""
        found = MINUTES.search(self.text)
        if found and len({one.id for one in self.places}) == 2 and not self.times:  # noqa: PLR2004
            minutes = parse_number(found["en"] or found["zh"])
            if minutes:
                yield WalkTime(places=(self.places[0].id, self.places[1].id), minutes=minutes)

    def guilt(self) -> Iterator[Guilt]:
        """Yield accusations and their denials."""
        for found in DID[self.language].finditer(self.text):
            if PASSIVE.search(self.text) or (
                self.deed_time and found.start() < self.deed_time.end()
            ):
                continue
            start, stop = self._chunk(found.start())
            near = [one for one in self.people if start <= one.at < stop]
            accused = self._find_accused(near, found) or self._find_accused(
                list(self.people), found
            )
            if accused is None:
                continue
            here = self.text[start:stop]
            only = ONLY[self.language].search(self.text)
            denied = NOT_DID[self.language].search(here) and not only
            victim = next(iter(sorted(self.victims)), "")
            yield Guilt(who=accused, victim=victim, denied=bool(denied))
            return

    def _find_accused(self, people: list[NameMention], found: re.Match[str]) -> str | None:
        suspects = [one.id for one in people if one.id not in self.names.victims]
        named = [one for one in suspects if one != SPEAKER]
        if named:
            return named[0]
        is_opinion = found[0].startswith(("suspect", "accus", "怀疑"))
        return SPEAKER if suspects and not is_opinion else None

    def deeds(self) -> Iterator[Deed]:
        """Yield statements on the place and time of the victim's death, or that it lived."""
        if self.deed_time:
            return
        died, alive = (pattern[self.language].search(self.text) for pattern in (DIED_RE, ALIVE))
        killed = self.victims and DID[self.language].search(self.text)
        if alive is None and died is None and not (killed and self.language == "zh"):
            return
        victim = next(iter(sorted(self.victims)), "")
        if not victim and not re.search(r"\bs?he\b|\bvictim\b|死者|[他她]", self.text):
            return
        spans = self.times[0].spans if self.times else ()
        if alive is not None and died is None:
            if spans:
                yield Deed(
                    victim=victim, spans=spans, when="alive", denied=self._denies(alive.start())
                )
            return
        if spans:
            yield Deed(victim=victim, spans=spans, when=self._deed_when())
        for place in self.places:
            yield Deed(victim=victim, place=place.id, denied=self._denies(place.at))
            return

    def _deed_when(self) -> str:
        around = self.text[max(0, self.times[0].at - 14) : self.times[0].stop + 6]
        if AFTER_DEED.search(around):
            return "after"
        return "by" if BEFORE_DEED.search(around) or DEAD.search(self.text) else "at"

    def stays(self) -> Iterator[Stay]:
        """Yield statements on a person's stay at a place."""
        about_death = DIED_RE[self.language].search(self.text) and not self.deed_time
        if about_death or any(self.walks()):
            return
        for place in self.places:
            start, stop = self._chunk(place.at)
            if not self._is_presence(place, start, stop):
                continue
            for who in self._subjects(place, start, stop):
                if who in self.names.victims:
                    continue
                time = self._time(start, stop)
                yield Stay(
                    who=who,
                    place=place.id,
                    spans=time.spans if time else (),
                    at_deed=self.deed_time is not None and time is None,
                    always=ALWAYS[self.language].search(self.text) is not None,
                    denied=self._denies(place.at),
                )

    def _is_presence(self, place: NameMention, start: int, stop: int) -> bool:
        before, after = self.text[start : place.at], self.text[place.stop : stop]
        if THERE[self.language].search(before) or not (before + after).strip(" .。的里the"):
            return True
        if LEAVE[self.language].search(before):
            return NOT[self.language].search(before) is not None or "没" in before
        return self.language == "zh" and after.startswith(("里", "内", "上", "中"))

    def _subjects(self, place: NameMention, start: int, stop: int) -> tuple[str, ...]:
        here = [one for one in self.people if start <= one.at < stop]
        before = [one for one in here if one.at < place.at]
        near = before or [one for one in here if one.at >= place.stop]
        if not near:
            earlier = [one for one in self.people if one.at < start]
            near = [one for one in earlier if self._chunk(one.at) == self._chunk(earlier[-1].at)][
                :1
            ]
        if not near:
            near = [one for one in self.people if one.at >= stop][:1]
        if not near:
            return ()
        last = near[-1] if before else near[0]
        if before and len(near) > 1 and GROUP.search(self.text[near[-2].stop : last.at]):
            return (near[-2].id, last.id)
        return (last.id,)

    def _time(self, start: int, stop: int) -> TimeMention | None:
        def distance(time: TimeMention) -> int:
            return max(start - time.at, time.at - stop, 0)

        return min(self.times, key=distance, default=None)

    def _denies(self, at: int) -> bool:
        start, _ = self._chunk(at)
        before = self.text[start : at + 1]
        denied = NOT[self.language].search(before) is not None
        return denied and not (denied and LEAVE[self.language].search(before))

    def _chunk(self, at: int) -> tuple[int, int]:
        return next((one for one in self.chunks if one[0] <= at < one[1]), (0, len(self.text)))
