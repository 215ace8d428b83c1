"""The output of a proof, as text and as JSON."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from scripts_mm.facts.claim_types import (
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    LatestTime,
)
from scripts_mm.facts.fact_table import (
    Crime,
    Fact,
    FactTable,
    TextsByLanguage,
    format_clock,
)
from scripts_mm.facts.proof import CrimeVerdict, Proof
from scripts_mm.facts.proof_steps import ProofLink, ProofStep
from scripts_mm.script import Language


def proof_json(proof: Proof) -> dict[str, Any]:
    """Return the proof as one JSON object, with sources in the form of facts.json."""
    told = asdict(proof)
    for step, plain in zip(proof.steps, told["steps"], strict=True):
        for link, bare in zip(step.links, plain["links"], strict=True):
            bare["source"] = str(link.source) if link.source else None
    return {"solved": proof.solved, **told}


def proof_lines(table: FactTable, proof: Proof, language: Language) -> list[str]:
    """Return the proof in lines: each crime with its window, each candidate, the requirements."""
    lines: list[str] = []
    for crime, verdict in zip(table.crimes, proof.verdicts, strict=True):
        lines += [_headline(table, crime, language), *_frame(table, crime, language)]
        for step in (one for one in proof.steps if one.crime == crime.id):
            lines += _step_lines(table, step, language)
        lines += [_end(table, verdict, language), ""]
    return [*lines, *_sums(table, proof, language)]


def pick_text(texts: TextsByLanguage, language: Language) -> str:
    """Return the text in `language`, else in its first language."""
    return texts.get(language) or next(iter(texts.values()))


def _headline(table: FactTable, crime: Crime, language: Language) -> str:
    victim = f": {_name(table, crime.victim, language)}" if crime.victim else ""
    return f"crime {crime.id}{victim}"


def _frame(table: FactTable, crime: Crime, language: Language) -> Iterator[str]:
    """Yield the window, scene and needed traits from all facts together."""
    own = [fact for fact in table.facts if getattr(fact.claim, "crime", None) == crime.id]
    afters = [(fact.claim.time, fact) for fact in own if isinstance(fact.claim, EarliestTime)]
    befores = [(fact.claim.time, fact) for fact in own if isinstance(fact.claim, LatestTime)]
    if afters and befores:
        first = max(afters, key=lambda one: one[0])
        last = min(befores, key=lambda one: one[0])
        yield f"  window {format_clock(first[0])} to {format_clock(last[0])}"
        yield from (_fact_line(fact, language) for fact in (first[1], last[1]))
    else:
        yield "  window not known"
    for what, kind in (("scene", CrimeScene), ("needs", CulpritTrait)):
        found = [fact for fact in own if isinstance(fact.claim, kind)]
        if found:
            yield f"  {what}"
            yield from (_fact_line(fact, language) for fact in found)


def _fact_line(fact: Fact, language: Language) -> str:
    grounds = [str(source) for source in fact.sources]
    grounds += [f"from {', '.join(reasons)}" for reasons in fact.because]
    return f"    {fact.id}: {pick_text(fact.says, language)} [{'; '.join(grounds)}]"


def _step_lines(table: FactTable, step: ProofStep, language: Language) -> Iterator[str]:
    ways = {"alibi": "was elsewhere", "needs": "does not fit", "cleared": "is cleared"}
    yield f"  {_name(table, step.who, language)} {ways[step.how]} (hop {step.hops})"
    for link in step.links:
        yield f"    {link.fact}: {_text(table, link, language)} [{_ground(link)}]"


def _text(table: FactTable, link: ProofLink, language: Language) -> str:
    return pick_text(table.fact(link.fact).says, language)


def _ground(link: ProofLink) -> str:
    return str(link.source) if link.source else f"from {', '.join(link.premises)}"


def _end(table: FactTable, verdict: CrimeVerdict, language: Language) -> str:
    left = _names(table, verdict.left, language)
    if len(verdict.left) == 1:
        return f"  only {left} is left (hop {verdict.hops})"
    return f"  left: {left}" if verdict.left else "  nobody is left"


def _sums(table: FactTable, proof: Proof, language: Language) -> Iterator[str]:
    yield f"hops: {proof.hops}, at least {proof.hops_needed} in any proof"
    yield f"facts: {len(proof.facts)} of {len(table.facts)}, {_shortness(proof)}"
    yield f"seats whose knowledge is used: {_names(table, proof.seats, language)}"
    yield f"pictures used: {', '.join(proof.pictures) or 'none'}"
    yield f"fewest seats that are enough: {_format_seats(proof.seats_needed)} (k {proof.k})"
    if len(proof.verdicts) > 1:
        for one in proof.verdicts:
            yield f"fewest seats that solve only {one.crime}: {_format_seats(one.seats_needed)}"
    if proof.seats_needed is not None:
        yield f"without pictures: {'not solved' if proof.needs_picture else 'solved as well'}"
        if proof.needs_culprit:
            yield "without knowledge that only culprits' seats have: not solved"
    yield from (f"not proved: {problem}" for problem in proof.problems)
    if proof.solved:
        yield "proved"


def _shortness(proof: Proof) -> str:
    """Return among which proofs this one has the fewest facts."""
    if proof.seats_needed is None:
        kind = "the shortest"
    else:
        kind = f"the shortest {'with' if proof.needs_culprit else 'without'} a culprit's word"
    return kind if proof.shown_shortest else f"not shown to be {kind}: too many alternatives"


def _format_seats(seats: int | None) -> str:
    return "not even all of them" if seats is None else str(seats)


def _names(table: FactTable, ids: Iterable[str], language: Language) -> str:
    return ", ".join(_name(table, one, language) for one in ids) or "nobody"


def _name(table: FactTable, person: str, language: Language) -> str:
    names = {one.id: one.names for one in table.people}
    return pick_text(names[person], language)
