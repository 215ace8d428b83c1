"""Consistency of a fact table: with its script, with itself, and with the culprits it proves."""

from dataclasses import replace
from itertools import combinations

from scripts_mm.facts.claim_types import (
    PersonTrait,
    Presence,
    TravelTime,
)
from scripts_mm.facts.fact_table import (
    FactTable,
    format_clock,
)
from scripts_mm.facts.proof import (
    Proof,
    few_seats_problems,
    has_several_culprits,
    prove,
    scene_places,
)
from scripts_mm.facts.solver import derive_labels
from scripts_mm.facts.support_labels import build_index
from scripts_mm.findings import FindingLog
from scripts_mm.names import fold_name, text_form
from scripts_mm.script import Clue, Script
from scripts_mm.script_texts import LEAK_LENGTH, find_shared_runs, join_some


def check_against_script(script: Script, table: FactTable, notes: FindingLog) -> None:
    """Note people, clues and culprits of the table that differ from the script's."""
    names = {one.id: one.names.get(script.language, "") for one in table.people}
    suspects = [fold_name(names[one]) for one in table.suspects]
    if suspects != [fold_name(name) for name in script.names]:
        detail = (
            f"wanted the roles in their order, got {join_some(names[o] for o in table.suspects)}"
        )
        notes.error("facts-suspects", "suspects", detail)
        return
    _note_culprits(script, table, names, notes)
    _note_sources(script, table, notes)
    _note_owners(script, table, names, notes)
    lacking = [one.id for one in table.facts if not one.says.get(script.language)]
    lacking += [
        one.id for one in (*table.people, *table.places) if script.language not in one.names
    ]
    if lacking:
        detail = f"no text in {script.language!r}: {join_some(lacking)}"
        notes.warn("facts-untranslated", "facts", detail)


def prove_against_script(script: Script, table: FactTable) -> Proof:
    """Return the proof of `table`; disagreements with `script` are among its problems."""
    notes = FindingLog()
    check_against_script(script, table, notes)
    misfits = tuple(f"{one.place}: {one.detail}" for one in notes.found if one.severity == "error")
    proof = prove(table)
    return replace(proof, problems=(*misfits, *proof.problems))


def check_consistency(table: FactTable, notes: FindingLog) -> None:
    """Note contradictory timelines, traits and time bounds."""
    _note_time_lines(table, notes)
    traits = [(one.id, one.claim) for one in table.facts if isinstance(one.claim, PersonTrait)]
    for (name, one), (other, another) in combinations(traits, 2):
        same = (one.sort, one.who, text_form(one.name)) == (
            another.sort,
            another.who,
            text_form(another.name),
        )
        if same and text_form(one.value) != text_form(another.value):
            detail = f"{one.who} {one.sort} {one.name}: {one.value!r}, but {other!r} has another"
            notes.warn("facts-two-values", name, f"{detail}: {another.value!r}")
    for crime in table.crimes:
        places = scene_places(table, crime.id)
        if len(places) > 1:
            notes.error("facts-two-scenes", crime.id, f"done at {join_some(places)}")


def check_proof(table: FactTable, notes: FindingLog) -> None:
    """Note gaps in the proof, and proofs that are too easy."""
    proof = prove(table)
    for verdict in proof.verdicts:
        if {*verdict.left} != {*verdict.culprits} & {*table.suspects} or not verdict.left:
            left, stated = (
                join_some(verdict.left) or "nobody",
                join_some(verdict.culprits) or "nobody",
            )
            notes.error("facts-unsolved", verdict.crime, f"{left} left, but {stated} stated")
    for detail in few_seats_problems(table, proof.verdicts, proof.seats_needed):
        notes.error("facts-few-seats", "k", detail)
    if proof.seats_needed is None:
        return
    if not proof.needs_picture:
        notes.warn("facts-no-picture", "facts", "the case is solved without any picture")
    if proof.needs_culprit:
        detail = "without knowledge of the culprits' seats the case is not solved"
        note = notes.error if has_several_culprits(table) else notes.warn
        note("facts-of-culprit", "facts", detail)


def check_secrecy(
    script: Script, table: FactTable, texts: dict[str, str], notes: FindingLog
) -> None:
    """Note facts of single seats or pictures that a public text also states.

    `texts`: the public texts, by place.
    """
    index = build_index(table)
    everybody = derive_labels(index, index.pictures)
    readers = derive_labels(index, 0)
    size = LEAK_LENGTH[script.language]
    plain = {"opening": script.opening}
    plain |= {clue.id: clue.text for clue in script.clues if clue.owner is None}
    said = {fact.id: fact.says.get(script.language, "") for fact in table.facts}
    in_public, in_plain = (find_shared_runs(said, one, size) for one in (texts, plain))
    for fact, open_to_all, in_words in zip(table.facts, everybody, readers, strict=True):
        if not open_to_all:
            for place in in_public[fact.id]:
                detail = f"fact {fact.id!r} is private, but stated in a public text"
                notes.warn("fact-in-public", place, detail)
        elif not in_words:
            for place in in_plain[fact.id]:
                detail = f"fact {fact.id!r} should only be in a picture"
                notes.warn("picture-fact-in-text", place, detail)


