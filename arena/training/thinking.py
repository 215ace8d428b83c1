"""The teacher's thoughts: chains of evidence in a generated case that the prompt shows.

A trace in a generated case leads over its links to a trait of the culprit, and others know who has
it. The last link and a sentence about somebody with the trait are the thought before a conclusion.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.models.chat import ChoiceConstraint, JsonConstraint, Message
from arena.players.replies.extractive_thought import EVIDENCE, SUSPECT, restrict_thought
from arena.training.testimony import Statement, find_known_facts, statements_of
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.generate.world import WorldFact
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A thought of the teacher."""

    text: str
    suspect: str = ""
    """Seat that it makes suspicious; empty: the thought names nobody."""
    evidence: str = ""
    """Sentence that tells a trait of the culprit."""
    reason: str = ""
    """Sentence that tells that the suspect has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceChain:
    """A sentence that tells a trait of the culprit, and one about somebody who has it."""

    evidence: str
    reason: str
    suspect: str


def write_thought(evidence: str, reason: str) -> str:
    """Return the text of a thought."""
    return json.dumps({EVIDENCE: evidence, SUSPECT: reason}, ensure_ascii=False)


def think(
    case: GeneratedCase,
    observation: Observation,
    request: DecisionRequest,
    prompt: Sequence[Message],
    rng: Random,
) -> Thought:
    """Return the thought before the reply to `prompt`; a chain to the culprit is preferred."""
    legal = restrict_thought(observation, request, prompt)
    if isinstance(legal, ChoiceConstraint):
        return Thought(text=rng.choice(legal.options))
    assert isinstance(legal, JsonConstraint), "a thought is a sentence or a chain"
    known, naming = (one.options for one in legal.fields)
    cast = case.rendered[observation.language].cast
    culprit = cast.names[case.sampled.world.crime.culprit]
    chains = [*find_chains(case, observation, known, naming)]
    rng.shuffle(chains)
    best = next((one for one in chains if one.suspect == culprit), chains[0] if chains else None)
    if best is None:
        reason = rng.choice(naming)
        best = EvidenceChain(evidence=rng.choice(known), reason=reason, suspect="")
    return Thought(
        text=write_thought(best.evidence, best.reason),
        suspect=best.suspect,
        evidence=best.evidence,
        reason=best.reason,
    )


def find_chains(
    case: GeneratedCase, observation: Observation, known: Sequence[str], naming: Sequence[str]
) -> Iterator[EvidenceChain]:
    """Yield the chains of one link whose sentences are among `known` and `naming`."""
    language = observation.language
    names, others = case.rendered[language].cast.names, {*observation.seats} - {observation.seat}
    told = [*statements_of_facts(case, language)]
    clues = {f"clue:{one.id}": one.text for one in case.rendered[language].bare.clues}
    for link in last_links(case):
        stated = [one.text for fact, one in told if fact.id == link.id]
        sheets = [clues[one] for one in link.sources if one in clues]
        proofs = [one for one in known if one in stated or any(one in sheet for sheet in sheets)]
        for fact, one in told:
            if fits(fact, link) and one.text in naming and names[fact.who] in others:
                for proof in proofs:
                    yield EvidenceChain(evidence=proof, reason=one.text, suspect=names[fact.who])


def fits(fact: WorldFact, link: WorldFact) -> bool:
    """Return whether a fact says that somebody has the trait to which a link leads."""
    return (fact.form, fact.trait, fact.value) == ("trait", link.trait, link.value)


def last_links(case: GeneratedCase) -> Iterator[WorldFact]:
    """Yield the last link of each trait: it names the value."""
    facts = case.sampled.world.facts
    for trait in {one.trait: None for one in facts if one.form == "link"}:
        yield [one for one in facts if one.form == "link" and one.trait == trait][-1]


def statements_of_facts(
    case: GeneratedCase, language: Language
) -> Iterator[tuple[WorldFact, Statement]]:
    """Yield every fact that a role knows, with what the role says of it."""
    for one in case.sampled.world.frame.suspects:
        facts, said = find_known_facts(case, one.id), statements_of(case, language, one.id)
        yield from zip(facts, said[len(said) - len(facts) :], strict=True)
