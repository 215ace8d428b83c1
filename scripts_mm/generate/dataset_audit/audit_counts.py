"""The counts of the audit over all cases."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random

from scripts_mm.facts.solver import solve
from scripts_mm.generate.case import GeneratedCase, case_fact_table
from scripts_mm.generate.dataset_audit.heuristics import guess_far_from_reading
from scripts_mm.generate.dataset_audit.statistics import (
    Evenness,
    Proportion,
    measure_evenness,
    wilson_interval,
)
from scripts_mm.generate.options import ROLES
from scripts_mm.generate.render import RenderedCase
from scripts_mm.generate.sampler import proof_faults
from scripts_mm.generate.world import CRIME

LETTERS = 4
"""Options of nearly all questions; questions with fewer are counted separately."""


@dataclass(slots=True, kw_only=True)
class AuditCounts:
    """Counts over cases, updated case by case."""

    cases: int = 0
    tries: Counter[int] = field(default_factory=Counter[int])
    """Cases by number of worlds drawn."""
    unproved: list[str] = field(default_factory=list[str])
    solved: int = 0
    """Cases in which all facts leave only the culprit."""
    solved_blind: int = 0
    """Cases solved without pictures; there should be none."""
    culprits: defaultdict[int, Counter[int]] = field(
        default_factory=lambda: defaultdict[int, Counter[int]](Counter)
    )
    """Positions of culprits by number of roles."""
    clock_hits: Counter[int] = field(default_factory=Counter[int])
    """Correct guesses of `guess_far_from_reading`, by number of roles."""
    letters: Counter[int] = field(default_factory=Counter[int])
    ranks: Counter[int] = field(default_factory=Counter[int])
    """Rank of the correct option by length among the four; ties in random order."""
    drawn_letters: Counter[int] = field(default_factory=Counter[int])
    drawn_ranks: Counter[int] = field(default_factory=Counter[int])
    """The same for one random question per script, since those of one case are dependent."""
    longest: int = 0
    shortest: int = 0
    """Questions whose correct option is the only longest, or the only shortest."""
    questions: Counter[str] = field(default_factory=Counter[str])
    apart: Counter[int] = field(default_factory=Counter[int])
    """Questions by difference in characters between the longest and the shortest option."""
    hops: Counter[int] = field(default_factory=Counter[int])
    seats: Counter[int] = field(default_factory=Counter[int])
    seen: set[bytes] = field(default_factory=set[bytes])
    """Hashes of texts and pictures."""
    texts: int = 0
    repeated: Counter[str] = field(default_factory=Counter[str])
    """Texts that an earlier case contains literally, by kind."""


def count_case(tally: AuditCounts, case: GeneratedCase) -> None:
    """Add a case in all its languages to `tally`."""
    drawn = case.sampled
    world, proof = drawn.world, drawn.proof
    culprit = world.crime.culprit
    ids = [one.id for one in world.frame.suspects]
    table = case_fact_table(case)
    tally.cases += 1
    tally.tries[drawn.tries] += 1
    tally.unproved += [f"{case.id}: {one}" for one in proof_faults(proof, world.frame.options)]
    tally.solved += [*solve(table).values()] == [(one,) for one in world.guilty]
    tally.solved_blind += len(solve(table, pictures=False)[CRIME]) == 1
    tally.culprits[len(ids)][ids.index(culprit)] += 1
    named = guess_far_from_reading(world, Random(f"{case.id}/reading"))
    tally.clock_hits[len(ids)] += named == culprit
    tally.hops[proof.hops_needed] += 1
    tally.seats[proof.seats_needed or 0] += 1
    for told in case.rendered.values():
        _count_questions(tally, told, Random(case.id))
        _count_texts(tally, told)


def culprit_positions(tally: AuditCounts) -> dict[int, Evenness]:
    """Return the evenness of the culprits' positions, by number of roles."""
    return {
        roles: measure_evenness([tally.culprits[roles][at] for at in range(roles)])
        for roles in ROLES
        if tally.culprits[roles]
    }


def clock_shares(tally: AuditCounts) -> dict[int, Proportion]:
    """Return the hit rate of `guess_far_from_reading`, by number of roles."""
    return {
        roles: wilson_interval(tally.clock_hits[roles], tally.culprits[roles].total())
        for roles in ROLES
        if tally.culprits[roles]
    }


def whole_texts(told: RenderedCase) -> Iterator[tuple[str, str]]:
    """Yield kind and text of every text that two cases must not share."""
    bare = told.bare
    yield "opening", bare.opening
    yield "truth", bare.truth.text
    for role in bare.roles:
        yield "script", role.script
    for clue in bare.clues:
        spec = told.pictures.get(clue.id)
        if spec is None:
            yield "clue", f"{clue.title}\n{clue.text}"
        else:
            yield "picture clue", f"{clue.text}\n{spec.transcript}\n{spec.description}"
            yield "picture", spec.key
    asked = ("\n".join((one.stem, *one.options)) for one in bare.questions)
    yield "questions", "\n".join(asked)


def count_repeats(tally: AuditCounts, texts: Iterable[tuple[str, str | bytes]]) -> None:
    """Count `texts` (kind and text), and those that have occurred before."""
    for what, text in texts:
        data = text.encode() if isinstance(text, str) else text
        name = blake2b(data, digest_size=12, key=what.encode()).digest()
        tally.texts += 1
        tally.repeated[what] += name in tally.seen
        tally.seen.add(name)


def _count_texts(tally: AuditCounts, told: RenderedCase) -> None:
    count_repeats(tally, ((f"{told.language} {what}", text) for what, text in whole_texts(told)))


def _count_questions(tally: AuditCounts, told: RenderedCase, rng: Random) -> None:
    four: list[tuple[int, int]] = []
    for one in told.bare.questions:
        tally.questions[one.kind] += 1
        sizes = [len(option) for option in one.options]
        right = sizes[one.keys[0]]
        rest = [*sizes[: one.keys[0]], *sizes[one.keys[0] + 1 :]]
        tally.apart[max(sizes) - min(sizes)] += 1
        tally.longest += right > max(rest)
        tally.shortest += right < min(rest)
        if len(sizes) == LETTERS:
            low = sum(size < right for size in rest)
            four.append((one.keys[0], low + rng.randint(0, rest.count(right))))
    tally.letters.update(letter for letter, _ in four)
    tally.ranks.update(rank for _, rank in four)
    letter, rank = rng.choice(four)
    tally.drawn_letters[letter] += 1
    tally.drawn_ranks[rank] += 1