def _note_culprits(
    script: Script, table: FactTable, names: dict[str, str], notes: FindingLog
) -> None:
    truth = script.truth
    wanted = {fold_name(name) for name in truth.culprits}
    allowed = wanted | {fold_name(name) for name in truth.instigators}
    stated = {fold_name(names[one]) for crime in table.crimes for one in crime.culprits}
    if not wanted <= stated or not stated <= allowed:
        detail = f"the truth names {join_some(truth.culprits)}, the table other culprits"
        notes.error("facts-culprits", "crimes", detail)
        return
    victims = {fold_name(name) for name in script.victims}
    killers = {fold_name(one.victim): {*map(fold_name, one.culprits)} for one in truth.killings}
    deeds = {crime.id: {fold_name(names[one]) for one in crime.culprits} for crime in table.crimes}
    for crime in table.crimes:
        victim = fold_name(names.get(crime.victim, ""))
        if crime.victim and victim not in victims:
            notes.warn("facts-victim", crime.id, f"{crime.victim!r} is not a victim of the script")
        if deeds[crime.id] <= allowed - wanted:
            continue
        told = _join_parts(table, crime.victim, deeds, allowed - wanted) or deeds[crime.id]
        if killers.get(victim, told) != told:
            detail = f"the truth names other culprits for {crime.victim!r}"
            notes.error("facts-culprits", crime.id, detail)


def _join_parts(
    table: FactTable, victim: str, deeds: dict[str, set[str]], instigators: set[str]
) -> set[str]:
    """Return all who killed a victim: in league, each crime can be the part of one of them."""
    parts = [deeds[one.id] for one in table.crimes if victim and one.victim == victim]
    return {name for part in parts if not part <= instigators for name in part}


def _note_sources(script: Script, table: FactTable, notes: FindingLog) -> None:
    clues = {clue.id: clue for clue in script.clues}
    for fact in table.facts:
        for source in fact.sources:
            if source.kind not in ("clue", "picture"):
                continue
            clue = clues.get(source.name)
            if clue is None:
                detail = f"its source {str(source)!r} is not a clue of the script"
                notes.error("facts-clue", fact.id, detail)
            elif lack := _missing_part(source.kind, clue):
                notes.error("facts-source", fact.id, f"its source {str(source)!r} has no {lack}")


def _note_owners(
    script: Script, table: FactTable, names: dict[str, str], notes: FindingLog
) -> None:
    for name in sorted({*table.owners} - {clue.id for clue in script.clues}):
        notes.error("facts-clue", "owners", f"{name!r} is not a clue of the script")
    for clue in script.clues:
        wanted, told = clue.owner or "", names.get(table.owners.get(clue.id, ""), "")
        if fold_name(wanted) != fold_name(told):
            detail = f"{clue.id!r} is dealt to {wanted or 'nobody'}, not to {told or 'nobody'}"
            notes.error("facts-owner", "owners", detail)


def _missing_part(kind: str, clue: Clue) -> str:
    if kind == "picture" and not clue.pictures:
        return "picture"
    return "text" if kind == "clue" and not clue.text else ""


def _note_time_lines(table: FactTable, notes: FindingLog) -> None:
    """Note a person at two places at the same time, or too fast between them."""
    ways = {
        frozenset(one.claim.places): one.claim.minutes
        for one in table.facts
        if isinstance(one.claim, TravelTime)
    }
    stays = sorted(
        ((one.claim, one.id) for one in table.facts if isinstance(one.claim, Presence)),
        key=lambda pair: (pair[0].who, pair[0].start, pair[0].end),
    )
    for (one, name), (other, later) in combinations(stays, 2):
        if one.who != other.who or one.place == other.place:
            continue
        gap = other.start - one.end
        end, start = format_clock(one.end), format_clock(other.start)
        told = f"{one.who} until {end}, and {later!r} elsewhere at {start}"
        if gap < 0:
            notes.warn("facts-two-places", name, told)
        elif gap < ways.get(frozenset((one.place, other.place)), 0):
            notes.warn("facts-too-fast", name, f"{told}: too far for that time")
