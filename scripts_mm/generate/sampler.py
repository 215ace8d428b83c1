"""A world from a seed: frame, culprit, crime and proof; a draw that fails is drawn again."""

from dataclasses import astuple, dataclass
from random import Random

from scripts_mm.facts.proof import Proof, prove
from scripts_mm.generate.crime import sample_crime
from scripts_mm.generate.fact_table_export import export_fact_table
from scripts_mm.generate.frame import sample_frame
from scripts_mm.generate.world import Frame, GeneratorOptions, World
from scripts_mm.script import ScriptError

MAX_TRIES = 20
"""Worlds drawn of one seed before it is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledWorld:
    """A world and the proof that it can be solved as was asked for."""

    world: World
    proof: Proof
    tries: int
    """Worlds drawn, this one included."""


def sample_world(seed: int, options: GeneratorOptions) -> SampledWorld:
    """Draw the world of `seed`, a function of the seed and the options alone.

    The culprit is drawn by a generator of its own after the frame stands, so the frame says
    nothing of it. Raises ScriptError where the options cannot be met.
    """
    faults: tuple[str, ...] = ()
    for number in range(MAX_TRIES):
        stream = f"{seed}/{astuple(options)}/{number}"
        frame = sample_frame(seed, options, Random(f"{stream}/frame"))
        culprit = Random(f"{stream}/culprit").choice(frame.suspects).id
        crime = sample_crime(frame, culprit, Random(f"{stream}/crime"))
        world = World(frame=frame, crime=crime)
        proof = prove(export_fact_table(world, {}, {}, {}))
        faults = proof_faults(proof, options)
        if not faults:
            return SampledWorld(world=world, proof=proof, tries=number + 1)
    raise ScriptError(
        f"no case of seed {seed} could be proved in {MAX_TRIES} tries: {'; '.join(faults)}"
    )


def make_random(frame: Frame, tries: int, language: str, piece: str) -> Random:
    """Return the generator of chance for one piece of a case, its own and no other's."""
    return Random(f"{frame.seed}/{astuple(frame.options)}/{tries}/{language}/{piece}")


def proof_faults(proof: Proof, options: GeneratorOptions) -> tuple[str, ...]:
    """Return what a proof lacks of what was asked for, one line each."""
    found = list(proof.problems)
    if proof.hops_needed < options.hops:
        found.append(f"{options.hops} hops wanted, {proof.hops_needed} are enough")
    if (proof.seats_needed or 0) < options.seats:
        found.append(f"{options.seats} seats wanted, {proof.seats_needed} are enough")
    if not proof.needs_picture:
        found.append("a picture that is needed was wanted, none is")
    if proof.needs_culprit:
        found.append("knowledge of the innocent was wanted, the culprit's is needed too")
    return tuple(found)
