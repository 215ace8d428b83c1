"""The sampler of worlds: frame, culprit, crime and proof; a failed draw is repeated."""

from dataclasses import astuple, dataclass
from random import Random

from scripts_mm.facts.proof import Proof, prove
from scripts_mm.generate.crime import sample_crime
from scripts_mm.generate.fact_table_export import export_fact_table
from scripts_mm.generate.frame import sample_frame
from scripts_mm.generate.world import Frame, GeneratorOptions, World
from scripts_mm.script import ScriptError

MAX_TRIES = 20
"""Maximum worlds to draw per seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledWorld:
    """A world and the proof that it meets the options."""

    world: World
    proof: Proof
    tries: int
    """Number of worlds drawn, including this one."""


def sample_world(seed: int, options: GeneratorOptions) -> SampledWorld:
    """Draw the world of `seed`: a function of only the seed and the options.

    The culprit is drawn after the frame with a separate generator, so the frame does not depend on
    it. Raises ScriptError if the options cannot be met.
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
    """Return the separate random generator for one piece of a case."""
    return Random(f"{frame.seed}/{astuple(frame.options)}/{tries}/{language}/{piece}")


def proof_faults(proof: Proof, options: GeneratorOptions) -> tuple[str, ...]:
    """Return the options that a proof does not meet, one line each."""
    found = list(proof.problems)
    if proof.hops_needed < options.hops:
        found.append(f"wanted {options.hops} hops, but {proof.hops_needed} are enough")
    if (proof.seats_needed or 0) < options.seats:
        found.append(f"wanted {options.seats} seats, but {proof.seats_needed} are enough")
    if not proof.needs_picture:
        found.append("wanted a needed picture, got none")
    if proof.needs_culprit:
        found.append("wanted a proof without the culprit's knowledge, but it is needed")
    return tuple(found)
