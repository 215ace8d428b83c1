"""Sentences of clues and of other seats' speech that a seat can repeat."""

import re
from collections.abc import Iterator
from typing import Final

from arena.core.events import Said
from arena.core.observation import ClueObservation, Observation
from arena.memory.lexical import split_sentences
from arena.players.replies.answer_cues import FILED, OWN
from arena.players.script_text.first_person import speak_as_role
from arena.players.script_text.naming import People
from arena.players.script_text.passages import is_complete, needs_context
from arena.players.wording import find_wording

_NAMED: Final = re.compile("[:：]")
"""The colon between a witness and its words."""


def quote_clues(observation: Observation, shown: str, *, private: bool = False) -> Iterator[str]:
    """Yield the quotations of clues that the prompt shows; `private`: no other seat has them."""
    say = find_wording(observation.language)
    for clue, one in sentences_of_clues(observation, shown):
        if clue.private or not private:
            yield say("extract.clue", title=clue.title, text=one)


def sentences_of_clues(
    observation: Observation, shown: str
) -> Iterator[tuple[ClueObservation, str]]:
    """Yield the sentences of clues that the prompt shows and that make sense alone."""
    for clue in observation.clues:
        for one in split_sentences(clue.text):
            if one in shown and _is_quotable(observation, clue, one):
                yield clue, one


def _is_quotable(observation: Observation, clue: ClueObservation, sentence: str) -> bool:
    """Return whether a sentence of a clue makes sense alone.

    A question does not, nor does a witness in the first person without the name before it, nor
    what addresses the clue's finder, nor a sentence about how the clue was filed. Next to a
    picture most sentences are its caption, unless they name a person.
    """
    language, people = observation.language, People.of(observation)
    if not is_complete(sentence) or needs_context(sentence, language) or sentence[-1] in "?？":
        return False
    if FILED[language].fullmatch(sentence):
        return False
    if not _NAMED.search(sentence) and (
        OWN[language].search(sentence) or speak_as_role(sentence, language) != sentence
    ):
        return False
    is_caption = clue.pictures and not people.are_named(sentence, *people.seats, *people.victims)
    return not is_caption


def sentences_of_others(observation: Observation) -> Iterator[str]:
    """Yield speech of others about others; their first-person sentences would be wrong here."""
    first_person = OWN[observation.language]
    for event in observation.events:
        if isinstance(event, Said):
            sentences = split_sentences(event.text)
            yield from (
                one for one in sentences if is_complete(one) and not first_person.search(one)
            )
