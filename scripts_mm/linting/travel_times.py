"""Travel times between the places of a fact table that texts state differently."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from scripts_mm.facts.claim_types import TravelTime
from scripts_mm.facts.fact_table import FactTable
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.findings import FindingLog
from scripts_mm.script import Language, Script, ScriptError
from scripts_mm.script_folder import LoadedScript

_SENTENCE = re.compile(r"(?<=[.;!?])\s+|[。；！？\n]")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TEENS = ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen")
_WORDS = {word: number for number, word in enumerate((*_NUMBERS, *_TEENS), 1)}
_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_DURATION: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf"\b(\d+|{'|'.join(_WORDS)}) min(?:\b|utes?\b)", re.IGNORECASE),
    "zh": re.compile(r"(\d+|[一二两三四五六七八九十]+)\s*分钟"),
}
_WAY: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:from|to|between|way|walk|away|foot)\b", re.IGNORECASE),
    "zh": re.compile(r"[到走路离]"),
}
"""The words of a sentence about a way, and not about two clocks."""
_TWO = 2
Way = frozenset[str]
"""Two places, by their ids."""


def check_travel_times(loaded: LoadedScript, notes: FindingLog) -> None:
    """Note ways for which texts or facts state several times.

    Only sentences that name exactly two places and one duration count.
    """
    try:
        table = load_facts(loaded.folder)
    except ScriptError:
        return
    if table is None:
        return
    collected = _collect_times(loaded.script, table)
    for way, times in collected.items():
        if len({minutes for minutes, _ in times}) > 1:
            detail = "; ".join(f"{minutes} min in {place}" for minutes, place in sorted(times))
            notes.warn("travel-times-differ", " - ".join(sorted(way)), detail)


def _collect_times(script: Script, table: FactTable) -> Mapping[Way, set[tuple[int, str]]]:
    """Return the minutes of each way, with the place of the text that states them."""
    found: defaultdict[Way, set[tuple[int, str]]] = defaultdict(set)
    for fact in table.facts:
        if isinstance(fact.claim, TravelTime):
            found[frozenset(fact.claim.places)].add((fact.claim.minutes, f"fact {fact.id!r}"))
    names = {
        place.id: place.names[script.language].casefold().removeprefix("the ")
        for place in table.places
    }
    for at, text in _texts(script):
        for sentence in _SENTENCE.split(text.casefold()):
            durations = _DURATION[script.language].findall(sentence)
            places = _find_places(sentence, names)
            is_way = _WAY[script.language].search(sentence) is not None
            if is_way and len(durations) == 1 and len(places) == _TWO:
                found[places].add((_number(durations[0]), at))
    return found


def _texts(script: Script) -> Iterator[tuple[str, str]]:
    yield "the opening", script.opening
    for role in script.roles:
        yield f"the script of {role.name}", role.script
    for clue in script.clues:
        yield f"clue {clue.id!r}", clue.text
        for picture in clue.pictures:
            yield picture.file, picture.transcript
            yield picture.file, picture.description


def _find_places(sentence: str, names: Mapping[str, str]) -> Way:
    """Return the places that a sentence names; a name inside a longer one does not count."""
    found: set[str] = set()
    for place in sorted(names, key=lambda one: -len(names[one])):
        if names[place] in sentence:
            found.add(place)
            sentence = sentence.replace(names[place], "\0")
    return frozenset(found)


def _number(text: str) -> int:
    """Return the number that figures, an English word or Chinese digits up to 99 state."""
    if text.isdecimal():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    tens, ten, ones = text.rpartition("十")
    value = _digits(ones)
    return value + 10 * (_digits(tens) or 1) if ten else value


def _digits(text: Iterable[str]) -> int:
    value = 0
    for char in text:
        value = value * 10 + _DIGITS[char]
    return value
