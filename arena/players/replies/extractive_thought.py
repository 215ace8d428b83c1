"""Extractive thoughts: what a seat thinks before an extractive reply.

Before a decision that names a culprit, a thought is a small chain of evidence: a sentence that it
knows, such as a clue that says what the culprit has, and a sentence that names another seat, which
the first one makes suspicious. Both are sentences of the prompt, and the model chooses them. Before
other replies, a thought is one of the sentences that the reply may consist of.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.core.observation import Observation
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.models.chat import ChoiceConstraint, Constraint, JsonConstraint, JsonField, Message
from arena.players.replies.extraction import MOST_OF_TWO, find_sentences
from arena.players.replies.quotations import sentences_of_clues, sentences_of_others
from arena.players.script_text.naming import People
from arena.players.script_text.passages import read_passages

EVIDENCE: Final = "evidence"
SUSPECT: Final = "suspect"
NAMING: Final = frozenset({Purpose.CONCLUDE, Purpose.ACCUSE, Purpose.VOTE})
"""Purposes whose reply names a culprit."""


def restrict_thought(
    observation: Observation, request: DecisionRequest, prompt: Sequence[Message]
) -> Constraint:
    """Return the constraint of the thought before the reply to `prompt`."""
    shown = "\n".join(one.text for one in prompt)
    most = MOST_OF_TWO[observation.language]
    found = dict.fromkeys(_known_sentences(observation, shown))
    known = tuple(one for one in found if len(one) <= most)
    people, others = People.of(observation), [s for s in observation.seats if s != observation.seat]
    naming = tuple(one for one in known if people.are_named(one, *others))
    if request.purpose not in NAMING or not naming:
        return ChoiceConstraint(options=find_sentences(observation, request, prompt).spoken)
    fields = (JsonField(name=EVIDENCE, options=known), JsonField(name=SUSPECT, options=naming))
    return JsonConstraint(fields=fields)


def _known_sentences(observation: Observation, shown: str) -> Iterator[str]:
    """Yield the sentences of clues, of others about others, and of the seat's own script."""
    yield from (one for _, one in sentences_of_clues(observation, shown))
    yield from (one for one in sentences_of_others(observation) if one in shown)
    yield from (one.text for one in read_passages(observation, shown))
