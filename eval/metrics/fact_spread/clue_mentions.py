"""Mentions of clues in utterances, by the words of a clue's title, without a judge."""

import re
from collections.abc import Iterator

from arena.core.events import ClueRevealed, Event, QuestionAsked, Said
from arena.core.seats import SeatId
from arena.games.shared.word_matching import has_word, plain
from eval.metrics.fact_spread.tracked_facts import FactMention
from eval.played_match import PlayedMatch
from scripts_mm.names import normal_form
from scripts_mm.script import Clue, Language

_SMALL_WORDS = frozenset(
    {
        *("the", "a", "an", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or"),
        *("its", "his", "her", "their", "what", "who", "where", "was", "were", "is", "are", "said"),
        *("before", "after", "under", "over", "into", "out", "up", "no", "that", "this", "number"),
    }
)
_BEFORE_THING = re.compile(
    r"^(?:[那这]?[一二两三四五六七八九十几半]|[那这])[张个封本份把只条件页块枚瓶支幅](?=.{2})"
)
"""Prefixes of the object in a Chinese title, such as "a sheet of"."""


def clue_mentions(match: PlayedMatch) -> tuple[FactMention, ...]:
    """Return every mention of a clue by a seat that knows it, in the order of events.

    A seat knows a clue that it was shown, or that was mentioned publicly before. In English the
    text must contain all content words of the title; in Chinese its owner and its object, or the
    whole title. Private speech, such as a secret conclusion, discloses nothing.
    """
    return tuple(_mentions(match))


def mentions_clue(clue: Clue, text: str, language: Language) -> bool:
    """Return whether `text` contains the words of a clue's title."""
    if language == "zh":
        form, parts = normal_form(text), _chinese_parts(clue.title)
        return bool(parts) and all(part in form for part in parts)
    words = _title_words(clue.title)
    held = plain(text)
    return bool(words) and all(has_word(held, word) for word in words)


def _mentions(match: PlayedMatch) -> Iterator[FactMention]:
    clues = {clue.id: clue for clue in match.script.clues}
    known: dict[str, set[SeatId]] = {}
    for number, event in enumerate(match.events):
        if isinstance(event, ClueRevealed):
            known.setdefault(event.clue, set()).update(_audience_of(match, event))
        elif isinstance(event, Said | QuestionAsked):
            for clue in clues.values():
                knowing = known.get(clue.id, set())
                if event.seat in knowing and mentions_clue(clue, event.text, match.script.language):
                    known[clue.id] = knowing | {*_audience_of(match, event)}
                    yield FactMention(
                        event=number,
                        seat=event.seat,
                        fact=clue.id,
                        public=event.audience == "all",
                        is_answer=isinstance(event, Said) and event.to is not None,
                    )


def _audience_of(match: PlayedMatch, event: Event) -> tuple[SeatId, ...]:
    if event.audience == "all":
        return match.started.seats
    return () if event.audience == "host" else event.audience


def _title_words(title: str) -> list[str]:
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", plain(title))
    return [re.sub(r"['’]s$", "", word) for word in words if word not in _SMALL_WORDS]


def _chinese_parts(title: str) -> tuple[str, ...]:
    """Return the owner and the object of a Chinese title without its number, or the whole title."""
    thing = _BEFORE_THING.sub("", title)
    parts = [form for part in thing.split("的") if (form := normal_form(part))]
    whole = normal_form(thing)
    return tuple(parts) if all(len(part) > 1 for part in parts) else (whole,)
