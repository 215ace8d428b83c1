"""Which passages of a seat's script can answer a question.

The questions that all players of extractive replies put are recognised, in these words and in
similar ones: about another seat, the time of the death, the last meeting with a victim, relations
with it, secrets, and knowledge. Their answers are the passages with the names, times or words that
such an answer needs; where the script has none, a standard answer that fits the question. To any
other question all passages are possible answers.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.observation import Observation
from arena.memory.lexical import split_sentences
from arena.players.replies.answer_cues import (
    DAY,
    DEAD,
    ENTRY_ZH,
    KNOWING,
    LASTING,
    OWN,
    SECRET,
    SECRET_HEADING,
    TOPICS,
    Topic,
)
from arena.players.script_text.accusation import accuses
from arena.players.script_text.clock_times import HALF_DAY, read_times
from arena.players.script_text.naming import People
from arena.players.script_text.passages import Passage
from arena.players.wording import find_wording
from scripts_mm.script import Language

_MOST_CHARS: Final[Mapping[Language, int]] = {"en": 330, "zh": 110}
"""Characters of an account of several passages: fits in 80 words."""
_LAST: Final = 3
"""Passages about the last meetings."""
_LONGEST_GAP: Final = 680
"""Minutes between the times in the opening and the discovery, at most; more is after it."""
_SHORTEST_GAP: Final = 60
"""The same, at least, if there are several victims: each has its own time."""
_USUAL_GAP: Final = 180
"""Minutes before the discovery, if the opening has no earlier time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question to a seat, and the passages that it can say."""

    observation: Observation
    question: str
    passages: tuple[Passage, ...]
    clues: tuple[str, ...] = ()
    """Quotations of clues that only this seat has."""

    @property
    def people(self) -> People:
        """The people of the match."""
        return People.of(self.observation)

    @property
    def victims(self) -> tuple[str, ...]:
        """The victims that the question is about; all if it names none."""
        people, victims = self.people, self.observation.victims
        return tuple(one for one in victims if people.are_named(self.question, one)) or victims

    @property
    def others(self) -> tuple[str, ...]:
        """The other seats that the question names."""
        people, seats = self.people, self.observation.seats
        others = (one for one in seats if one != self.observation.seat)
        return tuple(one for one in others if people.are_named(self.question, one))


def find_topic(asked: Asked) -> Topic | None:
    """Return the topic of a question; None: it is not recognised."""
    if accuses(asked.question, asked.observation.language):
        return "guilt"
    if asked.others:
        return "other"
    patterns = TOPICS[asked.observation.language]
    return next((key for key, one in patterns.items() if one.search(asked.question)), None)


def list_answers(asked: Asked) -> tuple[str, ...] | None:
    """Return the texts that can answer a question; None: its topic is not recognised."""
    topic = find_topic(asked)
    if topic is None:
        return None
    found = () if topic == "guilt" else tuple(_ANSWERS[topic](asked))
    return found or tuple(_say_nothing(asked, topic))


def _say_nothing(asked: Asked, topic: Topic) -> Iterator[str]:
    """Yield the standard answers on a topic of which the script says nothing that may be said."""
    say = find_wording(asked.observation.language)
    match topic:
        case "guilt" | "reason":
            yield from (say("extract.denial", victim=one) for one in asked.victims)
        case "other":
            yield from _know_nothing(asked, asked.others)
        case "relation":
            yield from (say("extract.nothing_between", victim=one) for one in asked.victims)
        case "last_seen" | "alibi":
            yield say("extract.nothing_then")
        case _:
            yield say("extract.nothing")


def has_substance(text: str, people: People) -> bool:
    """Return whether a text is of use to other seats: it names a person, a time or a number."""
    return bool(re.search(r"\d", text) or [*read_times(text)]) or people.are_named(
        text, *people.seats, *people.victims
    )


def _know_nothing(asked: Asked, others: Iterable[str]) -> Iterator[str]:
    """Yield that the script says nothing of a seat, or, if it does, that it has nothing to add."""
    say, script = find_wording(asked.observation.language), asked.observation.private_script
    for one in others:
        is_named = asked.people.are_named(script, one)
        yield say("extract.nothing") if is_named else say("extract.nothing_of", other=one)


def _tell_of_other(asked: Asked) -> Iterator[str]:
    people, texts = asked.people, (*(one.text for one in asked.passages), *asked.clues)
    return (one for one in texts if people.are_named(one, *asked.others))


def _find_victims(asked: Asked) -> list[Passage]:
    """Return the passages about the victims; the question says whom their pronouns mean."""
    people, victims = asked.people, asked.victims
    return [
        one
        for one in asked.passages
        if people.are_named(one.text, *victims) or one.about in victims
    ]


def _tell_relation(asked: Asked) -> Sequence[str]:
    """Return what is about the victim and the speaker, without entries of a time-table."""
    own = OWN[asked.observation.language]
    mutual = [one.text for one in _find_victims(asked) if own.search(one.text)]
    return [one for one in mutual if not [*read_times(one)]] or mutual


def _tell_meeting(asked: Asked) -> Sequence[str]:
    """Return the last passages about a victim with a time before the discovery."""
    language, end = asked.observation.language, _discovery(asked)[0]
    found = [one.text for one in _find_victims(asked) if not DEAD[language].search(one.text)]
    timed = [
        one
        for one in found
        if any(0 < (end - time) % HALF_DAY <= _LONGEST_GAP for time in read_times(one))
    ]
    dated = [one for one in found if DAY[language].search(one)]
    return (timed or dated)[-_LAST:]


def _tell_alibi(asked: Asked) -> Sequence[str]:
    """Return the passages at the times that the question names.

    If it names none, one account of the time before the discovery, always the same.
    """
    language = asked.observation.language
    timed = [one for one in asked.passages if _is_own_time(asked, one.text)]
    if wanted := {*read_times(asked.question)}:
        exact = [one.text for one in timed if wanted & {*read_times(one.text)}]
        return exact or [one.text for one in timed]
    is_then = _make_death_window(asked)
    then = [one for one in timed if any(map(is_then, read_times(one.text)))]
    lasting = [one.text for one in asked.passages if LASTING[language].search(one.text)]
    if then:
        return [_join(then, language)]
    return lasting or [one.text for one in timed]


def _is_own_time(asked: Asked, text: str) -> bool:
    """Return whether a text tells of the speaker at a time; Chinese can leave out the subject."""
    if not [*read_times(text)]:
        return False
    if OWN[asked.observation.language].search(text):
        return True
    subject = ENTRY_ZH.match(text)
    return subject is not None and not asked.people.last_named(subject[1])


def _join(passages: Sequence[Passage], language: Language) -> str:
    """Return an account: as many passages as fit, in order.

    A span of time ("from nine to ten") says more of an hour than a moment does, and the hours just
    before the discovery more than those at the start of the evening: these come in first.
    """
    latest = [*reversed(passages)]
    kept: list[Passage] = []
    for one in sorted(latest, key=lambda one: len({*read_times(one.text)}) == 1):
        free = _MOST_CHARS[language] - sum(len(other.text) for other in kept)
        overlaps = any(one.first <= other.last and other.first <= one.last for other in kept)
        if not kept or (len(one.text) < free and not overlaps):
            kept.append(one)
    between = "" if language == "zh" else " "
    return between.join(one.text for one in sorted(kept, key=lambda one: one.first))


def _discovery(asked: Asked) -> tuple[int, list[int]]:
    """Return the time at which a victim was found, by the opening, and the times named before.

    In minutes of a half day.

    The last time in the opening, if no sentence with a time speaks of death; 0 if it has none.
    """
    observation = asked.observation
    sentences, dead = split_sentences(observation.opening), DEAD[observation.language]
    several = [one for one in sentences if dead.search(one) and [*read_times(one)]]
    about = [one for one in several if asked.people.are_named(one, *asked.victims)]
    last = (*about, *several, "")[0]
    before = sentences[: sentences.index(last)] if last else sentences
    times = [time for one in (*before, last) for time in read_times(one)] or [0]
    return times[-1], times[:-1]


def _make_death_window(asked: Asked) -> Callable[[int], bool]:
    """Return a predicate of minutes in a half day: whether the victim died then.

    That is between the opening's first times and that of the discovery.
    """
    if not [*read_times(asked.observation.opening)]:
        return lambda _: True
    end, times = _discovery(asked)
    gaps = [gap for one in times if 0 < (gap := (end - one) % HALF_DAY) <= _LONGEST_GAP]
    if len(asked.observation.victims) > 1:
        gaps = [min((one for one in gaps if one >= _SHORTEST_GAP), default=_USUAL_GAP)]
    gap = max(gaps, default=_USUAL_GAP)
    return lambda time: (end - time) % HALF_DAY <= gap


def _tell_secret(asked: Asked) -> Sequence[str]:
    """Return what is under a heading of secrets, else what has a word of secrecy or debt.

    Where a sentence announces the secret, the passages with a time in it tell it.
    """
    language = asked.observation.language
    mine = [one for one in asked.passages if OWN[language].search(one.text)]
    headed = [one for one in mine if SECRET_HEADING[language].search(one.heading)]
    announced = [one for one in headed if one.heading[-1] in ".。:："]
    timed = [one.text for one in announced if [*read_times(one.text)]]
    if timed or headed:
        return timed or [one.text for one in headed]
    return [one.text for one in mine if SECRET[language].search(one.text)]


def _tell_known(asked: Asked) -> Sequence[str]:
    """Return what names a person, a time or a number, or is announced, but not who one is."""
    people, seat = asked.people, asked.observation.seat
    knowing = KNOWING[asked.observation.language]
    found = [
        one.text
        for one in asked.passages
        if has_substance(one.text, people) or knowing.search(one.text)
    ]
    return [*([one for one in found if seat not in one] or found), *asked.clues]


_ANSWERS: Final[Mapping[Topic, Callable[[Asked], Iterable[str]]]] = {
    "other": _tell_of_other, "last_seen": _tell_meeting,
    "alibi": _tell_alibi, "hidden": _tell_secret, "reason": _tell_relation,
    "relation": _tell_relation, "known": _tell_known,
}  # fmt: skip
